-- Products of matrices and convolutions on a CUDA device: float with and without TF32, half and
-- bfloat16. Numbers are random: a device multiplies zeros faster.
local cutorch = require 'cutorch'
local torch = require 'torch'
require 'cunn'
local nn = require 'nn'
local bench = require 'bench.harness'
local waited = require 'bench.device'

local SIZE = cutorch.isSimulated() and 32 or 4096
local BATCH = cutorch.isSimulated() and 2 or 64
local SIDE = cutorch.isSimulated() and 8 or 56
local PLANES = cutorch.isSimulated() and 4 or 128

local kinds = {
   { 'float', 'CudaTensor' }, { 'float, tf32', 'CudaTensor', tf32 = true },
   { 'half', 'CudaHalfTensor' }, { 'bfloat16', 'CudaBFloat16Tensor' },
}

for _, kind in ipairs(kinds) do
   local T = torch[kind[2]]
   cutorch.setOptions { tf32 = kind.tf32 or false, benchmark = true }
   local function random(...)
      return torch.CudaTensor(...):uniform(-1, 1):type(T.__typename or ('torch.' .. kind[2]))
   end

   local a, b, c = random(SIZE, SIZE), random(SIZE, SIZE), random(SIZE, SIZE)
   bench.case('CUDA mm 4096, ' .. kind[1], waited(function()
      torch.mm(c, a, b)
   end))
   local left, right = random(256, 64, 64), random(256, 64, 64)
   local batched = random(256, 64, 64)
   bench.case('CUDA bmm 256 x 64, ' .. kind[1], waited(function()
      torch.bmm(batched, left, right)
   end))

   local conv = nn.SpatialConvolution(PLANES, PLANES, 3, 3, 1, 1, 1, 1):type('torch.' .. kind[2])
   local x = random(BATCH, PLANES, SIDE, SIDE)
   local g = random(BATCH, PLANES, SIDE, SIDE)
   conv:forward(x)
   bench.case('CUDA convolution 128 x 56 x 56 by 3 x 3, forward, ' .. kind[1], waited(function()
      conv:forward(x)
   end))
   bench.case('CUDA convolution 128 x 56 x 56 by 3 x 3, backward, ' .. kind[1], waited(function()
      conv:backward(x, g)
   end))
end
