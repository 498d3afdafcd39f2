--- The maximum over windows of kT x kW x kH.
--
-- Shapes: input N x C x T x H x W or C x T x H x W; output likewise with
-- oT = floor((T + 2 padT - kT) / dT) + 1 (`ceil` after `:ceil()`), oH and oW likewise.
-- `indices` keeps where in its volume each maximum was, row-major and counted from 1; `itime`,
-- `iheight` and `iwidth` the input's size.
-- @classmod nn.VolumetricMaxPooling
-- @example
-- #nn.VolumetricMaxPooling(2, 2, 2):forward(torch.randn(2, 3, 4, 6, 6)) --> { 2, 3, 2, 3, 3 }

local nn = require 'nn'
local maxima = require 'nn.pooling.maxima'
local windows = require 'nn.pooling.windows'

local VolumetricMaxPooling = nn.declare('nn.VolumetricMaxPooling', 'nn.VolumetricPooling', {
   arguments = '...', version = 2,
})

maxima.install(VolumetricMaxPooling, 'max_pool', function(self, x)
   local n, sizes = x.ndim, x.sizes
   self.itime = tonumber(sizes[n - 3])
   self.iheight, self.iwidth = tonumber(sizes[n - 2]), tonumber(sizes[n - 1])
   return windows.volume(self)
end)
