--- Mirrors an image at its border rows and columns, which are not repeated; negative padding crops.
-- Less than the image's size can be added.
--
-- Shapes: input N x C x H x W or C x H x W; output likewise with H + pad_t + pad_b and
-- W + pad_l + pad_r.
-- @classmod nn.SpatialReflectionPadding
-- @example
-- local y = nn.SpatialReflectionPadding(1, 1, 0, 0):forward(torch.range(1, 3):view(1, 1, 3))
-- y --> { { { 2, 1, 2, 3, 2 } } }

local nn = require 'nn'

local SpatialReflectionPadding = nn.declare('nn.SpatialReflectionPadding', 'nn.SpatialPadding', {
   arguments = '...',
})

SpatialReflectionPadding.operation = 'reflect_pad'
