-- Layers and criterions on a CUDA device, forward and backward, of float and half.
local torch = require 'torch'
require 'cunn'
local nn = require 'nn'
local device = require 'bench.device'

local FEW = device.size(1, 64)

for _, kind in ipairs { { 'float', 'torch.CudaTensor' }, { 'half', 'torch.CudaHalfTensor' } } do
   local function both(name, module, backward, rows, ...)
      local x = torch.CudaTensor(math.max(1, rows / FEW), ...):uniform(-1, 1):type(kind[2])
      device.both(('%s, %%s, %s'):format(name, kind[1]), module:type(kind[2]), x, backward)
   end
   local input = 'updateGradInput'
   both('SoftMax of 65536 x 100', nn.SoftMax(), input, 65536, 100)
   both('SoftMax of 4096 x 4096', nn.SoftMax(), input, 4096, 4096)
   both('LogSoftMax of 512 x 50000', nn.LogSoftMax(), input, 512, 50000)
   both('ReLU of 1e7', nn.ReLU(), input, 10000, 1000)
   local pooling = nn.SpatialMaxPooling(3, 3, 2, 2, 1, 1)
   both('max pooling of 64 x 64 x 112 x 112', pooling, input, 64, 64, 112, 112)
   local norm = nn.SpatialBatchNormalization(64)
   both('batch normalisation of 64 x 64 x 56 x 56', norm, 'backward', 64, 64, 56, 56)
end
