-- Nets on bytes on a CUDA device, forward, against the same layers in float and half: products,
-- convolutions and poolings that hand bytes on, with the steps from and to floats; and a large
-- layer with packed weights of 4 and 8 bits, for a few samples, where reading the weights is what
-- takes time.
local torch = require 'torch'
require 'cunn'
local nn = require 'nn'
local device = require 'bench.device'

local WIDTH = device.size(4096, 32)
local BATCH = device.size(64, 2)
local SIDE = device.size(56, 8)
local PLANES = device.size(128, 4)

local function forward(name, net, input)
   net:forward(input)
   device.case(name, function()
      net:forward(input)
   end)
end

local function each_type(name, net, ...)
   local input = torch.FloatTensor(...):uniform(-1, 1)
   net:float():evaluate()
   local bytes = nn.quantize(net, input:narrow(1, 1, 1)) -- calibrated on the host
   forward(name .. ', float', net:clone():cuda(), input:cuda())
   forward(name .. ', half', net:type 'torch.CudaHalfTensor', input:type 'torch.CudaHalfTensor')
   forward(name .. ', int8', bytes:cuda(), input:cuda())
end

local function conv()
   return nn.SpatialConvolution(PLANES, PLANES, 3, 3, 1, 1, 1, 1)
end

local mlp = nn.Sequential():add(nn.Linear(WIDTH, WIDTH)):add(nn.ReLU()):add(nn.Linear(WIDTH, WIDTH))
each_type('MLP 4096-4096-4096, 4096 rows', mlp, 64 * BATCH, WIDTH)
local plain = nn.Sequential():add(conv()):add(nn.ReLU()):add(conv()):add(nn.ReLU())
   :add(nn.SpatialMaxPooling(2, 2, 2, 2))
each_type('two convolutions and a pooling, 64 x 128 x 56 x 56', plain, BATCH, PLANES, SIDE, SIDE)
local residual = nn.Sequential():add(nn.ConcatTable():add(nn.Identity())
   :add(nn.Sequential():add(conv()):add(nn.ReLU()):add(conv()))):add(nn.CAddTable()):add(nn.ReLU())
each_type('residual block, 64 x 128 x 56 x 56', residual, BATCH, PLANES, SIDE, SIDE)

local layer = nn.Linear(WIDTH, WIDTH):float()
for _, rows in ipairs { 1, 8 } do
   local name = ('Linear 4096 x 4096, batch %d, '):format(rows)
   local input = torch.FloatTensor(rows, WIDTH):uniform(-1, 1)
   forward(name .. 'float', layer:clone():cuda(), input:cuda())
   for _, bits in ipairs { 4, 8 } do
      forward(('%s%d bits'):format(name, bits), nn.PackedLinear(layer, bits, 32):cuda(),
         input:cuda())
   end
   forward(name .. 'half', layer:clone():type 'torch.CudaHalfTensor',
      input:type 'torch.CudaHalfTensor')
end
