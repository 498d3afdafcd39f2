--- y = x limited to [min_value, max_value], element by element: nn.HardTanh, whose limits have to
-- be given.
-- @classmod nn.Clamp
-- @example nn.Clamp(0, 1):forward(torch.Tensor { -1, 0.5, 2 }) --> { 0, 0.5, 1 }

local nn = require 'nn'

nn.declare('nn.Clamp', 'nn.HardTanh', {
   arguments = [[
      min_value -> min_val  number
      max_value -> max_val  number
   ]],
})

return nn.Clamp
