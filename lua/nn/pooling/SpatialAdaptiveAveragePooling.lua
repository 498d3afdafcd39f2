--- The mean over windows that divide an image into W x H parts, whatever its size.
--
-- Output row i of H is made of rows floor((i - 1) iH / H) + 1 to ceil(i iH / H) of the input's iH.
--
-- Shapes: input N x C x iH x iW or C x iH x iW; output N x C x H x W or C x H x W.
-- @classmod nn.SpatialAdaptiveAveragePooling
-- @example
-- #nn.SpatialAdaptiveAveragePooling(1, 1):forward(torch.randn(2, 3, 7, 5)) --> { 2, 3, 1, 1 }

local nn = require 'nn'
local ops = require 'nn.base.ops'
local windows = require 'nn.pooling.windows'

local SpatialAdaptiveAveragePooling = nn.declare('nn.SpatialAdaptiveAveragePooling', 'nn.Pooling', {
   arguments = [[
      W  size  output width
      H  size  output height
   ]],
   input = 'N? C H W',
   output = 'N? C oH oW',
})

function SpatialAdaptiveAveragePooling:__computeOutput(y, x)
   return ops.adaptive_avg_pool(self, y, x, windows.outputs(self.H, self.W))
end

function SpatialAdaptiveAveragePooling:__computeGradInput(gx, x, g)
   return ops.adaptive_avg_pool_backward(self, gx, g, x, windows.outputs(self.H, self.W))
end
