-- Steps of training on a CUDA device: a small net, and optimisers alone over many parameters.
local torch = require 'torch'
require 'cunn'
local optim = require 'optim'
local lenet = require 'bench.lenet'
local device = require 'bench.device'

device.case('LeNet training step b128, per image', lenet.step(function(t)
   return t:cuda()
end), lenet.batch)

local PARAMETERS = device.size(25e6, 1e4) -- of a ResNet-50
for _, method in ipairs { 'sgd', 'adam', 'rmsprop' } do
   local parameters = torch.CudaTensor(PARAMETERS):uniform(-1, 1)
   local gradients = torch.CudaTensor(PARAMETERS):uniform(-1, 1)
   local config = { learningRate = 1e-3, momentum = method == 'sgd' and 0.9 or nil, dampening = 0 }
   local function feval()
      return 0, gradients
   end
   device.case(('%s step, 25e6 parameters'):format(method), function()
      optim[method](feval, parameters, config)
   end)
end
