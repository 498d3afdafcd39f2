--- nn.VolumetricConvolution with gaps in its kernel: elements lie dilationT planes, dilationW
-- columns and dilationH rows apart.
--
-- Shapes: as nn.VolumetricConvolution, with
-- oT = floor((T + 2 padT - dilationT (kT - 1) - 1) / dT) + 1, and oH, oW likewise.
-- @classmod nn.VolumetricDilatedConvolution
-- @example
-- local conv = nn.VolumetricDilatedConvolution(3, 8, 2, 3, 3, 1, 1, 1, 0, 0, 0, 1, 2, 2)
-- #conv:forward(torch.randn(2, 3, 5, 8, 8)) --> { 2, 8, 4, 4, 4 }

local nn = require 'nn'

nn.declare('nn.VolumetricDilatedConvolution', 'nn.VolumetricConvolution', {
   arguments = [[
      ...
      dilationT  size = 1  planes from one element of the kernel to the next
      dilationW  size = 1  columns
      dilationH  size = 1  rows
   ]],
   text = '({nInputPlane} -> {nOutputPlane}, {kT}x{kW}x{kH}<, {dT},{dW},{dH}>'
      .. '<, {padT},{padW},{padH}>, {dilationT},{dilationW},{dilationH}){no bias}',
})
