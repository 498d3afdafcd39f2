-- th test/gpu/kernels.lua NAME: the kernels of one operation, a few times over, for a profiler.
local torch = require 'torch'
require 'cunn'
local nn = require 'nn'

local n = require 'cutorch'.isSimulated() and 1e4 or 1e8
local x, y, r = torch.CudaTensor(n):fill(1), torch.CudaTensor(n):fill(2), torch.CudaTensor(n)
local rows = n / 1e4
local square, turned = x:view(rows, 1e4), y:view(1e4, rows):t()

local function layer(module, ...)
   module:cuda()
   local input = torch.CudaTensor(...):uniform(-1, 1)
   return function()
      module:backward(input, module:forward(input))
   end
end

local kernels = {
   add = function()
      r:add(x, y)
   end,
   exp = function()
      r:exp(x)
   end,
   transposed_copy = function()
      r:view(rows, 1e4):copy(turned)
   end,
   sum_rows = function()
      torch.sum(square, 2)
   end,
   softmax = layer(nn.SoftMax(), rows, 4096),
   batch_norm = layer(nn.SpatialBatchNormalization(16), 8, 16, 28, 28),
   conv = layer(nn.SpatialConvolution(16, 16, 3, 3), 8, 16, 28, 28),
}
local run = kernels[arg[1]] or error 'th test/gpu/kernels.lua NAME'
for _ = 1, 8 do
   run()
end
require 'cutorch'.synchronize()
