--- Rectified linear unit: y = max(0, x), element by element.
-- @classmod nn.ReLU
-- @example nn.ReLU():forward(torch.Tensor { -1, 0, 2 }) --> { 0, 0, 2 }

local nn = require 'nn'

local ReLU = nn.declare('nn.ReLU', 'nn.Threshold', {
   arguments = 'inplace  boolean = false  write over the input (and over gradOutput)',
})

function ReLU:__initialize()
   self.threshold, self.val = 0, 0
end
