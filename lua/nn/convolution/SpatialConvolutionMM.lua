--- nn.SpatialConvolution with a weight of two dimensions, nOutputPlane x nInputPlane*kH*kW.
-- @classmod nn.SpatialConvolutionMM
-- @example
-- #nn.SpatialConvolutionMM(3, 8, 5, 5):forward(torch.randn(2, 3, 28, 28)) --> { 2, 8, 24, 24 }

local nn = require 'nn'

local Convolution = nn.declare('nn.SpatialConvolutionMM', 'nn.SpatialConvolution', {})

function Convolution:__initialize(planes, outputs, kW, kH)
   self:__addWeights({ outputs, planes * kH * kW }, { outputs })
end
