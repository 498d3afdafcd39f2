local torch = require 'torch'
local nn = require 'nn'

local function dataset_of(list)
   function list.size()
      return #list
   end
   return list
end

-- Runs f, returns what it printed.
local function printed(f, ...)
   local lines, old = {}, print
   _G.print = function(line)
      lines[#lines + 1] = line
   end
   local ok, err = pcall(f, ...)
   _G.print = old
   assert(ok, err)
   return lines
end

describe('nn.StochasticGradient', function()
   -- y = w x with w = 1; the target is 0, the gradient by w is 2 w x^2.
   local function trainer_of()
      local net = nn.Linear(1, 1, false)
      net.weight:fill(1)
      local trainer = nn.StochasticGradient(net, nn.MSECriterion())
      trainer.verbose = false
      return trainer, net
   end
   local data = dataset_of { { torch.ones(1), torch.zeros(1) },
      { torch.ones(1) * 2, torch.zeros(1) } }

   it('steps after each example', function()
      local trainer, net = trainer_of()
      trainer.maxIteration, trainer.learningRate, trainer.shuffleIndices = 1, 0.125, false
      trainer:train(data)
      -- w = 1 - 0.125 * 2, then w - 0.125 * 2 w * 4 = 0
      assert.near(0, net.weight[1][1], 1e-15)
      assert.equal(0.125, trainer.learningRate)
   end)

   it('lets the rate decay, and calls the hooks', function()
      local trainer, net = trainer_of()
      local w, rate, errors, seen = 1, 0.01, {}, 0
      trainer.learningRateDecay, trainer.maxIteration, trainer.shuffleIndices = 0.5, 3, false
      function trainer.hookExample(self, example)
         assert.equal(trainer, self)
         assert.is_true(example == data[1] or example == data[2])
         seen = seen + 1
      end
      function trainer.hookIteration(_, iteration, mean)
         errors[iteration] = mean
      end
      trainer:train(data)
      assert.equal(6, seen)
      for i = 1, 3 do
         local sum = 0
         for x = 1, 2 do
            sum = sum + (w * x) ^ 2
            w = w - rate * 2 * w * x ^ 2
         end
         assert.near(sum / 2, errors[i], 1e-14)
         rate = 0.01 / (1 + (i + 1) * 0.5)
      end
      assert.near(w, net.weight[1][1], 1e-14)
   end)

   it('takes the examples in a random order, each once in a pass', function()
      local trainer, order = trainer_of(), {}
      local many = {}
      for i = 1, 20 do
         many[i] = { torch.ones(1) * i / 100, torch.zeros(1), i }
      end
      function trainer.hookExample(_, example)
         order[#order + 1] = example[3]
      end
      trainer.maxIteration = 1
      torch.manualSeed(1)
      trainer:train(dataset_of(many))
      torch.manualSeed(1)
      assert.same(torch.randperm(20):totable(), order)
   end)

   it('says how it is getting on', function()
      local trainer = trainer_of()
      trainer.verbose, trainer.maxIteration, trainer.learningRate = true, 2, 0
      assert.same({
         '# StochasticGradient: training', '# current error = 2.5', '# current error = 2.5',
         '# StochasticGradient: you have reached the maximum number of iterations',
         '# training error = 2.5',
      }, printed(trainer.train, trainer, data))
   end)

   it('has the defaults of scripts, and can be saved', function()
      local again = torch.deserialize(torch.serialize((trainer_of())))
      assert.equal(0.01, again.learningRate)
      assert.equal(0, again.learningRateDecay)
      assert.equal(25, again.maxIteration)
      assert.is_true(again.shuffleIndices)
      assert.equal('nn.MSECriterion', torch.type(again.criterion))
   end)
end)
