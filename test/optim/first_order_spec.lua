-- What the stored numbers of oracle_spec.lua leave open: first steps in closed form, options,
-- state.

local torch = require 'torch'
local optim = require 'optim'
local numbers = require 'test.support.numbers'
local objectives = dofile 'test/optim/objectives.lua'

local function constant_gradient(...)
   local gradient = torch.Tensor { ... }
   return function()
      return 7, gradient:clone()
   end
end

describe('optim.sgd', function()
   it('decays its rate and multiplies it by parameter', function()
      local x = torch.Tensor { 1, 1 }
      local config =
         { learningRate = 1, learningRateDecay = 1, learningRates = torch.Tensor { 1, 2 } }
      local opfunc = constant_gradient(0.5, 0.5)
      local _, losses = optim.sgd(opfunc, x, config)
      assert.same({ 7 }, losses)
      numbers.equal({ 0.5, 0 }, x)
      optim.sgd(opfunc, x, config) -- half the rate
      numbers.equal({ 0.25, -0.5 }, x)
      assert.equal(2, config.evalCounter) -- the state is kept in the config
   end)

   it('decays weights one by one', function()
      local x = torch.Tensor { 1, 2 }
      optim.sgd(constant_gradient(0, 0), x, {
         learningRate = 1,
         weightDecays = torch.Tensor { 0.5, 0.25 },
      })
      numbers.equal({ 0.5, 1.5 }, x)
   end)

   it('uses a separate state when it gets one', function()
      local config, state = { learningRate = 0.1, momentum = 0.5 }, {}
      optim.sgd(constant_gradient(1), torch.Tensor(1), config, state)
      assert.is_nil(config.dfdx)
      numbers.equal({ 1 }, state.dfdx)
   end)

   it('refuses nesterov without momentum, and wrong gradients', function()
      local x = torch.Tensor(2)
      local _, err = pcall(function()
         optim.sgd(constant_gradient(1, 1), x, { nesterov = true })
      end)
      assert.matches('first_order_spec.*sgd: nesterov needs momentum > 0 and dampening = 0', err)
      _, err = pcall(function() optim.sgd(constant_gradient(1, 1, 1), x) end)
      assert.matches('sgd: opfunc returned a gradient of 3 elements for x of 2', err)
      _, err = pcall(function() optim.sgd(function() return 1 end, x) end)
      assert.matches('sgd: opfunc returned nothing as gradient', err)
      _, err = pcall(function()
         optim.sgd(constant_gradient(1, 1), x, { weightDecay = 1, weightDecays = x })
      end)
      assert.matches('either weightDecay or weightDecays', err)
   end)
end)

describe('optim.adam', function()
   it('adds epsilon before it corrects the bias', function()
      -- t = 1: m = 0.1 g, v = 0.001 g^2; step = lr sqrt(0.001) / 0.1 * 0.1 g / (sqrt(0.001) g +
      -- eps).
      local x, lr, eps, g = torch.Tensor { 0 }, 0.5, 0.01, 2
      optim.adam(constant_gradient(g), x, { learningRate = lr, epsilon = eps })
      assert.near(-lr * math.sqrt(0.001) * g / (math.sqrt(0.001) * g + eps), x[1], 1e-14)
   end)

   it('decays its rate with the steps taken before', function()
      local x, config = torch.Tensor { 0 }, { learningRate = 1, learningRateDecay = 1, epsilon = 0 }
      optim.adam(constant_gradient(1), x, config)
      assert.near(-1, x[1], 1e-12)
      optim.adam(constant_gradient(1), x, config)
      assert.near(-1.5, x[1], 1e-12)
      assert.equal(2, config.t)
   end)
end)

describe('optim.nag', function()
   it('looks ahead: its y is what PyTorch-style Nesterov momentum calls x', function()
      local momentum = 0.9
      local x, y = torch.Tensor { 3, -2 }, torch.Tensor { 3, -2 }
      local nag_state, sgd_state = {}, {}
      for _ = 1, 6 do
         optim.nag(objectives.quadratic, x, { learningRate = 0.1, momentum = momentum }, nag_state)
         optim.sgd(objectives.quadratic, y,
            { learningRate = 0.1, momentum = momentum, dampening = 0, nesterov = true }, sgd_state)
         numbers.same(y, x + nag_state.dfdx * momentum, 1e-12)
      end
   end)

   it('refuses to run without momentum', function()
      local _, err = pcall(function()
         optim.nag(objectives.quadratic, torch.ones(2), { momentum = 0 })
      end)
      assert.matches('first_order_spec.*nag: momentum must be positive, got 0', err)
   end)
end)

describe('optim.rprop', function()
   it('grows its steps by 1.2 along a slope, and takes niter of them', function()
      local x = torch.Tensor { 10, -10 }
      local _, losses = optim.rprop(constant_gradient(3, -0.1), x, { stepsize = 1, niter = 3 })
      assert.equal(3, #losses)
      numbers.equal({ 10 - 1 - 1.2 - 1.44, -10 + 1 + 1.2 + 1.44 }, x, 1e-12)
   end)
end)

describe('optim.rmsprop', function()
   it('starts from initialMean', function()
      local x = torch.Tensor { 0 }
      local config = { learningRate = 1, alpha = 0.5, initialMean = 4, epsilon = 0 }
      optim.rmsprop(constant_gradient(2), x, config)
      assert.near(-1, x[1], 1e-14) -- 2 / sqrt(0.5 * 4 + 0.5 * 4)
   end)
end)

describe('optim.checkgrad', function()
   it('is small for a right gradient and large for a wrong one', function()
      local x = torch.Tensor { -1.2, 1 }
      local err, gradient, differences = optim.checkgrad(objectives.rosenbrock, x)
      assert.is_true(err < 1e-7)
      numbers.equal({ -215.6, -88 }, gradient, 1e-9)
      numbers.same(gradient, differences, 1e-4)
      numbers.equal({ -1.2, 1 }, x)
      err = optim.checkgrad(function(y)
         local f, g = objectives.rosenbrock(y)
         return f, g:mul(-1)
      end, x)
      assert.is_true(err > 1e6)
   end)
end)
