-- A training step of a net so small that what surrounds the arithmetic counts: 32-64-64-4. The rate
-- is next to nothing, so that gradients stay as they are: no case may end among denormal numbers.
local torch = require 'torch'
local nn = require 'nn'
local optim = require 'optim'
local bench = require 'bench.harness'
local nets = require 'bench.nets'

local function step(batch, optimiser, config)
   torch.manualSeed(1)
   local net = nn.Sequential()
      :add(nn.Linear(32, 64)):add(nn.ReLU())
      :add(nn.Linear(64, 64)):add(nn.ReLU())
      :add(nn.Linear(64, 4)):float()
   local criterion = nn.MSECriterion():float()
   local x, t = torch.FloatTensor(batch, 32):uniform(), torch.FloatTensor(batch, 4):uniform()
   return nets.step(net, criterion, x, t, optimiser, config)
end

for _, batch in ipairs { 1, 32 } do
   local name = ('MLP 32-64-64-4 step b%d, '):format(batch)
   bench.case(name .. 'sgd', bench.loop(step(batch, optim.sgd, { learningRate = 1e-9 })))
   bench.case(name .. 'adam', bench.loop(step(batch, optim.adam, { learningRate = 1e-9 })))
end
