--- The transpose of a convolution over images (deconvolution): each input element is spread over a
-- window of the output. Its output is what the gradient of nn.SpatialConvolution's input is.
--
-- Shapes: input N x nInputPlane x H x W or nInputPlane x H x W; weight nInputPlane x nOutputPlane
-- x kH x kW; bias nOutputPlane; output N x nOutputPlane x oH x oW with
-- oH = (H - 1) dH - 2 padH + kH + adjH, and oW likewise. Weight and bias start uniform in
-- ±1/sqrt(kW kH nInputPlane).
--
-- The input may be a table { tensor, like }: then adjW and adjH are chosen so that the output has
-- the height and width of `like`.
-- @classmod nn.SpatialFullConvolution
-- @example
-- local y = nn.SpatialFullConvolution(3, 8, 4, 4, 2, 2, 1, 1):forward(torch.randn(2, 3, 7, 7))
-- #y --> { 2, 8, 14, 14 }

local nn = require 'nn'

local SpatialFullConvolution = nn.declare('nn.SpatialFullConvolution', 'nn.FullConvolution', {
   arguments = [[
      nInputPlane   size           planes in
      nOutputPlane  size           planes out
      kW            size           kernel width
      kH            size           kernel height
      dW            integer = 1    step to the right in the output
      dH            integer = 1    step down in the output
      padW          integer = 0    columns cut off left and right of the output
      padH          integer = padW rows cut off above and below
      adjW          integer = 0    columns added to the right of the output, fewer than dW
      adjH          integer = adjW rows added below, fewer than dH
   ]],
   text = '({nInputPlane} -> {nOutputPlane}, {kW}x{kH}<, {dW},{dH}><, {padW},{padH}>'
      .. '<, {adjW},{adjH}>){no bias}',
})

SpatialFullConvolution.__axes = require('nn.convolution.axes').image

function SpatialFullConvolution:__initialize(planes, outputs, kW, kH)
   self:__checkExtra()
   self:__addWeights({ planes, outputs, kH, kW }, { outputs })
end
