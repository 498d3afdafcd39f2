-- Every optimiser that takes a step at a time against its paper's formula in plain numbers, and
-- what a step does beside them: types, strides, threads, gradients, states.

local torch = require 'torch'
local optim = require 'optim'
local raises = require 'test.support.raises'

local sqrt, abs, max, min = math.sqrt, math.abs, math.max, math.min

local function sign(x) return x > 0 and 1 or x < 0 and -1 or 0 end

-- name -> options, and a function of one weight: step(x, g, t, s) -> x, with s its memory.
local scalar = {
   sgd = { { learningRate = 0.1, weightDecay = 0.01, learningRateDecay = 0.1 },
      function(x, g, t) return x - 0.1 / (1 + (t - 1) * 0.1) * (g + 0.01 * x) end },
   ['sgd with momentum'] = { { learningRate = 0.1, momentum = 0.9, weightDecay = 0.01 },
      function(x, g, t, s)
         g = g + 0.01 * x
         s.v = t == 1 and g or 0.9 * s.v + (1 - 0.9) * g
         return x - 0.1 * s.v
      end },
   ['sgd with nesterov'] = {
      { learningRate = 0.1, momentum = 0.9, dampening = 0, nesterov = true },
      function(x, g, t, s)
         s.v = t == 1 and g or 0.9 * s.v + g
         return x - 0.1 * (g + 0.9 * s.v)
      end },
   nag = { { learningRate = 0.1, momentum = 0.8, weightDecay = 0.01, learningRateDecay = 0.1 },
      function(x, g, t, s)
         local rate, v = 0.1 / (1 + (t - 1) * 0.1), s.v or 0
         local y = x + 0.8 * v
         g = g + 0.01 * y
         s.v = 0.8 * v - rate * g
         return y - rate * g
      end },
   adagrad = { { learningRate = 0.1 },
      function(x, g, _, s)
         s.sum = (s.sum or 0) + g * g
         return x - 0.1 * g / (sqrt(s.sum) + 1e-10)
      end },
   rmsprop = { { learningRate = 0.1, alpha = 0.9, weightDecay = 0.01 },
      function(x, g, _, s)
         g = g + 0.01 * x
         s.m = 0.9 * (s.m or 0) + 0.1 * g * g
         return x - 0.1 * g / (sqrt(s.m) + 1e-8)
      end },
   adadelta = { { weightDecay = 0.01 },
      function(x, g, _, s)
         g = g + 0.01 * x
         s.g2 = 0.9 * (s.g2 or 0) + 0.1 * g * g
         local step = sqrt((s.x2 or 0) + 1e-6) / sqrt(s.g2 + 1e-6) * g
         s.x2 = 0.9 * (s.x2 or 0) + 0.1 * step * step
         return x - step
      end },
   adam = { { learningRate = 0.1, weightDecay = 0.01, epsilon = 0.01 },
      function(x, g, t, s)
         g = g + 0.01 * x
         s.m = 0.9 * (s.m or 0) + (1 - 0.9) * g
         s.v = 0.999 * (s.v or 0) + (1 - 0.999) * g * g
         return x - 0.1 * sqrt(1 - 0.999 ^ t) / (1 - 0.9 ^ t) * s.m / (sqrt(s.v) + 0.01)
      end },
   ['adam with betas'] = { { learningRate = 0.1, beta1 = 0.6, beta2 = 0.95 },
      function(x, g, t, s)
         s.m = 0.6 * (s.m or 0) + (1 - 0.6) * g
         s.v = 0.95 * (s.v or 0) + (1 - 0.95) * g * g
         return x - 0.1 * sqrt(1 - 0.95 ^ t) / (1 - 0.6 ^ t) * s.m / (sqrt(s.v) + 1e-8)
      end },
   ['adam with amsgrad'] = { { learningRate = 0.1, beta2 = 0.5, amsgrad = true },
      function(x, g, t, s)
         s.m = 0.9 * (s.m or 0) + (1 - 0.9) * g
         s.v = 0.5 * (s.v or 0) + 0.5 * g * g
         s.top = max(s.top or 0, s.v)
         return x - 0.1 * sqrt(1 - 0.5 ^ t) / (1 - 0.9 ^ t) * s.m / (sqrt(s.top) + 1e-8)
      end },
   adamw = { { learningRate = 0.1, weightDecay = 0.5, epsilon = 0.01 },
      function(x, g, t, s)
         s.m = 0.9 * (s.m or 0) + (1 - 0.9) * g
         s.v = 0.999 * (s.v or 0) + (1 - 0.999) * g * g
         local mhat, vhat = s.m / (1 - 0.9 ^ t), s.v / (1 - 0.999 ^ t)
         return x - 0.1 * (mhat / (sqrt(vhat) + 0.01) + 0.5 * x)
      end },
   ['adamw with betas'] = {
      { learningRate = 0.1, beta1 = 0.6, beta2 = 0.95, weightDecay = 0.2, epsilon = 0.02 },
      function(x, g, t, s)
         s.m = 0.6 * (s.m or 0) + (1 - 0.6) * g
         s.v = 0.95 * (s.v or 0) + (1 - 0.95) * g * g
         local mhat, vhat = s.m / (1 - 0.6 ^ t), s.v / (1 - 0.95 ^ t)
         return x - 0.1 * (mhat / (sqrt(vhat) + 0.02) + 0.2 * x)
      end },
   ['adamax with betas'] = { { learningRate = 0.1, beta1 = 0.6, beta2 = 0.7, epsilon = 0.03 },
      function(x, g, t, s)
         s.m = 0.6 * (s.m or 0) + (1 - 0.6) * g
         s.u = max(0.7 * (s.u or 0), abs(g) + 0.03)
         return x - 0.1 / (1 - 0.6 ^ t) * s.m / s.u
      end },
   ['adamax with weightDecay'] = { { learningRate = 0.1, weightDecay = 0.2 },
      function(x, g, t, s)
         g = g + 0.2 * x
         s.m = 0.9 * (s.m or 0) + (1 - 0.9) * g
         s.u = max(0.999 * (s.u or 0), abs(g) + 1e-38)
         return x - 0.1 / (1 - 0.9 ^ t) * s.m / s.u
      end },
   ['nadam with betas'] = {
      { learningRate = 0.1, beta1 = 0.6, beta2 = 0.95, momentumDecay = 0.5, epsilon = 0.02 },
      function(x, g, t, s)
         local function mu(n) return 0.6 * (1 - 0.5 * 0.96 ^ (n * 0.5)) end
         s.product = (s.product or 1) * mu(t)
         s.m = 0.6 * (s.m or 0) + (1 - 0.6) * g
         s.v = 0.95 * (s.v or 0) + (1 - 0.95) * g * g
         local mbar = mu(t + 1) * s.m / (1 - s.product * mu(t + 1))
            + (1 - mu(t)) * g / (1 - s.product)
         return x - 0.1 * mbar / (sqrt(s.v / (1 - 0.95 ^ t)) + 0.02)
      end },
   adamax = { { learningRate = 0.1 },
      function(x, g, t, s)
         s.m = 0.9 * (s.m or 0) + (1 - 0.9) * g
         s.u = max(0.999 * (s.u or 0), abs(g) + 1e-38)
         return x - 0.1 / (1 - 0.9 ^ t) * s.m / s.u
      end },
   nadam = { { learningRate = 0.1, epsilon = 0.01, weightDecay = 0.01 },
      function(x, g, t, s)
         local function mu(n) return 0.9 * (1 - 0.5 * 0.96 ^ (n * 0.004)) end
         g = g + 0.01 * x
         s.product = (s.product or 1) * mu(t)
         s.m = 0.9 * (s.m or 0) + (1 - 0.9) * g
         s.v = 0.999 * (s.v or 0) + (1 - 0.999) * g * g
         local mbar = mu(t + 1) * s.m / (1 - s.product * mu(t + 1))
            + (1 - mu(t)) * g / (1 - s.product)
         return x - 0.1 * mbar / (sqrt(s.v / (1 - 0.999 ^ t)) + 0.01)
      end },
   radam = { { learningRate = 0.1, beta2 = 0.99 },
      function(x, g, t, s)
         s.m = 0.9 * (s.m or 0) + (1 - 0.9) * g
         s.v = 0.99 * (s.v or 0) + (1 - 0.99) * g * g
         local mhat, most = s.m / (1 - 0.9 ^ t), 2 / (1 - 0.99) - 1
         local rho = most - 2 * t * 0.99 ^ t / (1 - 0.99 ^ t)
         if rho <= 5 then
            return x - 0.1 * mhat
         end
         local r = sqrt((rho - 4) * (rho - 2) * most / ((most - 4) * (most - 2) * rho))
         return x - 0.1 * r * mhat * sqrt(1 - 0.99 ^ t) / (sqrt(s.v) + 1e-8)
      end },
   ['radam with betas'] = { { learningRate = 0.1, beta1 = 0.6, beta2 = 0.9, epsilon = 0.02,
      weightDecay = 0.01 },
      function(x, g, t, s)
         g = g + 0.01 * x
         s.m = 0.6 * (s.m or 0) + (1 - 0.6) * g
         s.v = 0.9 * (s.v or 0) + (1 - 0.9) * g * g
         local mhat, most = s.m / (1 - 0.6 ^ t), 2 / (1 - 0.9) - 1
         local rho = most - 2 * t * 0.9 ^ t / (1 - 0.9 ^ t)
         if rho <= 5 then
            return x - 0.1 * mhat
         end
         local r = sqrt((rho - 4) * (rho - 2) * most / ((most - 4) * (most - 2) * rho))
         return x - 0.1 * r * mhat * sqrt(1 - 0.9 ^ t) / (sqrt(s.v) + 0.02)
      end },
   ['lion with betas'] = { { learningRate = 0.1, beta1 = 0.3, beta2 = 0.6 },
      function(x, g, _, s)
         local m = s.m or 0
         s.m = 0.6 * m + (1 - 0.6) * g
         return x - 0.1 * sign(0.3 * m + (1 - 0.3) * g)
      end },
   lion = { { learningRate = 0.1, weightDecay = 0.5 },
      function(x, g, _, s)
         local m = s.m or 0
         s.m = 0.99 * m + (1 - 0.99) * g
         return x - 0.1 * (sign(0.9 * m + (1 - 0.9) * g) + 0.5 * x)
      end },
   rprop = { { stepsize = 0.1, stepsizemax = 0.13 },
      function(x, g, _, s)
         local turned = g * (s.g or 0)
         s.size = min(max((s.size or 0.1) * (turned > 0 and 1.2 or turned < 0 and 0.5 or 1), 1e-6),
            0.13)
         s.g = turned < 0 and 0 or g
         return x - s.size * sign(s.g)
      end },
}

