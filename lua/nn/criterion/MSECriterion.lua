--- Mean squared error: the mean over all elements of (x_i - t_i)^2.
-- Shapes: input and target of any shape with equal element counts.
-- @classmod nn.MSECriterion

local nn = require 'nn'
local ops = require 'nn.base.ops'

local MSECriterion = nn.declare('nn.MSECriterion', 'nn.Criterion', {
   arguments = 'sizeAverage  boolean = true  false: the sum instead of the mean',
})

function MSECriterion:__computeOutput(loss, x, t)
   return ops.mse_loss(self, loss, x, t, nil, 0, 0, self.sizeAverage)
end

function MSECriterion:__computeGradInput(gx, x, t)
   return ops.mse_loss_backward(self, gx, x, t, nil, 0, 0, self.sizeAverage)
end
