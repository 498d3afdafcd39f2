-- Steps of training, of nets as people train them on a CPU. The rate is next to nothing, so that
-- no case may end among denormal numbers.
local optim = require 'optim'
local bench = require 'bench.harness'
local nets = require 'bench.nets'

for case in nets.each() do
   local name = case.name .. ', training step'
   if bench.wanted(name) then
      local net, criterion, input, target = case.make()
      bench.case(name, bench.loop(nets.step(net, criterion, input, target, optim.sgd,
         { learningRate = 1e-9, momentum = 0.9, dampening = 0 })), 1, 1.2)
   end
end
