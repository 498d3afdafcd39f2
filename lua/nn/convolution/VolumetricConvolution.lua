--- Convolution over volumes, such as videos: time (or depth) is given first, then width and height.
--
-- Shapes: input N x nInputPlane x T x H x W, or without N; weight nOutputPlane x nInputPlane x kT x
-- kH x kW; bias nOutputPlane; output N x nOutputPlane x oT x oH x oW with
-- oT = floor((T + 2 padT - kT) / dT) + 1, and oH, oW likewise. Weight and bias start uniform in
-- ±1/sqrt(kT kW kH nInputPlane).
-- @classmod nn.VolumetricConvolution
-- @example
-- local y = nn.VolumetricConvolution(3, 8, 2, 3, 3):forward(torch.randn(2, 3, 5, 6, 6))
-- #y --> { 2, 8, 4, 4, 4 }

local nn = require 'nn'

local VolumetricConvolution = nn.declare('nn.VolumetricConvolution', 'nn.Convolution', {
   arguments = [[
      nInputPlane   size           planes in
      nOutputPlane  size           planes out
      kT            size           kernel depth
      kW            size           kernel width
      kH            size           kernel height
      dT            integer = 1    step in depth
      dW            integer = 1    step to the right
      dH            integer = 1    step down
      padT          integer = 0    zeros added in front and behind
      padW          integer = padT zeros added left and right
      padH          integer = padW zeros added above and below
   ]],
   input = 'N? nInputPlane T H W',
   output = 'N? nOutputPlane oT oH oW',
   text = '({nInputPlane} -> {nOutputPlane}, {kT}x{kW}x{kH}<, {dT},{dW},{dH}>'
      .. '<, {padT},{padW},{padH}>){no bias}',
})

VolumetricConvolution.__axes = require('nn.convolution.axes').volume

function VolumetricConvolution:__initialize(planes, outputs, kT, kW, kH)
   self:__addWeights({ outputs, planes, kT, kH, kW }, { outputs })
end

--- Early Torch7 saved no padding.
function VolumetricConvolution:__upgrade()
   self.padT, self.padW, self.padH = self.padT or 0, self.padW or 0, self.padH or 0
end
