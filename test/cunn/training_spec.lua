-- Small convolutional nets trained on a device and on the CPU, from the same parameters on the same
-- batches: the losses must go the same way.
local cuda = require 'test.support.cuda'
if not cuda.available then
   return
end

local torch = require 'torch'
local nn = require 'nn'
local optim = require 'optim'
local cutorch = require 'cutorch'
local cudnn = require 'cudnn'

local CLASSES, STEPS = 4, 24

-- LeNet's layers, with fewer planes.
local function lenet()
   return nn.Sequential()
      :add(nn.SpatialConvolution(1, 4, 5, 5)):add(nn.ReLU(true)):add(nn.SpatialMaxPooling(2, 2))
      :add(nn.SpatialConvolution(4, 6, 3, 3)):add(nn.ReLU(true)):add(nn.SpatialMaxPooling(2, 2))
      :add(nn.View(6 * 3 * 3):setNumInputDims(3)):add(nn.Linear(54, 20)):add(nn.ReLU(true))
      :add(nn.Linear(20, CLASSES)):add(nn.LogSoftMax())
end

-- Windows that overlap, batch normalisation, means.
local function normalised()
   return nn.Sequential()
      :add(nn.SpatialConvolution(1, 4, 3, 3, 2, 2, 1, 1)):add(nn.SpatialBatchNormalization(4))
      :add(nn.ReLU(true)):add(nn.SpatialMaxPooling(3, 3, 2, 2, 1, 1))
      :add(nn.SpatialFullConvolution(4, 3, 3, 3)):add(nn.Tanh())
      :add(nn.SpatialAveragePooling(3, 3, 3, 3)):add(nn.View(12):setNumInputDims(3))
      :add(nn.Linear(12, CLASSES)):add(nn.LogSoftMax())
end

-- Each class has a bright corner of its own.
local function batches(image)
   torch.manualSeed(21)
   local result = {}
   for step = 1, STEPS do
      local x, t = torch.rand(8, 1, image, image):mul(0.5), torch.LongTensor(8)
      for i = 1, 8 do
         local class = torch.random(1, CLASSES)
         t[i] = class
         local top, left = class > 2 and image / 2 + 1 or 1, class % 2 * image / 2 + 1
         x[i][1]:narrow(1, top, image / 2):narrow(2, left, image / 2):add(0.5)
      end
      result[step] = { x = x, t = t }
   end
   return result
end

-- The losses of a few steps, and the parameters they lead to.
local function train(net, typename, data)
   net = net:clone():type(typename)
   local criterion = nn.ClassNLLCriterion():type(typename)
   local onDevice = typename:find 'Cuda' ~= nil
   local parameters, gradients = net:getParameters()
   local state, losses = { learningRate = 0.1, momentum = 0.9, dampening = 0 }, {}
   for step, batch in ipairs(data) do
      local x, t = batch.x:type(typename), onDevice and batch.t:cudaLong() or batch.t
      local _, loss = optim.sgd(function()
         gradients:zero()
         local value = criterion:forward(net:forward(x), t)
         net:backward(x, criterion:backward(net.output, t))
         return value, gradients
      end, parameters, state)
      losses[step] = loss[1]
   end
   return losses, parameters:double(), net
end

local NETS = { LeNet = { lenet, 20 }, ['a net with batch normalisation'] = { normalised, 16 } }
-- Rounding grows from step to step, in float to 3e-7 in these.
local TYPES = {
   { 'torch.FloatTensor', 'torch.CudaTensor', 1e-5 },
   { 'torch.DoubleTensor', 'torch.CudaDoubleTensor', 1e-12 },
}

describe('training on a device #cuda', function()
   after_each(function()
      cutorch.setOptions { cudnn = true }
   end)

   for name, case in pairs(NETS) do
      for _, types in ipairs(TYPES) do
         it(('of %s as %s goes as on the CPU'):format(name, types[2]), function()
            torch.manualSeed(5)
            local net, data = case[1](), batches(case[2])
            local expected, parameters = train(net, types[1], data)
            assert.is_true(expected[STEPS] < 0.1 * expected[1]) -- it learns
            for _, on in ipairs { true, false } do
               cutorch.setOptions { cudnn = on }
               local losses, got, trained = train(net, types[2], data)
               for step = 1, STEPS do
                  assert.near(expected[step], losses[step], types[3])
               end
               assert.is_true((parameters - got):abs():max() < 10 * types[3])
               -- What was learned there is known here.
               local x = data[1].x
               trained:evaluate()
               local there = trained:forward(x:type(types[2])):double()
               local here = trained:type(types[1]):forward(x:type(types[1])):double()
               assert.is_true((there - here):abs():max() < 10 * types[3])
            end
         end)
      end

      it(("of %s by cudnn's layers gives the same bits"):format(name), function()
         torch.manualSeed(5)
         local net, data = case[1](), batches(case[2])
         local _, first = train(net, 'torch.CudaTensor', data)
         local _, second = train(cudnn.convert(net, cudnn), 'torch.CudaTensor', data)
         assert.is_true(first:equal(second))
      end)
   end
end)
