--- What the specs of a run compute on: `busted --run=cuda` must use CUDA tensors.
--
-- A spec file of that run that allocates no memory on a device is an error. With
-- TH_COUNT_OPERATIONS set, each file and test is listed with the number of calls of library
-- functions whose tensors were on a device, and of those whose tensors were all the CPU's:
--
--     TH_COUNT_OPERATIONS=1 THC_SIM_DEVICES=4 build/sim/bin/th $(command -v busted) --run=cuda
local cutorch = require 'cutorch'
local th = require 'torch.ffi'

local M = {}

local function deviceBlocks()
   local total = 0
   for device = 1, cutorch.getDeviceCount() do
      total = total + cutorch.memoryStatistics(device).blocks.total
   end
   return total
end

-- --- counting calls -----------------------------------------------------------------------------

local calls = { cpu = 0, cuda = 0 }

local function count()
   local info = debug.getinfo(2, 'Su')
   if not (info.source:match '/lua/' and info.what == 'Lua') then
      return
   end
   local where
   for i = 1, info.nparams do
      local _, value = debug.getlocal(2, i)
      if th.isTensor(value) then
         where = (value.device_type ~= 0 or where == 'cuda') and 'cuda' or 'cpu'
      end
   end
   if where then
      calls[where] = calls[where] + 1
   end
end

-- Compiled code calls no hooks.
local function countCalls()
   jit.off()
   jit.flush()
   debug.sethook(count, 'c')
end

local function since(before)
   return calls.cuda - before.cuda, calls.cpu - before.cpu
end

-- busted passes an event on to the next subscriber where one returns true as second.
local function on(busted, event, f)
   busted.subscribe(event, function(element)
      f(element)
      return nil, true
   end)
end

local function report(busted)
   local file, test
   on(busted, { 'file', 'start' }, function()
      file = { cpu = calls.cpu, cuda = calls.cuda }
   end)
   on(busted, { 'file', 'end' }, function(element)
      local cuda, cpu = since(file)
      print(('%8d cuda %8d cpu  %s'):format(cuda, cpu, element.name))
   end)
   on(busted, { 'test', 'start' }, function()
      test = { cpu = calls.cpu, cuda = calls.cuda }
      countCalls() -- a coroutine or another hook may have ended it
   end)
   on(busted, { 'test', 'end' }, function(element)
      local cuda, cpu = since(test)
      print(('%8d cuda %8d cpu     %s'):format(cuda, cpu, element.name))
   end)
end

--- Watch a run of busted.
function M.watch(busted)
   local before
   on(busted, { 'file', 'start' }, function()
      before = deviceBlocks()
   end)
   on(busted, { 'file', 'end' }, function(element)
      if deviceBlocks() == before then
         error(element.name .. ' made no CUDA tensor: it tests nothing in this run', 0)
      end
   end)
   if os.getenv 'TH_COUNT_OPERATIONS' then
      report(busted)
   end
end

return M
