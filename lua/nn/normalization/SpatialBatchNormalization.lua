--- nn.BatchNormalization over the planes of images, N x nOutput x H x W.
-- @classmod nn.SpatialBatchNormalization
-- @example #nn.SpatialBatchNormalization(3):forward(torch.randn(2, 3, 4, 4)) --> { 2, 3, 4, 4 }

local nn = require 'nn'

local Layer = nn.declare('nn.SpatialBatchNormalization', 'nn.BatchNormalization', {
   input = 'N? running_mean[1] H W',
   output = 'N? running_mean[1] H W',
})

Layer.nDim = 4
