--- y = w x, element by element, with learnt factors; w is repeated along its dimensions of size 1.
--
-- Shapes: x is as w, or N x (as w); the output likewise.
-- @classmod nn.CMul
-- @example #nn.CMul(3):forward(torch.randn(5, 3)) --> { 5, 3 }

local torch = require 'torch'
local nn = require 'nn'
local repeated = require 'nn.base.repeated'

local CMul = nn.declare('nn.CMul', 'nn.Weighted', {
   arguments = 'size  sizes  those of w',
   text = '({size/x})',
})

function CMul:__initialize(size)
   self:__addWeights(size:totable())
end

function CMul:__computeOutput(y, x)
   return y:resizeAs(x):cmul(x, repeated.over(self, self.weight, x):expandAs(x))
end

function CMul:__computeGradInput(gx, x, g)
   return gx:resizeAs(x):cmul(g, repeated.over(self, self.weight, x):expandAs(x))
end

function CMul:__computeGradParameters(x, g, scale)
   self.gradWeight:add(scale, repeated.gradient(self, self.gradWeight, torch.cmul(x, g)))
end
