--- nn.SpatialDropout for planes of three dimensions: N x C x T x H x W, or C x T x H x W.
-- @classmod nn.VolumetricDropout
-- @example #nn.VolumetricDropout(0.3):forward(torch.randn(2, 3, 4, 4, 4)) --> { 2, 3, 4, 4, 4 }

local nn = require 'nn'

local VolumetricDropout = nn.declare('nn.VolumetricDropout', 'nn.SpatialDropout', {
   input = 'N? C T H W',
   output = 'N? C T H W',
})

VolumetricDropout.nPlaneDim = 3
