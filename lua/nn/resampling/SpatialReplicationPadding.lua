--- Adds the border's rows and columns again and again; negative padding crops.
--
-- Shapes: input N x C x H x W or C x H x W; output likewise with H + pad_t + pad_b and
-- W + pad_l + pad_r.
-- @classmod nn.SpatialReplicationPadding
-- @example
-- local y = nn.SpatialReplicationPadding(1, 1, 0, 0):forward(torch.range(1, 3):view(1, 1, 3))
-- y --> { { { 1, 1, 2, 3, 3 } } }

local nn = require 'nn'

local SpatialReplicationPadding = nn.declare('nn.SpatialReplicationPadding', 'nn.SpatialPadding', {
   arguments = '...',
})

SpatialReplicationPadding.operation = 'replicate_pad'
