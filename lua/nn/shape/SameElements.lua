--- Layers whose output has the elements of the input, in the same order: the gradient is gradOutput
-- in the input's shape. A layer derived from it gives the output.
-- @classmod nn.SameElements

local nn = require 'nn'
local check = require 'nn.check'

local SameElements = nn.declare('nn.SameElements', { input = 'any' })

function SameElements:__computeGradInput(gx, x, g)
   check.any_backward(self, x, g)
   check.count(self, g, x, 'gradOutput')
   return gx:viewAs(check.contiguous(self, '_gradOutput', g), x)
end

function SameElements:clearState()
   nn.utils.clear(self, '_input', '_gradOutput')
   return nn.Module.clearState(self)
end
