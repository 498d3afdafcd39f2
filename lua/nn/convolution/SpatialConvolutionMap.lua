--- Convolution over images in which some pairs of planes are connected: those of the rows (from,
-- to) of a table such as `nn.tables` makes.
--
-- Shapes: input N x nInputPlane x H x W, or without N, where nInputPlane and nOutputPlane are the
-- largest numbers of the table; weight rows x kH x kW; bias nOutputPlane; output N x nOutputPlane x
-- oH x oW with oH = floor((H - kH) / dH) + 1, and oW likewise. LeCun et al., Gradient-Based
-- Learning Applied to Document Recognition, 1998.
-- @classmod nn.SpatialConvolutionMap
-- @example
-- local map = nn.tables.oneToOne(3)
-- #nn.SpatialConvolutionMap(map, 3, 3):forward(torch.randn(3, 6, 6)) --> { 3, 4, 4 }

local nn = require 'nn'

local Map = nn.declare('nn.SpatialConvolutionMap', 'nn.Convolution', {
   arguments = [[
      (conMatrix)  tensor      pairs of planes, in and out
      kW           size        kernel width
      kH           size        kernel height
      dW           integer = 1 step to the right
      dH           integer = 1 step down
   ]],
   input = 'N? nInputPlane H W',
   output = 'N? nOutputPlane oH oW',
   text = '',
})

Map.__axes = require('nn.convolution.axes').image
Map.padW, Map.padH = 0, 0

function Map:__kernelSizes()
   return { self.nOutputPlane, self.nInputPlane, self.kH, self.kW }
end

require('nn.convolution.connections').install(Map, function(self, from, to)
   return (to - 1) * self.nInputPlane + from - 1
end)
