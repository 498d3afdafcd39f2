local torch = require 'torch'
local optim = require 'optim'
local numbers = require 'test.support.numbers'
local objectives = dofile 'test/optim/objectives.lua'

describe('optim.cmaes', function()
   it('finds the bottom of Rosenbrock\'s valley without gradients', function()
      torch.manualSeed(1)
      local x = torch.Tensor { -1.2, 1 }
      local config = { ftarget = 1e-12, maxEval = 5000 }
      local _, losses, evaluations = optim.cmaes(objectives.rosenbrock, x, config)
      numbers.equal({ 1, 1 }, x, 1e-4)
      assert.near(24.2, losses[1], 1e-12)
      assert.is_true(losses[#losses] <= 1e-12)
      assert.is_true(evaluations < 5000)
   end)

   it('obeys its budget and returns the best point it saw', function()
      torch.manualSeed(2)
      local x, calls, best = torch.Tensor { 3, -2, 5 }, 0, math.huge
      optim.cmaes(function(y)
         calls = calls + 1
         local loss = objectives.quadratic(y)
         best = math.min(best, loss)
         return loss
      end, x, { maxEval = 40, popsize = 6 })
      assert.is_true(calls >= 40 and calls < 46)
      assert.near(best, objectives.quadratic(x), 1e-12)
   end)
end)

describe('optim.de', function()
   it('finds the bottom of Rosenbrock\'s valley without gradients', function()
      torch.manualSeed(1)
      local x, state = torch.Tensor { -1.2, 1 }, {}
      local _, losses, evaluations = optim.de(objectives.rosenbrock, x, { maxFEs = 4000 }, state)
      assert.equal(4000, evaluations)
      assert.equal(4000, #losses)
      numbers.equal({ 1, 1 }, x, 1e-3)
      for i = 2, #losses do
         assert.is_true(losses[i] <= losses[i - 1])
      end
      local before = losses[#losses]
      _, losses = optim.de(objectives.rosenbrock, x, { maxFEs = 200 }, state)
      assert.is_true(losses[#losses] <= before) -- the population lives on in the state
   end)

   it('refuses populations that are too small to mix', function()
      local _, err = pcall(function()
         optim.de(objectives.quadratic, torch.ones(2), { popsize = 3 })
      end)
      assert.matches('population_spec.*de: popsize must be at least 4, got 3', err)
   end)
end)
