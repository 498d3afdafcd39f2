--- What layers of windows over images have in common; for layers to derive from.
--
-- Shapes: input N x C x H x W or C x H x W; output likewise with
-- oH = floor((H + 2 padH - kH) / dH) + 1 (`ceil` after `:ceil()`), and oW likewise.
-- @classmod nn.SpatialPooling

local nn = require 'nn'

nn.declare('nn.SpatialPooling', 'nn.Pooling', {
   input = 'N? C H W',
   output = 'N? C oH oW',
   text = '({kW}x{kH}, {dW},{dH}<, {padW},{padH}>)',
})
