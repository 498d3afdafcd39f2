-- A class follows the classes it is derived from.
require 'nn.pooling.SpatialPooling'
require 'nn.pooling.SpatialMaxPooling'
require 'nn.pooling.SpatialAveragePooling'
