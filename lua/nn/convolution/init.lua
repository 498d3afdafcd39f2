-- A class follows the classes it is derived from.
require 'nn.convolution.SpatialConvolution'
require 'nn.convolution.SpatialFullConvolution'
