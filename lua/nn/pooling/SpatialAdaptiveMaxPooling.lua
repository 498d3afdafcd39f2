--- The maximum over windows that divide an image into W x H parts, whatever its size.
--
-- Output row i of H is made of rows floor((i - 1) iH / H) + 1 to ceil(i iH / H) of the input's iH.
--
-- Shapes: input N x C x iH x iW or C x iH x iW; output N x C x H x W or C x H x W.
-- `indices` keeps where in its plane each maximum was.
-- @classmod nn.SpatialAdaptiveMaxPooling
-- @example #nn.SpatialAdaptiveMaxPooling(2, 3):forward(torch.randn(2, 3, 7, 5)) --> { 2, 3, 3, 2 }

local nn = require 'nn'
local maxima = require 'nn.pooling.maxima'
local windows = require 'nn.pooling.windows'

local SpatialAdaptiveMaxPooling = nn.declare('nn.SpatialAdaptiveMaxPooling', 'nn.Pooling', {
   arguments = [[
      W  size  output width
      H  size  output height
   ]],
   input = 'N? C H W',
   output = 'N? C oH oW',
})

maxima.install(SpatialAdaptiveMaxPooling, 'adaptive_max_pool', function(self)
   return windows.outputs(self.H, self.W)
end)
