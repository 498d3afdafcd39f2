local torch = require 'torch'
local optim = require 'optim'
local numbers = require 'test.support.numbers'
local objectives = dofile 'test/optim/objectives.lua'

describe('optim.lbfgs', function()
   it('finds the bottom of Rosenbrock\'s valley', function()
      local x = torch.Tensor { -1.2, 1 }
      local _, losses, evaluations = optim.lbfgs(objectives.rosenbrock, x, {
         maxIter = 100,
         learningRate = 1,
         lineSearch = optim.lswolfe,
      })
      numbers.equal({ 1, 1 }, x, 1e-4)
      assert.is_true(losses[#losses] < 1e-8)
      assert.near(24.2, losses[1], 1e-12)
      assert.is_true(evaluations < 100)
   end)

   it('records every evaluation without a line search, and obeys its limits', function()
      local calls = 0
      local function counted(x)
         calls = calls + 1
         return objectives.quadratic(x)
      end
      local config = { maxIter = 6, maxEval = 100, learningRate = 0.1 }
      local _, losses = optim.lbfgs(counted, torch.Tensor { 3, -2, 5 }, config)
      assert.equal(calls, #losses)
      assert.equal(6, calls)
      assert.equal(6, config.nIter)
      calls = 0
      config = { maxIter = 50, maxEval = 3, learningRate = 0.1 }
      optim.lbfgs(counted, torch.Tensor { 3, -2, 5 }, config)
      assert.equal(3, calls)
   end)

   it('stops where the gradient vanishes', function()
      local x = torch.ones(3)
      local _, losses = optim.lbfgs(objectives.quadratic, x)
      assert.same({ 0 }, losses)
   end)
end)

describe('optim.lswolfe', function()
   it('meets both Wolfe conditions', function()
      for _, first in ipairs { 1e-4, 0.01, 1 } do
         local x = torch.Tensor { -1.2, 1 }
         local f, g = objectives.rosenbrock(x)
         local d = g:clone():mul(-1)
         local start, slope = x:clone(), g:dot(d)
         local f2, g2, x2, t = optim.lswolfe(objectives.rosenbrock, x, first, d, f, g, slope)
         numbers.same(start + d * t, x2, 1e-12)
         assert.near(objectives.rosenbrock(x2), f2, 1e-12)
         assert.is_true(f2 <= f + 1e-4 * t * slope)
         assert.is_true(math.abs(g2:dot(d)) <= -0.9 * slope)
      end
   end)
end)

describe('optim.polyinterp', function()
   it('finds the minimum of a cubic from two points', function()
      -- f = x^3 - 3 x has its minimum at 1.
      local minimum = optim.polyinterp(torch.Tensor { { 0, 0, -3 }, { 2, 2, 9 } })
      assert.near(1, minimum, 1e-12)
      assert.near(1, optim.polyinterp { { 2, 2, 9 }, { 0, 0, -3 } }, 1e-12)
   end)

   it('stays within its bounds', function()
      assert.near(1.25, optim.polyinterp({ { 0, 0, -3 }, { 2, 2, 9 } }, 1.25, 2), 1e-12)
   end)
end)

describe('optim.cg', function()
   it('finds the bottom of Rosenbrock\'s valley', function()
      local x = torch.Tensor { -1.2, 1 }
      local _, losses = optim.cg(objectives.rosenbrock, x, { maxIter = 100, maxEval = 300 })
      numbers.equal({ 1, 1 }, x, 1e-4)
      for i = 2, #losses do
         assert.is_true(losses[i] <= losses[i - 1])
      end
   end)

   it('ends at an exact minimum, and where there are no numbers any more', function()
      for _, value in ipairs { 0, 0 / 0 } do
         local evaluations = 0
         local x = torch.zeros(2)
         optim.cg(function(p)
            evaluations = evaluations + 1
            assert(evaluations < 100)
            return evaluations == 1 and 0 or value, p * 2
         end, x, { maxIter = 3 })
         assert.same({ 0, 0 }, x:totable())
      end
   end)

   -- The losses of Torch7's cg, but for maxIter = 4 on the bowl: there it finds nothing.
   it('makes progress however few its iterations are', function()
      local wanted = {
         rosenbrock = { 6.6315397359235568, 6.6315397359235568, 6.6315397359235568,
            6.6315397359235568, 4.2245610758998868, 4.2245610758998868 },
         quadratic = { 1.6771653543307081, 1.6771653543307081, 1.6771653543307081,
            13.556201607012, 1.6771653543307081, 1.6771653543307081 },
      }
      for name, start in pairs { rosenbrock = { -1.2, 1 }, quadratic = { 3, -2, 5, 1 } } do
         for maxIter, loss in ipairs(wanted[name]) do
            local x = torch.Tensor(start)
            local _, losses = optim.cg(objectives[name], x, { maxIter = maxIter })
            assert.near(loss, losses[#losses], 1e-9)
            assert.near(losses[#losses], (objectives[name](x)), 1e-12)
         end
      end
   end)

   it('never leaves x worse than it found it', function()
      local x = torch.Tensor { 3, -2, 5, 1 }
      local before = objectives.quadratic(x)
      local _, _, evaluations = optim.cg(objectives.quadratic, x, { maxIter = 5, maxEval = 10 })
      assert.is_true(objectives.quadratic(x) < before)
      assert.is_true(evaluations <= 15)
   end)
end)

describe('optim.FistaLS', function()
   -- min of sum (x_i - b_i)^2 / 2 + lambda |x_i|: each x_i is b_i moved towards 0 by lambda.
   local b, lambda = torch.Tensor { 3, -0.2, 0.7, -2 }, 0.5
   local function f(x)
      local d = x - b
      return d:dot(d) / 2, d
   end
   local function g(x)
      return lambda * x:clone():abs():sum()
   end
   local function shrink(x, L)
      for i = 1, x:nElement() do
         local size = math.max(math.abs(x[i]) - lambda / L, 0)
         x[i] = x[i] < 0 and -size or size
      end
   end

   for _, momentum in ipairs { true, false } do
      it('solves an l1 problem ' .. (momentum and 'by FISTA' or 'by ISTA'), function()
         local x, history = optim.FistaLS(f, g, shrink, torch.zeros(4), {
            doFistaUpdate = momentum,
            errthres = 1e-12,
            maxiter = 200,
         })
         numbers.equal({ 2.5, 0, 0.2, -1.5 }, x, 1e-4)
         assert.is_true(history[#history].F <= history[1].F)
      end)
   end

   it('writes the last L into its parameters', function()
      local params = { L = 0.1 }
      local _, history = optim.FistaLS(f, g, shrink, torch.zeros(4), params)
      assert.is_true(params.L >= 1) -- the Lipschitz constant is 1
      assert.equal(history[#history].L, params.L)
      local _, again = optim.FistaLS(f, g, shrink, torch.zeros(4), params)
      assert.equal(1, again[1].nline)
   end)

   -- As the package unsup calls it, which halves L after each call.
   it('does not move where no L of its search will do, and goes on from the last', function()
      local function steep(x)
         return 5e5 * x:dot(x), x * 1e6
      end
      local function none()
         return 0
      end
      local x, params = torch.Tensor { 1, -2 }, { L = 0.1, maxiter = 1 }
      local _, history = optim.FistaLS(steep, none, function() end, x, params)
      numbers.equal({ 1, -2 }, x)
      assert.equal(2.5e6, history[1].F)
      assert.is_true(params.L > 100)
      params.maxiter = 50
      optim.FistaLS(steep, none, function() end, x, params)
      assert.is_true(x:norm() < 1e-3)
      assert.is_true(params.L >= 1e6 and params.L < 2e6)
   end)
end)
