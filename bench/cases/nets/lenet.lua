-- A training step of LeNet on the CPU.
local bench = require 'bench.harness'
local lenet = require 'bench.lenet'

local step = lenet.step(function(x)
   return x
end)

bench.case('LeNet training step b128, per image', function(n)
   for _ = 1, n do
      step()
   end
end, lenet.batch)
