-- LeNet and ResNet-20 by distributed.DataParallel, each process with a batch of its own; with one
-- process, the same loop without it. Prints name, processes, seconds of a step: median and least.
local torch = require 'torch'
local clock = require 'torch.clock'
local distributed = require 'distributed'
local nets = require 'bench.nets'

torch.setnumthreads(1)
local SECONDS = tonumber(os.getenv 'SECONDS_EACH' or 5)
local rank, size = distributed.rank(), distributed.size()

local function seconds(f)
   local begun = clock.now()
   f()
   return clock.now() - begun
end

local function case(name, entry)
   local net, criterion, x, target = entry.make()
   local model = size > 1 and distributed.DataParallel(net) or net
   local parameters, gradients = model:getParameters()
   local function step()
      gradients:zero()
      criterion:forward(model:forward(x), target)
      model:backward(x, criterion:backward(model.output, target))
      parameters:add(-1e-9, gradients)
   end
   for _ = 1, 5 do
      step()
   end
   local times = {}
   -- All end after the same number of steps.
   local count = distributed.broadcastObject(math.max(10, math.floor(SECONDS / seconds(step))))
   for i = 1, count do
      times[i] = seconds(step)
   end
   table.sort(times)
   if rank == 1 then
      print(('%s\tours\t%d\t%.5g\t%.5g'):format(name, size, times[math.ceil(count / 2)], times[1]))
   end
end

for entry in nets.each() do
   local name = entry.name:match '^LeNet' or entry.name:match '^ResNet%-20'
   if name then
      case(name, entry)
   end
end
