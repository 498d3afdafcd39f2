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

local function peak(name, shares, case)
   local net, criterion, input, target = case.make()
   if shares then
      net:shareGradInput()
   end
   local step = nets.step(net, criterion, input, target, optim.sgd,
      { learningRate = 1e-9, momentum = 0.9, dampening = 0 })
   collectgarbage()
   collectgarbage()
   th.C.TH_emptyCache()
   local before = resident 'VmRSS'
   local clear = assert(io.open('/proc/self/clear_refs', 'w'))
   clear:write '5' -- it starts anew
   clear:close()
   for _ = 1, 3 do
      step()
   end
   print(('%s\t%d\t%.6g'):format(name, torch.getnumthreads(), resident 'VmHWM' - before))
end

for case in nets.each() do
   for _, shares in ipairs { false, true } do
      local name = 'peak MiB, ' .. case.name .. ', training step'
         .. (shares and ', shareGradInput' or '')
      if bench.wanted(name) then
         peak(name, shares, case)
      end
   end
end
