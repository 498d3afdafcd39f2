-- Layers and criterions on a CUDA device, forward and backward, of float and half.
local cutorch = require 'cutorch'
local torch = require 'torch'
require 'cunn'
local nn = require 'nn'
local bench = require 'bench.harness'
local waited = require 'bench.device'

local FEW = cutorch.isSimulated() and 64 or 1

for _, kind in ipairs { { 'float', 'torch.CudaTensor' }, { 'half', 'torch.CudaHalfTensor' } } do
   local function random(rows, ...)
      return torch.CudaTensor(math.max(1, rows / FEW), ...):uniform(-1, 1):type(kind[2])
   end
   local function both(name, module, ...)
      module:type(kind[2])
      local x = random(...)
      local g = module:forward(x):clone()
      bench.case(('CUDA %s, forward, %s'):format(name, kind[1]), waited(function()
         module:forward(x)
      end))
      bench.case(('CUDA %s, backward, %s'):format(name, kind[1]), waited(function()
         module:updateGradInput(x, g)
      end))
   end
   both('SoftMax of 65536 x 100', nn.SoftMax(), 65536, 100)
   both('SoftMax of 4096 x 4096', nn.SoftMax(), 4096, 4096)
   both('LogSoftMax of 512 x 50000', nn.LogSoftMax(), 512, 50000)
   both('ReLU of 1e7', nn.ReLU(), 10000, 1000)
   local pooling = nn.SpatialMaxPooling(3, 3, 2, 2, 1, 1)
   both('max pooling of 64 x 64 x 112 x 112', pooling, 64, 64, 112, 112)
   local norm = nn.SpatialBatchNormalization(64):type(kind[2])
   local x = random(64, 64, 56, 56)
   local g = norm:forward(x):clone()
   local name = 'CUDA batch normalisation of 64 x 64 x 56 x 56, %s, ' .. kind[1]
   bench.case(name:format 'forward', waited(function()
      norm:forward(x)
   end))
   bench.case(name:format 'backward', waited(function()
      norm:backward(x, g)
   end))
end
