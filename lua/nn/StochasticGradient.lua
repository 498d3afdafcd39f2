--- Training of a module, example by example.
--
-- Fields to set before `train`: learningRate (0.01); learningRateDecay (0), by which the rate is
-- learningRate / (1 + iteration * learningRateDecay); maxIteration (25) passes over the data, 0 or
-- less for no end; shuffleIndices (true), whether examples come in a random order; verbose (true);
-- hookExample(trainer, example), called after each example; hookIteration(trainer, iteration,
-- error), called after each pass.
-- @classmod nn.StochasticGradient
-- @usage
-- local trainer = nn.StochasticGradient(net, nn.MSECriterion())
-- trainer.learningRate = 0.1
-- trainer:train(dataset)
-- @example
-- local net, loss = nn.Linear(1, 1), nn.MSECriterion()
-- local data = { { torch.Tensor { 1 }, torch.Tensor { 2 } } }
-- function data:size() return #self end
-- local trainer = nn.StochasticGradient(net, loss)
-- trainer.maxIteration, trainer.learningRate, trainer.verbose = 50, 0.2, false
-- trainer:train(data)
-- math.abs(net:forward(data[1][1])[1] - 2) < 0.01 --> true

local torch = require 'torch'
local nn = require 'nn'

local StochasticGradient = torch.class('nn.StochasticGradient', nn)

--- @param module
-- @param criterion
function StochasticGradient:__init(module, criterion)
   self.learningRate = 0.01
   self.learningRateDecay = 0
   self.maxIteration = 25
   self.shuffleIndices = true
   self.module = module
   self.criterion = criterion
   self.verbose = true
end

-- One step; the loss before it.
local function learn(self, example, learningRate)
   local module, criterion, input, target = self.module, self.criterion, example[1], example[2]
   local loss = criterion:forward(module:forward(input), target)
   module:updateGradInput(input, criterion:updateGradInput(module.output, target))
   module:accUpdateGradParameters(input, criterion.gradInput, learningRate)
   if self.hookExample then
      self.hookExample(self, example)
   end
   return loss
end

local function say(self, text, ...)
   if self.verbose then
      print('# ' .. text:format(...))
   end
end

--- Train on a dataset.
-- @param dataset `dataset[i]` is { input, target }, `dataset:size()` the number of them
function StochasticGradient:train(dataset)
   local count, rate, iteration = dataset:size(), self.learningRate, 1
   local order = torch.randperm(count):totable()
   say(self, 'StochasticGradient: training')
   while true do
      local sum = 0
      for t = 1, count do
         sum = sum + learn(self, dataset[self.shuffleIndices and order[t] or t], rate)
      end
      local mean = sum / count
      if self.hookIteration then
         self.hookIteration(self, iteration, mean)
      end
      say(self, 'current error = %.14g', mean)
      iteration = iteration + 1
      rate = self.learningRate / (1 + iteration * self.learningRateDecay)
      if self.maxIteration > 0 and iteration > self.maxIteration then
         say(self, 'StochasticGradient: you have reached the maximum number of iterations')
         say(self, 'training error = %.14g', mean)
         return
      end
   end
end
