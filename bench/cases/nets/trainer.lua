-- What the Trainer adds to a loop written by hand: LeNet, batches of 128, the same batches and
-- steps. They take turns, each for an epoch; the figure of each is its best in processor time.
local torch = require 'torch'
local nn = require 'nn'
local optim = require 'optim'
local train = require 'torch.train'
local bench = require 'bench.harness'
local nets = require 'bench.nets'

local BATCH, STEPS, ROUNDS = 128, 40, os.getenv 'QUICK' and 3 or 25
local NAME = 'LeNet epoch of 40 steps b128, per step, '

local function net()
   for entry in nets.each(BATCH) do
      if entry.name:find '^LeNet' then
         return (entry.make())
      end
   end
end

local x = torch.FloatTensor(BATCH * STEPS, 1, 28, 28):uniform()
local t = torch.LongTensor(BATCH * STEPS):random(10)

local function batches()
   return train.Batches({ input = x, target = t }, { batchSize = BATCH })
end

local function bare()
   local model, criterion = net(), nn.CrossEntropyCriterion():float()
   local parameters, gradients = model:getParameters()
   local loader, config = batches(), { learningRate = 1e-9 }
   local batch
   local function feval()
      gradients:zero()
      local loss = criterion:forward(model:forward(batch.input), batch.target)
      model:backward(batch.input, criterion:backward(model.output, batch.target))
      return loss, gradients
   end
   return function(epoch)
      loader:setEpoch(epoch)
      for b in loader() do
         batch = b
         optim.sgd(feval, parameters, config)
      end
   end
end

local function trainer(settings)
   settings.model, settings.criterion = net(), nn.CrossEntropyCriterion():float()
   settings.optimizer, settings.options = 'sgd', { learningRate = 1e-9 }
   settings.data, settings.epochs = batches(), 1
   local made = train.Trainer(settings)
   return function(epoch)
      made.epochs = epoch
      made:run()
   end
end

local lines = {
   { 'loop by hand', bare() },
   { 'Trainer', trainer { log = false } },
   { 'Trainer, accuracy, clipping, console', trainer { clip = 100, metrics = { 'accuracy' },
      log = { console = false, train.Console { terminal = true, write = function() end } } } },
}
if bench.wanted(NAME) then
   for _, line in ipairs(lines) do
      line[2](1)
      line.best = math.huge
   end
   for round = 2, ROUNDS do
      for _, line in ipairs(lines) do
         collectgarbage()
         local start = os.clock()
         line[2](round)
         line.best = math.min(line.best, os.clock() - start)
      end
   end
   for _, line in ipairs(lines) do
      print(('%s%s\t%d\t%.6g\t'):format(NAME, line[1], torch.getnumthreads(), line.best / STEPS))
   end
end
