--- y = x limited to [min_val, max_val], element by element. The gradient is 0 at the limits.
-- @classmod nn.HardTanh
-- @example nn.HardTanh():forward(torch.Tensor { -2, 0, 2 }) --> { -1, 0, 1 }

local nn = require 'nn'
local check = require 'nn.check'

local HardTanh = nn.Pointwise:of('clamp', 'HardTanh', 'min_val, max_val', {
   arguments = [[
      min_value -> min_val  number = -1
      max_value -> max_val  number = 1
      inplace               boolean = false  write over the input (and over gradOutput)
   ]],
   gradient = 'input',
})

function HardTanh:__initialize()
   if self.min_val >= self.max_val then
      check.fail(self, 'min_value is %g, expected less than max_value, which is %g', self.min_val,
         self.max_val)
   end
end

return HardTanh
