--- y = x + b, element by element, with learnt terms; b is repeated along its dimensions of size 1.
--
-- Shapes: x is as b, or N x (as b); the output likewise.
-- @classmod nn.CAdd
-- @example #nn.CAdd(3):forward(torch.randn(5, 3)) --> { 5, 3 }

local nn = require 'nn'
local repeated = require 'nn.base.repeated'

local CAdd = nn.declare('nn.CAdd', 'nn.Weighted', {
   arguments = 'size  sizes  those of b',
   own = 'bias',
   text = '({size/x})',
})

function CAdd:__initialize(size)
   self:__addWeights(nil, size:totable())
end

function CAdd:__computeOutput(y, x)
   return y:resizeAs(x):add(x, repeated.over(self, self.bias, x):expandAs(x))
end

function CAdd.__computeGradInput(_, gx, x, g)
   return gx:resizeAs(x):copy(g)
end

function CAdd:__computeGradParameters(_, g, scale)
   self.gradBias:add(scale, repeated.gradient(self, self.gradBias, g))
end
