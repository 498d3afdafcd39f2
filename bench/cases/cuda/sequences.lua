-- The younger layers and operations on a CUDA device: row norms, attention, recurrent layers,
-- resampling, CTC; order and indexAdd. Of float.
local torch = require 'torch'
require 'cunn'
local nn = require 'nn'
local device = require 'bench.device'

local FEW = device.size(1, 64)

local function random(rows, ...)
   return torch.CudaTensor(math.max(2, rows / FEW), ...):uniform(-1, 1)
end

local function both(name, module, x)
   module:type 'torch.CudaTensor'
   device.both(name .. ', %s', module, x)
end

both('LayerNorm of 16384 x 1024', nn.LayerNorm(1024), random(16384, 1024))
both('RMSNorm of 16384 x 1024', nn.RMSNorm(1024), random(16384, 1024))
both('GroupNorm of 64 x 64 x 56 x 56', nn.GroupNorm(8, 64), random(64, 64, 56, 56))
local function head()
   return random(64, 8, 256, 64)
end
both('attention of 64 x 8 x 256 x 64', nn.ScaledDotProductAttention(), { head(), head(), head() })
both('LSTM of 100 x 64 x 256', nn.LSTM(256, 256), random(100, 64, 256))
both('GRU of 100 x 64 x 256', nn.GRU(256, 256), random(100, 64, 256))
both('bilinear enlarging of 32 x 64 x 56 x 56', nn.SpatialUpSamplingBilinear(2),
   random(32, 64, 56, 56))
both('nearest enlarging of 32 x 64 x 56 x 56', nn.SpatialUpSamplingNearest(2),
   random(32, 64, 56, 56))
both('reflection padding of 32 x 64 x 56 x 56', nn.SpatialReflectionPadding(2, 2, 2, 2),
   random(32, 64, 56, 56))

do
   local T, N, classes, length = 200, math.max(2, 64 / FEW), 64, 30
   local ctc = nn.CTCCriterion():type 'torch.CudaTensor'
   local x = torch.CudaTensor(T, N, classes):uniform(-1, 1)
   local labels = torch.LongTensor(N, length):random(2, classes):cudaLong()
   device.case('CTC of 200 x 64 x 64, both ways', function()
      ctc:forward(x, labels)
      ctc:backward(x, labels)
   end)
end

do
   local x = random(4096, 4096)
   local values, places = torch.CudaTensor(), torch.CudaLongTensor()
   device.case('sort of 4096 x 4096', function()
      torch.sort(values, places, x, 2)
   end)
   device.case('topk 10 of 4096 x 4096', function()
      torch.topk(values, places, x, 10, 2, true, true)
   end)
   device.case('median of 4096 x 4096', function()
      torch.median(values, places, x, 2)
   end)
   local rows = random(1e5, 256)
   local to = random(1e4, 256)
   local at = torch.LongTensor(rows:size(1)):random(to:size(1)):cudaLong()
   device.case('indexAdd of 1e5 x 256 to 1e4', function()
      to:indexAdd(1, at, rows)
   end)
end
