-- Steps of training on a CUDA device: a small net, and optimisers alone over many parameters.
local cutorch = require 'cutorch'
local torch = require 'torch'
require 'cunn'
local optim = require 'optim'
local bench = require 'bench.harness'
local lenet = require 'bench.lenet'
local waited = require 'bench.device'

bench.case('CUDA LeNet training step b128, per image', waited(lenet.step(function(t)
   return t:cuda()
end)), lenet.batch)

local PARAMETERS = cutorch.isSimulated() and 1e4 or 25e6 -- of a ResNet-50
for _, method in ipairs { 'sgd', 'adam', 'rmsprop' } do
   local parameters = torch.CudaTensor(PARAMETERS):uniform(-1, 1)
   local gradients = torch.CudaTensor(PARAMETERS):uniform(-1, 1)
   local config = { learningRate = 1e-3, momentum = method == 'sgd' and 0.9 or nil, dampening = 0 }
   local function feval()
      return 0, gradients
   end
   bench.case(('CUDA %s step, 25e6 parameters'):format(method), waited(function()
      optim[method](feval, parameters, config)
   end))
end
