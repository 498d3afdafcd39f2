--- The maximum over windows of kT x kW x kH elements that lie `dilation` apart.
--
-- Shapes: input N x C x T x H x W or C x T x H x W; output likewise with
-- oT = floor((T + 2 padT - dilationT (kT - 1) - 1) / dT) + 1 (`ceil` after `:ceil()`), oH and oW
-- likewise. `indices` keeps where in its volume each maximum was.
-- @classmod nn.VolumetricDilatedMaxPooling
-- @example
-- local y = nn.VolumetricDilatedMaxPooling(2, 2, 2):forward(torch.randn(2, 3, 4, 6, 6))
-- #y --> { 2, 3, 2, 3, 3 }

local nn = require 'nn'

nn.declare('nn.VolumetricDilatedMaxPooling', 'nn.VolumetricMaxPooling', {
   arguments = [[
      ...
      dilationT  size = 1          distance of a window's images
      dilationW  size = 1          distance of its columns
      dilationH  size = 1          distance of its rows
   ]],
   text = '({kT}x{kW}x{kH}, {dT},{dW},{dH}<, {padT},{padW},{padH}>, '
      .. '{dilationT},{dilationW},{dilationH})',
})
