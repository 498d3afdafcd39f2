-- Jobs for a thread, and containers that threads share.
-- TDS names a folder with another tds to be measured instead (its libtds.so in it, tds/ beside).
local folder = os.getenv 'TDS'
if folder then
   package.path = ('%s/?.lua;%s/?/init.lua;'):format(folder, folder) .. package.path
   package.cpath = ('%s/?.so;'):format(folder) .. package.cpath
   package.preload.torch = error -- Torch7's tds would look for the functions of its tensors
end
local clock = require 'torch.clock'

local function median(times)
   table.sort(times)
   return times[math.ceil(#times / 2)]
end

local function say(label, seconds)
   print(('%s\t1\t%.6g'):format(label, seconds))
   io.stdout:flush()
end

-- --- jobs ----------------------------------------------------------------------------------------

local function jobs()
   local torch = require 'torch'
   local threads = require 'threads'
   threads.Threads.serialization 'threads.sharedserialize'
   local pool = threads.Threads(1)
   local x = torch.FloatTensor(25 * 2 ^ 20):fill(1) -- 100 MiB
   local there, back = {}, {}
   for round = 1, 2000 do
      local start, arrived = clock.now(), nil
      pool:addjob(function()
         return require('torch.clock').now(), x:size(1)
      end, function(time)
         arrived = time
      end)
      pool:dojob()
      there[round], back[round] = arrived - start, clock.now() - start
   end
   pool:terminate()
   say('a tensor of 100 MiB to a thread', median(there))
   say('a job, there and back', median(back))
end

-- --- tds -----------------------------------------------------------------------------------------

local N = 1000000

local function containers()
   local tds = require 'tds'
   local texts = {}
   for i = 1, N do
      texts[i] = 'key ' .. (i * 7919) % N
   end
   local function case(label, body)
      local times = {}
      for round = 0, 5 do -- the first one warms up
         collectgarbage()
         collectgarbage()
         local start = clock.now()
         body()
         times[round] = clock.now() - start
      end
      say(label .. ' of 10^6', median(times))
   end
   local hash
   case('tds.Hash, numbers stored', function()
      hash = tds.Hash()
      for i = 1, N do
         hash[(i * 7919) % N] = i
      end
   end)
   case('tds.Hash, numbers read', function()
      for i = 1, N do
         assert(hash[(i * 7919) % N] == i)
      end
   end)
   case('tds.Hash, texts stored', function()
      hash = tds.Hash()
      for i = 1, N do
         hash[texts[i]] = i
      end
   end)
   case('tds.Hash, texts read', function()
      for i = 1, N do
         assert(hash[texts[i]] == i)
      end
   end)
   local vec
   case('tds.Vec, numbers stored', function()
      vec = tds.Vec()
      for i = 1, N do
         vec[i] = i
      end
   end)
   case('tds.Vec, numbers read', function()
      for i = 1, N do
         assert(vec[i] == i)
      end
   end)
   -- A thousand texts, again and again: what Lua's own table of strings costs is the same for all.
   case('tds.Vec, texts stored', function()
      vec = tds.Vec()
      for i = 1, N do
         vec[i] = texts[i % 1000 + 1]
      end
   end)
   case('tds.Vec, texts read', function()
      for i = 1, N do
         assert(vec[i] == texts[i % 1000 + 1])
      end
   end)
end

if not folder then
   jobs()
end
containers()
