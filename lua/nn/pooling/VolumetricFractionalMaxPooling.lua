--- The maximum over windows of poolSizeT x poolSizeW x poolSizeH that lie where random numbers put
-- them.
--
-- Shapes: input N x C x H x W x T or C x H x W x T, time last; output likewise with outH, outW and
-- outT. Instead of sizes there may be ratios below 1: outH = floor(ratioH H).
-- `indices` keeps where in its volume each maximum was.
--
-- Source: Graham, "Fractional max-pooling", 2014 (arXiv:1412.6071).
-- @classmod nn.VolumetricFractionalMaxPooling
-- @usage nn.VolumetricFractionalMaxPooling(2, 2, 2, 0.7, 0.7, 0.7)
-- @example
-- local y = nn.VolumetricFractionalMaxPooling(2, 2, 2, 2, 3, 3):forward(torch.randn(2, 3, 5, 7, 7))
-- #y --> { 2, 3, 3, 3, 2 }

local nn = require 'nn'

local VolumetricFractionalMaxPooling = nn.declare('nn.VolumetricFractionalMaxPooling',
   'nn.FractionalMaxPooling', {
      arguments = [[
         poolSizeT  size    window length in time
         poolSizeW  size    window width
         poolSizeH  size    window height
         (outT)     number  output length, or its ratio to the input's
         (outW)     number  output width, or its ratio
         (outH)     number  output height, or its ratio
      ]],
      input = 'N? C H W T',
      output = 'N? C oH oW oT',
   })

VolumetricFractionalMaxPooling.directions = {
   { name = 'T', behind = 0 }, { name = 'W', behind = 1 }, { name = 'H', behind = 2 },
}
