--- The maximum over windows of kW x kH.
--
-- Shapes: input N x C x H x W or C x H x W; output likewise with
-- oH = floor((H + 2 padH - kH) / dH) + 1 (`ceil` after `:ceil()`), and oW likewise.
-- `indices` keeps where in its plane each maximum was, `iheight` and `iwidth` the input's size.
-- @classmod nn.SpatialMaxPooling
-- @example nn.SpatialMaxPooling(2, 2):forward(torch.range(1, 8):view(1, 2, 4)) --> { { { 6, 8 } } }

local nn = require 'nn'
local maxima = require 'nn.pooling.maxima'
local windows = require 'nn.pooling.windows'

local SpatialMaxPooling = nn.declare('nn.SpatialMaxPooling', 'nn.SpatialPooling', {
   arguments = [[
      kW    size         window width
      kH    size         window height
      dW    integer = kW step to the right
      dH    integer = kH step down
      padW  integer = 0  padding left and right, at most half a window; never the maximum
      padH  integer = 0  padding above and below
   ]],
})

maxima.install(SpatialMaxPooling, 'max_pool', function(self, x)
   local n = x.ndim
   self.iheight, self.iwidth = tonumber(x.sizes[n - 2]), tonumber(x.sizes[n - 1])
   return windows.image(self)
end)
