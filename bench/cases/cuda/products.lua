-- Products of matrices and convolutions on a CUDA device: float with and without TF32, half and
-- bfloat16. Numbers are random: a device multiplies zeros faster.
local cutorch = require 'cutorch'
local torch = require 'torch'
require 'cunn'
local nn = require 'nn'
local device = require 'bench.device'

local SIZE = device.size(4096, 32)
local BATCH = device.size(64, 2)
local SIDE = device.size(56, 8)
local PLANES = device.size(128, 4)

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
   device.case('mm 4096, ' .. kind[1], function()
      torch.mm(c, a, b)
   end)
   local left, right = random(256, 64, 64), random(256, 64, 64)
   local batched = random(256, 64, 64)
   device.case('bmm 256 x 64, ' .. kind[1], function()
      torch.bmm(batched, left, right)
   end)

   local conv = nn.SpatialConvolution(PLANES, PLANES, 3, 3, 1, 1, 1, 1):type('torch.' .. kind[2])
   local x = random(BATCH, PLANES, SIDE, SIDE)
   device.both('convolution 128 x 56 x 56 by 3 x 3, %s, ' .. kind[1], conv, x)
end
