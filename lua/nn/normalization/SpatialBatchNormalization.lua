--- nn.BatchNormalization over the planes of images, N x nOutput x H x W.
-- @classmod nn.SpatialBatchNormalization

local torch = require 'torch'
local nn = require 'nn'

local Layer = torch.class('nn.SpatialBatchNormalization', 'nn.BatchNormalization', nn)
Layer.__version = 2
Layer.nDim = 4
