--- The nets of the training and inference benchmarks, with their data: the same as bench/nets.py.
--
-- Each entry gives name, net, criterion, input and target.
local torch = require 'torch'
local nn = require 'nn'

local M = {}

local function images(...)
   return torch.FloatTensor(...):uniform()
end

local function classes(count, ...)
   return torch.FloatTensor(...):random(1, count)
end

-- The first layer with parameters: nobody asks for the gradient with respect to the data.
local function first(layer)
   layer.gradInput = nil
   return layer
end

local function mlp(sizes)
   local net = nn.Sequential():add(first(nn.Linear(sizes[1], sizes[2])))
   for i = 2, #sizes - 1 do
      net:add(nn.ReLU(true)):add(nn.Linear(sizes[i], sizes[i + 1]))
   end
   return net
end

local function lenet()
   return nn.Sequential()
      :add(first(nn.SpatialConvolution(1, 6, 5, 5, 1, 1, 2, 2)))
      :add(nn.Tanh())
      :add(nn.SpatialMaxPooling(2, 2, 2, 2))
      :add(nn.SpatialConvolution(6, 16, 5, 5))
      :add(nn.Tanh())
      :add(nn.SpatialMaxPooling(2, 2, 2, 2))
      :add(nn.View(-1):setNumInputDims(3))
      :add(nn.Linear(16 * 5 * 5, 120)):add(nn.Tanh())
      :add(nn.Linear(120, 84)):add(nn.Tanh())
      :add(nn.Linear(84, 10))
end

local function vgg()
   local net, planes = nn.Sequential(), 3
   for _, outputs in ipairs { 64, 64, 'pool', 128, 128, 'pool', 256, 256, 'pool' } do
      if outputs == 'pool' then
         net:add(nn.SpatialMaxPooling(2, 2, 2, 2))
      else
         local layer = nn.SpatialConvolution(planes, outputs, 3, 3, 1, 1, 1, 1)
         net:add(planes == 3 and first(layer) or layer):add(nn.ReLU(true))
         planes = outputs
      end
   end
   return net
      :add(nn.View(-1):setNumInputDims(3))
      :add(nn.Linear(256 * 4 * 4, 512)):add(nn.ReLU(true))
      :add(nn.Linear(512, 10))
end

local function convolution(planes, outputs, size, stride)
   local pad = math.floor(size / 2)
   return nn.Sequential()
      :add(nn.SpatialConvolution(planes, outputs, size, size, stride, stride, pad, pad):noBias())
      :add(nn.SpatialBatchNormalization(outputs))
end

local function residual(f, planes, outputs, stride)
   local straight = stride == 1 and planes == outputs and nn.Identity()
      or convolution(planes, outputs, 1, stride)
   return nn.Sequential()
      :add(nn.ConcatTable():add(f):add(straight))
      :add(nn.CAddTable(true)) -- sum and gradient in place, as in fb.resnet.torch
      :add(nn.ReLU(true))
end

local function basic(planes, outputs, stride)
   return residual(nn.Sequential()
      :add(convolution(planes, outputs, 3, stride)):add(nn.ReLU(true))
      :add(convolution(outputs, outputs, 3, 1)), planes, outputs, stride)
end

local function bottleneck(planes, outputs, stride)
   local inner = outputs / 4
   return residual(nn.Sequential()
      :add(convolution(planes, inner, 1, 1)):add(nn.ReLU(true))
      :add(convolution(inner, inner, 3, stride)):add(nn.ReLU(true))
      :add(convolution(inner, outputs, 1, 1)), planes, outputs, stride)
end

local function stages(net, block, planes, counts, outputs)
   for i, count in ipairs(counts) do
      for j = 1, count do
         net:add(block(planes, outputs[i], i > 1 and j == 1 and 2 or 1))
         planes = outputs[i]
      end
   end
   return net
end

-- He et al., CVPR 2016, section 4.2 with n = 3.
local function resnet20()
   local stem = convolution(3, 16, 3, 1)
   first(stem:get(1))
   local net = nn.Sequential():add(stem):add(nn.ReLU(true))
   return stages(net, basic, 16, { 3, 3, 3 }, { 16, 32, 64 })
      :add(nn.SpatialAveragePooling(8, 8))
      :add(nn.View(64):setNumInputDims(3)):add(nn.Linear(64, 10))
end

-- He et al., table 1: 18 and 50 layers.
local function resnet(block, counts, outputs)
   local stem = convolution(3, 64, 7, 2)
   first(stem:get(1))
   local net = nn.Sequential():add(stem):add(nn.ReLU(true))
      :add(nn.SpatialMaxPooling(3, 3, 2, 2, 1, 1))
   return stages(net, block, 64, counts, outputs)
      :add(nn.SpatialAveragePooling(7, 7))
      :add(nn.View(outputs[4]):setNumInputDims(3)):add(nn.Linear(outputs[4], 1000))
