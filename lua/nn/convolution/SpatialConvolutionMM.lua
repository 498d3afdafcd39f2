--- nn.SpatialConvolution with a weight of two dimensions, nOutputPlane x nInputPlane*kH*kW.
-- @classmod nn.SpatialConvolutionMM

local nn = require 'nn'

local Convolution = nn.declare('nn.SpatialConvolutionMM', 'nn.SpatialConvolution', {})

function Convolution:__initialize(planes, outputs, kW, kH)
   self:__addWeights({ outputs, planes * kH * kW }, { outputs })
end
