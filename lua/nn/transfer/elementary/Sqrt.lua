--- y = sqrt(x + eps), element by element. Where y is 0 the gradient is taken to be 0.
-- @classmod nn.Sqrt
-- @example nn.Sqrt():forward(torch.Tensor { 4, 9 }) --> { 2, 3 }

local nn = require 'nn'
local ops = require 'nn.base.ops'

local Sqrt = nn.declare('nn.Sqrt', { arguments = 'eps  number = 0' })

function Sqrt:__computeOutput(y, x)
   if self.eps ~= 0 then
      x = ops.add_value(self, y, x, self.eps)
   end
   return ops.sqrt(self, y, x)
end

function Sqrt:__computeGradInput(gx, x, g)
   return ops.sqrt_backward(self, gx, g, x, self.output)
end

return Sqrt