end

-- Two halvings and back, with the finer planes beside the coarser ones.
local function unet()
   local function double(planes, outputs)
      return nn.Sequential()
         :add(nn.SpatialConvolution(planes, outputs, 3, 3, 1, 1, 1, 1)):add(nn.ReLU(true))
         :add(nn.SpatialConvolution(outputs, outputs, 3, 3, 1, 1, 1, 1)):add(nn.ReLU(true))
   end
   local function around(planes, inner)
      return nn.Concat(2)
         :add(nn.Identity())
         :add(nn.Sequential()
            :add(nn.SpatialMaxPooling(2, 2, 2, 2))
            :add(inner)
            :add(nn.SpatialFullConvolution(2 * planes, planes, 2, 2, 2, 2)))
   end
   local middle = nn.Sequential()
      :add(double(64, 128))
   local second = nn.Sequential()
      :add(double(32, 64)):add(around(64, middle)):add(double(128, 64))
   local outer = double(1, 32)
   first(outer:get(1))
   return nn.Sequential()
      :add(outer):add(around(32, second)):add(double(64, 32))
      :add(nn.SpatialConvolution(32, 1, 1, 1))
end

local SYMBOLS = 65

local function lstm()
   return nn.Sequential()
      :add(nn.LookupTable(SYMBOLS, 128))
      :add(nn.LSTM(128, 128, 2, true, true))
      :add(nn.View(-1, 128)):add(nn.Linear(128, SYMBOLS))
end

local function transformer()
   return nn.Sequential()
      :add(nn.LookupTable(SYMBOLS, 128))
      :add(nn.LearnedPositions(128, 128))
      :add(nn.TransformerEncoder(4, 128, 4, 512, 0, true, true))
      :add(nn.View(-1, 128)):add(nn.Linear(128, SYMBOLS))
end

-- name, function that makes the net, size of the input (or symbols' positions), classes.
local NETS = {
   { 'LeNet 1x28x28 b%d', lenet, { 1, 28, 28 }, 10, 128 },
   { 'MLP 784-1024-1024-10 b%d', function()
      return mlp { 784, 1024, 1024, 10 }
   end, { 784 }, 10, 128 },
   { 'VGG-like 3x32x32 b%d', vgg, { 3, 32, 32 }, 10, 64 },
   { 'ResNet-20 3x32x32 b%d', resnet20, { 3, 32, 32 }, 10, 64 },
   { 'ResNet-18 3x224x224 b%d', function()
      return resnet(basic, { 2, 2, 2, 2 }, { 64, 128, 256, 512 })
   end, { 3, 224, 224 }, 1000, 8 },
   { 'ResNet-50 3x224x224 b%d', function()
      return resnet(bottleneck, { 3, 4, 6, 3 }, { 256, 512, 1024, 2048 })
   end, { 3, 224, 224 }, 1000, 4 },
   { 'U-Net-like 1x128x128 b%d', unet, { 1, 128, 128 }, nil, 4 },
   { 'LSTM 2x128 seq 50 b%d', lstm, { 50 }, SYMBOLS, 50 },
   { 'Transformer 4x128 seq 128 b%d', transformer, { 128 }, SYMBOLS, 32 },
}

--- @param batch number of samples; default what the net trains with
-- @return iterator over { name, net, criterion, input, target }
function M.each(batch)
   local i = 0
   return function()
      i = i + 1
      local row = NETS[i]
      if not row then
         return nil
      end
      local name, make, size, count = row[1], row[2], row[3], row[4]
      local n = batch or row[5]
      return {
         name = name:format(n),
         make = function()
            torch.manualSeed(1)
            local net = make():float()
            local symbols = count == SYMBOLS
            local input = symbols and classes(SYMBOLS, n, unpack(size))
               or images(n, unpack(size))
            if not count then
               return net, nn.MSECriterion():float(), input, images(n, unpack(size))
            end
            return net, nn.CrossEntropyCriterion():float(), input,
               symbols and classes(SYMBOLS, n * size[1]) or classes(count, n)
         end,
      }
   end
end

--- @return function that makes one step of training
function M.step(net, criterion, input, target, optimiser, config)
   local parameters, gradients = net:getParameters()
   local function feval()
      gradients:zero()
      local output = net:forward(input)
      local loss = criterion:forward(output, target)
      net:backward(input, criterion:backward(output, target))
      return loss, gradients
   end
   return function()
      optimiser(feval, parameters, config)
   end
end

return M
