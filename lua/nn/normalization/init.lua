-- A class follows the classes it is derived from.
require 'nn.normalization.BatchNormalization'
require 'nn.normalization.SpatialBatchNormalization'
require 'nn.normalization.VolumetricBatchNormalization'
require 'nn.normalization.SpatialCrossMapLRN'
require 'nn.normalization.SpatialSubtractiveNormalization'
require 'nn.normalization.SpatialDivisiveNormalization'
require 'nn.normalization.SpatialContrastiveNormalization'
