--- th bench/turns/cases.lua THREADS: waits to be told 'CASE n' on a line, does the case n times,
-- and prints how many seconds that took, with one thread of processor time. bench/turns/run.py
-- asks, and does the same between two lines.
package.path = './?.lua;' .. package.path
local torch = require 'torch'
local nn = require 'nn'
local optim = require 'optim'
local clock = require 'torch.clock'
local nets = require 'bench.nets'

local threads = tonumber(arg[1]) or 1
torch.setnumthreads(threads)
torch.manualSeed(1)

local function now()
   if threads > 1 then
      return clock.wall()
   end
   local user, system = clock.cpu()
   return user + system
end

local COUNT, ROWS, COLUMNS = 10000000, 2500, 4000

local function vectors(Tensor)
   return Tensor(COUNT):uniform(-1, 1), Tensor(COUNT):fill(0)
end

-- Each makes its data when it is asked for first, and gives what is measured.
local CASES = {}

for name, Tensor in pairs { float = torch.FloatTensor, double = torch.DoubleTensor } do
   local function case(operation, make)
      CASES[operation .. ' ' .. name] = make
   end
   case('fill', function()
      local _, y = vectors(Tensor)
      return function() y:fill(1.5) end
   end)
   case('copy', function()
      local x, y = vectors(Tensor)
      return function() y:copy(x) end
   end)
   case('sum', function()
      local x = vectors(Tensor)
      return function() x:sum() end
   end)
   case('sum rows', function()
      local x, r = Tensor(ROWS, COLUMNS):uniform(-1, 1), Tensor(ROWS, 1)
      return function() torch.sum(r, x, 2) end
   end)
   case('add', function()
      local x, y = vectors(Tensor)
      local z = x:clone()
      return function() torch.add(y, x, z) end
   end)
   case('sigmoid', function()
      local x, y = vectors(Tensor)
      return function() torch.sigmoid(y, x) end
   end)
   case('rows by index', function()
      local x, r = Tensor(ROWS, COLUMNS):uniform(-1, 1), Tensor(ROWS, COLUMNS):fill(0)
      local order = torch.randperm(ROWS):long()
      return function() torch.index(r, x, 1, order) end
   end)
   case('short rows by index', function()
      local x, r = Tensor(COUNT / 64, 64):uniform(-1, 1), Tensor(COUNT / 64, 64):fill(0)
      local order = torch.randperm(COUNT / 64):long()
      return function() torch.index(r, x, 1, order) end
   end)
   case('convert from', function()
      local Other = Tensor == torch.FloatTensor and torch.DoubleTensor or torch.FloatTensor
      local x, y = Tensor(COUNT):uniform(-1, 1), Other(COUNT):fill(0)
      return function() y:copy(x) end
   end)
end

CASES['max pooling 3x3 stride 2, 32x64x112x112'] = function()
   local layer = nn.SpatialMaxPooling(3, 3, 2, 2, 1, 1):float()
   local x, g = torch.FloatTensor(32, 64, 112, 112):uniform(-1, 1),
      torch.FloatTensor(32, 64, 56, 56):uniform(-1, 1)
   return function()
      layer:forward(x)
      layer:backward(x, g)
   end
end

for net in nets.each() do
   CASES['step of ' .. net.name] = function()
      local model, criterion, input, target = net.make()
      return nets.step(model, criterion, input, target, optim.sgd,
         { learningRate = 1e-9, momentum = 0.9, dampening = 0 })
   end
end

local name, body
for line in io.lines() do
   local wanted, n = line:match '^(.-)\t(%d+)$'
   if wanted ~= name then
      name, body = wanted, CASES[wanted]()
      collectgarbage() -- the case before
   end
   local start = now()
   for _ = 1, tonumber(n) do
      body()
   end
   print(('%.9g'):format(now() - start))
   io.stdout:flush()
end
