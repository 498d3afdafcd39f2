--- y = x^pow, element by element.
-- @classmod nn.Power
-- @example nn.Power(3):forward(torch.Tensor { 1, 2 }) --> { 1, 8 }

local nn = require 'nn'
local ops = require 'nn.base.ops'

local Power = nn.declare('nn.Power', { arguments = 'power -> pow  number' })

function Power:__computeOutput(y, x)
   return ops.pow(self, y, x, self.pow)
end

function Power:__computeGradInput(gx, x, g)
   return ops.pow_backward(self, gx, g, self.pow, x)
end

return Power
