-- A training step of LeNet on batches of 128 images of 28x28, as examples/fashion_mnist does it.
local torch = require 'torch'
local nn = require 'nn'
local optim = require 'optim'
local bench = require 'bench.harness'

torch.setdefaulttensortype 'torch.FloatTensor'
torch.manualSeed(1)

local BATCH = 128

local model = nn.Sequential()
   :add(nn.SpatialConvolution(1, 6, 5, 5, 1, 1, 2, 2))
   :add(nn.Tanh())
   :add(nn.SpatialMaxPooling(2, 2, 2, 2))
   :add(nn.SpatialConvolution(6, 16, 5, 5))
   :add(nn.Tanh())
   :add(nn.SpatialMaxPooling(2, 2, 2, 2))
   :add(nn.View(16 * 5 * 5))
   :add(nn.Linear(16 * 5 * 5, 120))
   :add(nn.Tanh())
   :add(nn.Linear(120, 84))
   :add(nn.Tanh())
   :add(nn.Linear(84, 10))
   :add(nn.LogSoftMax())
local criterion = nn.ClassNLLCriterion()
local parameters, gradParameters = model:getParameters()
local input = torch.rand(BATCH, 1, 28, 28)
local target = torch.LongTensor(BATCH):random(1, 10)
local config = { learningRate = 0.01, momentum = 0.9, dampening = 0 }

local function feval()
   gradParameters:zero()
   local output = model:forward(input)
   local loss = criterion:forward(output, target)
   model:backward(input, criterion:backward(output, target))
   return loss, gradParameters
end

bench.case('LeNet training step b128, per image', function(n)
   for _ = 1, n do
      optim.sgd(feval, parameters, config)
   end
end, { scale = BATCH })

torch.setdefaulttensortype 'torch.DoubleTensor'
