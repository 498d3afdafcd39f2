-- The most memory that three steps of training take, beyond what the process had with the net's
-- parameters and its data made. Prints megabytes, not seconds.
local torch = require 'torch'
local optim = require 'optim'
local train = require 'torch.train'
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

local function settings() -- a state of its own, too
   return { learningRate = 1e-9, momentum = 0.9, dampening = 0 }
end

-- Each gives a function of three steps.
local WAYS
WAYS = {
   { '', function(...)
      local step = nets.step(...)
      return function()
         for _ = 1, 3 do
            step()
         end
      end
   end },
   { ', shareGradInput', function(net, ...)
      return WAYS[1][2](net:shareGradInput(), ...)
   end },
   { ', train.Trainer', function(net, criterion, input, target)
      local left = 0
      local trainer = train.Trainer { model = net, criterion = criterion, log = false, steps = 3,
         optimizer = optim.sgd, options = settings(),
         data = function()
            left = 3
            return function()
               left = left - 1
               return left >= 0 and { input = input, target = target } or nil
            end
         end }
      return function()
         trainer:run()
      end
   end },
}

local function peak(name, way, case)
   local net, criterion, input, target = case.make()
   local steps = way(net, criterion, input, target, optim.sgd, settings())
   collectgarbage()
   collectgarbage()
   th.C.TH_emptyCache()
   local before = resident 'VmRSS'
   local clear = assert(io.open('/proc/self/clear_refs', 'w'))
   clear:write '5' -- it starts anew
   clear:close()
   steps()
   print(('%s\t%d\t%.6g'):format(name, torch.getnumthreads(), resident 'VmHWM' - before))
end

for case in nets.each() do
   for _, way in ipairs(WAYS) do
      local name = 'peak MiB, ' .. case.name .. ', training step' .. way[1]
      if bench.wanted(name) then
         peak(name, way[2], case)
      end
   end
end
