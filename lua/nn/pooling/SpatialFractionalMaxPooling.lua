--- The maximum over windows of poolSizeW x poolSizeH that lie where random numbers put them.
--
-- Shapes: input N x C x H x W or C x H x W; output N x C x outH x outW, without N if it came so.
-- Instead of sizes there may be ratios below 1: outH = floor(ratioH H).
-- `indices` keeps where in its plane each maximum was.
--
-- Source: Graham, "Fractional max-pooling", 2014 (arXiv:1412.6071).
-- @classmod nn.SpatialFractionalMaxPooling
-- @usage nn.SpatialFractionalMaxPooling(2, 2, 10, 8)      -- to 8 x 10
-- nn.SpatialFractionalMaxPooling(2, 2, 0.7, 0.7)
-- @example
-- #nn.SpatialFractionalMaxPooling(2, 2, 5, 4):forward(torch.randn(2, 3, 9, 9)) --> { 2, 3, 4, 5 }

local nn = require 'nn'

local SpatialFractionalMaxPooling = nn.declare('nn.SpatialFractionalMaxPooling',
   'nn.FractionalMaxPooling', {
      arguments = [[
         poolSizeW  size    window width
         poolSizeH  size    window height
         (outW)     number  output width, or its ratio to the input's
         (outH)     number  output height, or its ratio to the input's
      ]],
      input = 'N? C H W',
      output = 'N? C oH oW',
   })

-- As in the constructor; `behind`: how many dimensions of the input come after it.
SpatialFractionalMaxPooling.directions = {
   { name = 'W', behind = 0 }, { name = 'H', behind = 1 },
}
