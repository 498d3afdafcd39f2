-- Steps of training in bfloat16 beside those in float: the goals are PyTorch's autocast, and 1.3
-- times the speed of float, which the two lines of a net show.
local optim = require 'optim'
local train = require 'torch.train'
local bench = require 'bench.harness'
local nets = require 'bench.nets'

local SHOWN = { 'MLP', 'VGG', 'LSTM', 'Transformer' }

local function shown(name)
   for _, word in ipairs(SHOWN) do
      if name:find(word, 1, true) then
         return true
      end
   end
end

local function step(case, precision)
   local net, criterion, input, target = case.make()
   if precision then
      train.Precision(net, precision):attach()
   end
   return nets.step(net, criterion, input, target, optim.sgd,
      { learningRate = 1e-9, momentum = 0.9, dampening = 0 })
end

for case in nets.each() do
   if shown(case.name) and bench.wanted(case.name) then
      bench.by_turns {
         { case.name .. ', float step', step(case), 1.2 },
         { case.name .. ', bfloat16 step', step(case, 'bfloat16'), 1 },
      }
   end
end
