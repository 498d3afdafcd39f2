--- LeNet as examples/fashion_mnist trains it, and one step of that training.
local torch = require 'torch'
local nn = require 'nn'
local optim = require 'optim'
local nets = require 'bench.nets'

local M = { batch = 128 } -- images of 28 x 28

--- @function move where things are to be: moves a module, criterion or FloatTensor there
-- @return function that makes one step
function M.step(move)
   torch.manualSeed(1)
   local model = move(nn.Sequential()
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
      :float())
   local criterion = move(nn.ClassNLLCriterion():float())
   local input = move(torch.FloatTensor(M.batch, 1, 28, 28):uniform())
   local target = move(torch.FloatTensor(M.batch):random(1, 10))
   return nets.step(model, criterion, input, target, optim.sgd,
      { learningRate = 0.01, momentum = 0.9, dampening = 0 })
end

return M
