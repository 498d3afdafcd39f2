--- The transpose of a convolution over images in which some pairs of planes are connected: those of
-- the rows (from, to) of a table such as `nn.tables` makes.
--
-- Shapes: input N x nInputPlane x H x W, or without N, where nInputPlane and nOutputPlane are the
-- largest numbers of the table; weight rows x kH x kW; bias nOutputPlane; output N x nOutputPlane x
-- oH x oW with oH = (H - 1) dH + kH, and oW likewise.
-- @classmod nn.SpatialFullConvolutionMap
-- @example
-- local map = nn.tables.oneToOne(3)
-- #nn.SpatialFullConvolutionMap(map, 3, 3):forward(torch.randn(3, 6, 6)) --> { 3, 8, 8 }

local nn = require 'nn'

local Map = nn.declare('nn.SpatialFullConvolutionMap', 'nn.FullConvolution', {
   arguments = [[
      (conMatrix)  tensor      pairs of planes, in and out
      kW           size        kernel width
      kH           size        kernel height
      dW           integer = 1 step to the right in the output
      dH           integer = 1 step down in the output
   ]],
   text = '',
})

Map.__axes = require('nn.convolution.axes').image
Map.padW, Map.padH = 0, 0

function Map:__kernelSizes()
   return { self.nInputPlane, self.nOutputPlane, self.kH, self.kW }
end

require('nn.convolution.connections').install(Map, function(self, from, to)
   return (from - 1) * self.nOutputPlane + to - 1
end)
