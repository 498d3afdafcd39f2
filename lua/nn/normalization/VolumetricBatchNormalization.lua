--- nn.BatchNormalization over the planes of volumes, N x nOutput x T x H x W.
-- @classmod nn.VolumetricBatchNormalization

local torch = require 'torch'
local nn = require 'nn'

local Layer = torch.class('nn.VolumetricBatchNormalization', 'nn.BatchNormalization', nn)
Layer.__version = 2
Layer.nDim = 5
