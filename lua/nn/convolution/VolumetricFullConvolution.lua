--- The transpose of a convolution over volumes (deconvolution): its output is what the gradient of
-- nn.VolumetricConvolution's input is.
--
-- Shapes: input N x nInputPlane x T x H x W, or without N; weight nInputPlane x nOutputPlane x kT x
-- kH x kW; bias nOutputPlane; output N x nOutputPlane x oT x oH x oW with
-- oT = (T - 1) dT - 2 padT + kT + adjT, and oH, oW likewise. Weight and bias start uniform in
-- ±1/sqrt(kT kW kH nInputPlane).
--
-- The input may be a table { tensor, like }: then adjT, adjW and adjH are chosen so that the output
-- has the last three sizes of `like`.
-- @classmod nn.VolumetricFullConvolution
-- @example
-- local y = nn.VolumetricFullConvolution(3, 8, 2, 2, 2, 2, 2, 2):forward(torch.randn(3, 4, 5, 5))
-- #y --> { 8, 8, 10, 10 }

local nn = require 'nn'

local VolumetricFullConvolution = nn.declare('nn.VolumetricFullConvolution', 'nn.FullConvolution', {
   arguments = [[
      nInputPlane   size        planes in
      nOutputPlane  size        planes out
      kT            size        kernel depth
      kW            size        kernel width
      kH            size        kernel height
      dT            integer = 1 step in depth in the output
      dW            integer = 1 step to the right
      dH            integer = 1 step down
      padT          integer = 0 planes cut off in front of and behind the output
      padW          integer = 0 columns cut off left and right
      padH          integer = 0 rows cut off above and below
      adjT          integer = 0 planes added behind the output, fewer than dT
      adjW          integer = 0 columns added to the right, fewer than dW
      adjH          integer = 0 rows added below, fewer than dH
   ]],
   text = '({nInputPlane} -> {nOutputPlane}, {kT}x{kW}x{kH}<, {dT},{dW},{dH}>'
      .. '<, {padT},{padW},{padH}><, {adjT},{adjW},{adjH}>){no bias}',
})

VolumetricFullConvolution.__axes = require('nn.convolution.axes').volume

function VolumetricFullConvolution:__initialize(planes, outputs, kT, kW, kH)
   self:__checkExtra()
   self:__addWeights({ planes, outputs, kT, kH, kW }, { outputs })
end
