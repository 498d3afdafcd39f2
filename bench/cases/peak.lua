-- The most memory that three steps of training take, beyond what the process had with the net's
-- parameters and its data made. Prints megabytes, not seconds.
local torch = require 'torch'
local optim = require 'optim'
local bench = require 'bench.harness'
local nets = require 'bench.nets'
local th = require 'torch.ffi'

local function resident(field) -- MiB
   for line in io.lines '/proc/self/status' do
      local kib = line:match('^' .. field .. ':%s+(%d+)')
      if kib then
         return tonumber(kib) / 1024
      end
   end
end

for case in nets.each() do
   local name = 'peak MiB, ' .. case.name .. ', training step'
   if bench.wanted(name) then
      local net, criterion, input, target = case.make()
      local step = nets.step(net, criterion, input, target, optim.sgd,
         { learningRate = 1e-9, momentum = 0.9, dampening = 0 })
      collectgarbage()
      collectgarbage()
      th.C.TH_emptyCache()
      local before = resident 'VmRSS'
      local peak = assert(io.open('/proc/self/clear_refs', 'w'))
      peak:write '5' -- it starts anew
      peak:close()
      for _ = 1, 3 do
         step()
      end
      print(('%s\t%d\t%.6g'):format(name, torch.getnumthreads(), resident 'VmHWM' - before))
   end
end
