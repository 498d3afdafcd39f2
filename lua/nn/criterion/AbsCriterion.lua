--- Mean absolute error: the mean over all elements of |x_i - t_i|.
-- Shapes: input and target of any shape with equal element counts.
-- @classmod nn.AbsCriterion

local nn = require 'nn'

local AbsCriterion = nn.declare('nn.AbsCriterion', 'nn.Criterion', {
   arguments = 'sizeAverage  boolean = true  false: the sum instead of the mean',
})

local function factor(self, x)
   return self.sizeAverage and 1 / x:nElement() or 1
end

function AbsCriterion:__computeOutput(_, x, t)
   return factor(self, x) * x:dist(t, 1)
end

function AbsCriterion:__computeGradInput(gx, x, t)
   return gx:resizeAs(x):add(x, -1, t):sign():mul(factor(self, x))
end
