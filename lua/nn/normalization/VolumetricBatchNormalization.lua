--- nn.BatchNormalization over the planes of volumes, N x nOutput x T x H x W.
-- @classmod nn.VolumetricBatchNormalization
-- @example
-- #nn.VolumetricBatchNormalization(3):forward(torch.randn(2, 3, 4, 4, 4)) --> { 2, 3, 4, 4, 4 }

local nn = require 'nn'

local Layer = nn.declare('nn.VolumetricBatchNormalization', 'nn.BatchNormalization', {
   input = 'N? running_mean[1] T H W',
   output = 'N? running_mean[1] T H W',
})

Layer.nDim = 5
