--- Each sample divided by the root of its mean square over the last dimensions, then scaled.
--
-- y = x / sqrt(mean(x^2) + eps) * weight: nn.LayerNorm without the mean and without a bias.
--
-- Shapes: as nn.LayerNorm's.
--
-- Source: Zhang and Sennrich, NeurIPS 2019 (arXiv:1910.07467).
-- @classmod nn.RMSNorm
-- @usage nn.RMSNorm(512)
-- @example nn.RMSNorm(2):forward(torch.Tensor { { 3, 4 } }) --> { { 0.8485, 1.1314 } }

local nn = require 'nn'

local RMSNorm, LayerNorm = nn.declare('nn.RMSNorm', 'nn.LayerNorm', {
   arguments = [[
      (size)  any             features: a number, a table or a LongStorage of the last sizes
      eps     number = 1e-6   added to the mean square
      affine  boolean = true  learn a weight
   ]],
   text = '({size/x})',
})

RMSNorm.centred = false

function RMSNorm:__initialize(size, eps, affine)
   LayerNorm.__initialize(self, size, eps, affine, false)
end
