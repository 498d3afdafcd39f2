--- nn.SpatialConvolution with gaps in its kernel: elements lie dilationW columns and dilationH rows
-- apart. Also called à trous.
--
-- Shapes: as nn.SpatialConvolution, with
-- oH = floor((H + 2 padH - dilationH (kH - 1) - 1) / dH) + 1, and oW likewise. Yu and
-- Koltun, Multi-Scale Context Aggregation by Dilated Convolutions, 2016.
-- @classmod nn.SpatialDilatedConvolution
-- @example
-- local conv = nn.SpatialDilatedConvolution(3, 8, 3, 3, 1, 1, 0, 0, 2, 2)
-- #conv:forward(torch.randn(2, 3, 10, 10)) --> { 2, 8, 6, 6 }

local nn = require 'nn'

nn.declare('nn.SpatialDilatedConvolution', 'nn.SpatialConvolution', {
   arguments = [[
      ...
      dilationW  size = 1          columns from one element of the kernel to the next
      dilationH  size = dilationW  rows
   ]],
   text = '({nInputPlane} -> {nOutputPlane}, {kW}x{kH}<, {dW},{dH}><, {padW},{padH}>'
      .. ', {dilationW},{dilationH}){no bias}',
})
