-- th test/gpu/kernels.lua NAME: the kernels of one operation, for a profiler. Inputs are made, and
-- kernels run, before the profiler is told to start (ncu --profile-from-start off).
local ffi = require 'ffi'
local torch = require 'torch'
local cutorch = require 'cutorch'
require 'cunn'
local nn = require 'nn'

local n = cutorch.isSimulated() and 1e4 or 1e8
local rows = n / 1e4

local function filled(value)
   return torch.CudaTensor(n):fill(value)
end

local function layer(module, ...)
   module:cuda()
   local input = torch.CudaTensor(...):uniform(-1, 1)
   return function()
      module:backward(input, module:forward(input))
   end
end

-- NAME -> a function that makes the operands and returns what runs the kernels.
local kernels = {}
function kernels.add()
   local r, x, y = filled(0), filled(1), filled(2)
   return function()
      r:add(x, y)
   end
end
function kernels.exp()
   local r, x = filled(0), filled(1)
   return function()
      r:exp(x)
   end
end
function kernels.transposed_copy()
   local r, turned = filled(0):view(rows, 1e4), filled(2):view(1e4, rows):t()
   return function()
      r:copy(turned)
   end
end
function kernels.sum_rows()
   local square, r = filled(1):view(rows, 1e4), torch.CudaTensor()
   return function()
      torch.sum(r, square, 2)
   end
end
function kernels.softmax()
   return layer(nn.SoftMax(), rows, 4096)
end
function kernels.batch_norm()
   return layer(nn.SpatialBatchNormalization(16), 8, 16, 28, 28)
end
function kernels.conv()
   return layer(nn.SpatialConvolution(16, 16, 3, 3), 8, 16, 28, 28)
end
function kernels.quantized_conv()
   local net = nn.Sequential():add(nn.SpatialConvolution(16, 16, 3, 3)):float()
   local input = torch.FloatTensor(8, 16, 28, 28):uniform(-1, 1)
   net, input = nn.quantize(net, input):cuda(), input:cuda()
   return function()
      net:forward(input)
   end
end
function kernels.packed_linear()
   local net = nn.PackedLinear(nn.Linear(1024, 1024):float(), 4, 32):cuda()
   local input = torch.CudaTensor(8, 1024):uniform(-1, 1)
   return function()
      net:forward(input)
   end
end

-- The driver's functions: which runtime a process has does not matter to them.
ffi.cdef 'int cuProfilerStart(void); int cuProfilerStop(void);'
local driver = not cutorch.isSimulated() and ffi.load 'libcuda.so.1'

local run = (kernels[arg[1]] or error 'th test/gpu/kernels.lua NAME')()
for _ = 1, 4 do
   run()
end
cutorch.synchronize()
if driver then
   driver.cuProfilerStart()
end
run()
cutorch.synchronize()
if driver then
   driver.cuProfilerStop()
end
