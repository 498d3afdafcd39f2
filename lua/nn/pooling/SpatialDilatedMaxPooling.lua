--- The maximum over windows of kW x kH elements that lie `dilation` apart.
--
-- Shapes: input N x C x H x W or C x H x W; output likewise with
-- oH = floor((H + 2 padH - dilationH (kH - 1) - 1) / dH) + 1 (`ceil` after `:ceil()`), and oW
-- likewise. `indices` keeps where in its plane each maximum was.
-- @classmod nn.SpatialDilatedMaxPooling
-- @example
-- local y = nn.SpatialDilatedMaxPooling(2, 2, 1, 1, 0, 0, 2, 2):forward(torch.randn(2, 3, 6, 6))
-- #y --> { 2, 3, 4, 4 }

local nn = require 'nn'

nn.declare('nn.SpatialDilatedMaxPooling', 'nn.SpatialMaxPooling', {
   arguments = [[
      ...
      dilationW  size = 1          distance of a window's columns
      dilationH  size = dilationW  distance of its rows
   ]],
   text = '({kW}x{kH}, {dW},{dH}<, {padW},{padH}>, {dilationW},{dilationH})',
})
