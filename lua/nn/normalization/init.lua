-- A class follows the classes it is derived from.
require 'nn.normalization.BatchNormalization'
require 'nn.normalization.SpatialBatchNormalization'
require 'nn.normalization.VolumetricBatchNormalization'