scalar['rprop with factors'] = {
   { stepsize = 0.1, etaplus = 1.5, etaminus = 0.3, stepsizemin = 0.06 },
   function(x, g, _, s)
      local turned = g * (s.g or 0)
      s.size = min(max((s.size or 0.1) * (turned > 0 and 1.5 or turned < 0 and 0.3 or 1), 0.06), 50)
      s.g = turned < 0 and 0 or g
      return x - s.size * sign(s.g)
   end,
}

-- Gradients that change their sign now and then, and are 0 once.
local function gradient(i, t)
   return (i + t) % 7 == 0 and 0 or math.sin(i * 1.7 + t * t * 0.3) * i / 3
end

local function gradients(x, t)
   local g = {}
   for i = 1, x:nElement() do
      g[i] = gradient(i, t)
   end
   return x.new(torch.LongStorage { #g }):copy(torch.DoubleTensor(g)):viewAs(x)
end

local STEPS = 12

local function algorithm(name) return optim[name:match '^%w+'] end

-- The weights that a scalar optimiser ends with.
local function expected(name, n)
   local step, x = scalar[name][2], {}
   for i = 1, n do
      local memory, weight = {}, i / 4 - 1
      for t = 1, STEPS do
         weight = step(weight, gradient(i, t), t, memory)
      end
      x[i] = weight
   end
   return x
end

local function start(x)
   return x:copy(torch.range(1, x:nElement()):div(4):add(-1))
end

local function run(name, x, gaps)
   local state, t = {}, 0
   start(x)
   for _ = 1, STEPS do
      t = t + 1
      algorithm(name)(function(p)
         local g = gradients(torch.DoubleTensor():resize(p:size()), t):type(torch.type(p))
         if gaps then
            g = torch.repeatTensor(g:contiguous():view(-1, 1), 1, 2):select(2, 2):viewAs(p)
         end
         return 0, g
      end, x, scalar[name][1], state)
   end
   return x, state
end

local function near(wanted, x, tolerance, name)
   for i, value in ipairs(x:contiguous():view(-1):totable()) do
      local room = tolerance * max(1, abs(wanted[i]))
      assert.is_true(abs(value - wanted[i]) <= room,
         ('%s: weight %d is %.17g, by the formula %.17g'):format(name, i, value, wanted[i]))
   end
end

describe('a step by the formula of', function()
   for name in pairs(scalar) do
      it(name, function()
         for _, n in ipairs { 1, 5, 16, 37 } do
            local wanted = expected(name, n)
            near(wanted, run(name, torch.DoubleTensor(n)), 1e-12, name .. ' in double')
            near(wanted, run(name, torch.FloatTensor(n)), 2e-5, name .. ' in float')
         end
      end)

      it(name .. ', whatever lies between the elements', function()
         local wanted = expected(name, 12)
         local columns = torch.DoubleTensor(4, 3, 2):fill(7):select(3, 2)
         near(wanted, run(name, columns), 1e-12, name)
         assert.is_false(columns:isContiguous())
         local storage = columns:storage()
         for i = 1, #storage, 2 do
            assert.equal(7, storage[i])
         end
      end)

      it(name .. ', in half', function()
         near(expected(name, 9), run(name, torch.HalfTensor(9)), 0.06, name)
      end)
   end
end)

local LONG = 100003 -- enough for several threads, and no whole number of vectors

describe('a step', function()
   for name, case in pairs(scalar) do
      it(name .. ' is the same bits for any number of threads, anywhere in a tensor', function()
         local function trained(x)
            torch.manualSeed(3)
            local g = torch.FloatTensor(LONG):uniform(-1, 1):type(torch.type(x))
            x:copy(torch.FloatTensor(LONG):uniform(-1, 1))
            local state = {}
            for t = 1, 3 do
               algorithm(name)(function() return 0, g * (2 - t) end, x, case[1], state)
            end
            return x
         end
         local threads = torch.getnumthreads()
         torch.setnumthreads(1)
         local one = trained(torch.FloatTensor(LONG))
         torch.setnumthreads(2)
         local two = trained(torch.FloatTensor(LONG))
         torch.setnumthreads(threads)
         local shifted = trained(torch.FloatTensor(LONG + 3):narrow(1, 4, LONG))
         assert.is_true(one:equal(two))
         assert.is_true(one:equal(shifted))
         assert.is_true(one:abs():max() > 0)
      end)
   end

   it('leaves the gradient as it was, and takes x itself as one', function()
      for name, case in pairs(scalar) do
         local x = start(torch.DoubleTensor(6))
         local apart = x:clone()
         local g = gradients(x, 1)
         local same = g:clone()
         algorithm(name)(function() return 0, g end, x:clone(), case[1], {})
         assert.is_true(g:equal(same), name)
         algorithm(name)(function(p) return 0, p end, x, case[1], {})
         algorithm(name)(function(p) return 0, p:clone() end, apart, case[1], {})
         assert.is_true(x:equal(apart), name)
      end
   end)

   it('keeps x out of states where there is no decay of weights', function()
      local x, state = torch.DoubleTensor { 0 / 0, 1 }, {}
      optim.adam(function() return 0, torch.DoubleTensor { 1, 1 } end, x, {}, state)
      assert.near(0.1, state.m[1], 1e-15)
      assert.is_true(x[2] == x[2])
   end)
end)

describe('a state that does not fit', function()
   local function opfunc(x) return 0, x:clone() end
   local function stepped(name, x, config)
      local state = {}
      optim[name](opfunc, x, config or {}, state)
      return state
   end

   for _, name in ipairs { 'adam', 'adamw', 'nadam', 'radam', 'lion', 'rmsprop', 'adagrad',
      'adadelta', 'adamax', 'rprop', 'nag', 'lamb' } do
      it('is refused by ' .. name .. ', and x stays as it was', function()
         local state, x = stepped(name, torch.ones(3)), torch.ones(5)
         state.parts = nil
         raises(name .. ': ', optim[name], opfunc, x, {}, state)
         raises('of its state has 3 elements, x has 5: a state belongs to the parameters that it '
            .. 'was made for', optim[name], opfunc, x, {}, state)
         assert.same({ 1, 1, 1, 1, 1 }, x:totable())
         state = stepped(name, torch.ones(5):float())
         raises(': a state', optim[name], opfunc, torch.ones(4):float(), {}, state)
         raises("convert it: state.", optim[name], opfunc, torch.ones(5):double(), {}, state)
      end)
   end

   it('is refused by adafactor', function()
      local state, x = stepped('adafactor', torch.ones(3)), torch.ones(5)
      raises('adafactor: its state is of 3 parameters, x has 5', optim.adafactor, opfunc, x, {},
         state)
      assert.same({ 1, 1, 1, 1, 1 }, x:totable())
   end)

   it('names what is missing', function()
      local state = stepped('adam', torch.ones(3))
      state.v = nil
      raises('adam: its state has lost a tensor (it has nil)', optim.adam, opfunc, torch.ones(3),
         {}, state)
   end)

   it('goes on after it was saved', function()
      local x, state = torch.ones(4), {}
      optim.adam(opfunc, x, {}, state)
      local y, other = x:clone(), torch.deserialize(torch.serialize(state))
      optim.adam(opfunc, x, {}, state)
      optim.adam(opfunc, y, {}, other)
      assert.is_true(x:equal(y))
   end)
end)

describe('bad input', function()
   local function opfunc(x) return 0, x:clone() end

   it('a rate that is no number stops before x changes', function()
      local names = { 'sgd', 'adagrad', 'adadelta', 'rmsprop', 'adam', 'adamw', 'adamax', 'nadam',
         'radam', 'lamb', 'lion', 'adafactor', 'nag' }
      for _, name in ipairs(names) do
         local x, state = torch.ones(3), {}
         for steps = 0, 2 do
            local before = x:clone()
            raises(('%s: learningRate is NaN after %d steps; x has not changed'):format(name,
               steps), optim[name], opfunc, x, { learningRate = 0 / 0 }, state)
            raises(name .. ': learningRate is a string, expected a number', optim[name], opfunc, x,
               { learningRate = 'fast' }, state)
            assert.is_true(x:equal(before), name)
            optim[name](opfunc, x, { learningRate = 0.1 }, state)
            assert.is_false(x:equal(before), name)
         end
      end
   end)

   it('an error of opfunc leaves x as it was', function()
      for name in pairs(scalar) do
         local x, state = torch.ones(3), {}
         algorithm(name)(opfunc, x, scalar[name][1], state)
         local before = x:clone()
         assert.is_false((pcall(algorithm(name), function() error 'none' end, x, scalar[name][1],
            state)))
         assert.is_true((x - before):abs():max() < 1e-15, name)
      end
   end)

   it('a gradient of another type says how to convert it', function()
      raises('adam: opfunc returned a gradient that is a torch.', optim.adam,
         function() return 0, torch.ones(3):float() end, torch.ones(3):double())
   end)
end)
