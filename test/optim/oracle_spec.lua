-- The optimisers against PyTorch's: oracle.lua has its numbers, oracle.py made them.

local torch = require 'torch'
local optim = require 'optim'
local numbers = require 'test.support.numbers'
local oracle = dofile 'test/optim/oracle.lua'
local objectives = dofile 'test/optim/objectives.lua'

-- Case -> optimiser, loss, and the options that mean the same here.
local cases = {
   sgd = { 'sgd', 'quadratic', { learningRate = 0.1 } },
   sgd_momentum = {
      'sgd',
      'quadratic',
      { learningRate = 0.1, momentum = 0.9, weightDecay = 0.01 }, -- dampening defaults to momentum
   },
   sgd_nesterov = {
      'sgd',
      'quadratic',
      { learningRate = 0.1, momentum = 0.9, dampening = 0, nesterov = true },
   },
   adam = { 'adam', 'rosenbrock', { learningRate = 0.1, epsilon = 0, weightDecay = 0.01 } },
   adam_amsgrad = { 'adam', 'rosenbrock', { learningRate = 0.1, epsilon = 0, amsgrad = true } },
   adamw = { 'adamw', 'rosenbrock', { learningRate = 0.1, weightDecay = 0.1 } },
   adamw_amsgrad = { 'adamw', 'rosenbrock', { learningRate = 0.1, amsgrad = true } },
   nadam = { 'nadam', 'rosenbrock', { learningRate = 0.1, weightDecay = 0.01 } },
   radam = { 'radam', 'rosenbrock', { learningRate = 0.001, weightDecay = 0.01 } },
   adafactor = {
      'adafactor', 'quadratic',
      { learningRate = 0.1, weightDecay = 0.01, shapes = { { 2, 3 }, { 2 } } },
   },
   adamax = { 'adamax', 'rosenbrock', { learningRate = 0.1 } },
   adagrad = { 'adagrad', 'rosenbrock', { learningRate = 0.1, learningRateDecay = 0.01 } },
   adadelta = { 'adadelta', 'rosenbrock', {} },
   rmsprop = { 'rmsprop', 'rosenbrock', {} },
   rprop = { 'rprop', 'rosenbrock', {} },
   asgd = { 'asgd', 'quadratic', { eta0 = 0.1, lambda = 0.01, t0 = 3 } },
   lbfgs = { 'lbfgs', 'rosenbrock', { learningRate = 0.5, maxIter = 4, nCorrection = 3 } },
}

describe('optim agrees with PyTorch:', function()
   for name, rows in pairs(oracle) do
      it(name, function()
         local case = assert(cases[name], 'no call here for ' .. name)
         local algorithm, opfunc, config = optim[case[1]], objectives[case[2]], case[3]
         local x, state = torch.Tensor(rows.start), {}
         local average
         local tolerance = 1e-10
         for _, row in ipairs(rows) do
            local same, losses, third = algorithm(opfunc, x, config, state)
            assert.equal(x, same)
            assert.near(row[1], losses[1], tolerance * math.max(1, row[1]))
            numbers.equal(row[2], x, tolerance)
            average = third
         end
         if rows.average then
            numbers.equal(rows.average, average, tolerance)
         end
      end)
   end

   it('has a case for every one here', function()
      for name in pairs(cases) do
         assert.is_not_nil(oracle[name], name)
      end
   end)
end)
