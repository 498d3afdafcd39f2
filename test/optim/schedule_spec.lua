-- Schedules against PyTorch's (schedule_oracle.lua), attached to optimisers, saved.

local torch = require 'torch'
local optim = require 'optim'
local raises = require 'test.support.raises'
local oracle = dofile 'test/optim/schedule_oracle.lua'

local schedule = optim.schedule

local cases = {
   constant = schedule.constant(0.25),
   step = schedule.step(5, 0.1),
   multistep = schedule.multistep({ 3, 9, 10 }, 0.5),
   exponential = schedule.exponential(0.9),
   cosine = schedule.cosine(15, 0.125),
   cosineRestarts = schedule.cosineRestarts(3, 2, 0.125),
   linear = schedule.linear(8, 0.25, 0.75),
   polynomial = schedule.polynomial(12, 2),
   warmup = schedule.warmup(4, schedule.cosine(11), 0.1),
   oneCycle = schedule.oneCycle(16),
   sequence = schedule.sequence {
      { 4, schedule.step(2, 0.5) }, { 5, schedule.exponential(0.9) },
      { nil, schedule.constant(0.5) },
   },
   plateau = schedule.plateau { gamma = 0.5, patience = 2, cooldown = 1 },
}

local function copy_by_saving(object)
   return torch.deserialize(torch.serialize(object))
end

local function slope()
   return 0, torch.ones(1)
end

describe('optim.schedule agrees with PyTorch:', function()
   for name, f in pairs(cases) do
      it(name .. ', also after it was saved', function()
         local expected = assert(oracle[name], 'no numbers for ' .. name)
         for i, factor in ipairs(expected) do
            assert.near(factor, f(i - 1), 1e-12, ('after %d steps'):format(i - 1))
            f = copy_by_saving(f)
            if name == 'plateau' then
               f:observe(oracle.losses[i])
            end
         end
         assert.equal('optim.Schedule', torch.type(f))
      end)
   end

   it('every schedule there is', function()
      for name in pairs(schedule) do
         assert.is_true(name == 'attach' or cases[name] ~= nil, name)
      end
   end)
end)

describe('optim.schedule', function()
   it('goes on as it ended', function()
      assert.equal(0, schedule.cosine(10)(1000))
      assert.equal(0.5, schedule.linear(10, 1, 0.5)(11))
      assert.equal(0, schedule.polynomial(10, 2)(11))
      assert.equal(1, schedule.warmup(5)(5))
      assert.near(4e-6, schedule.oneCycle(10)(50), 1e-18)
      assert.equal(1, schedule.cosineRestarts(4)(40))
   end)

   it('a plateau may watch what should rise, and has an end', function()
      local plateau = schedule.plateau { mode = 'max', patience = 0, gamma = 0.5, least = 0.3 }
      assert.equal(1, plateau:observe(1))
      assert.equal(1, plateau:observe(2))
      assert.equal(0.5, plateau:observe(1.5))
      assert.equal(0.3, plateau:observe(1.5))
      assert.equal(0.3, plateau(99))
   end)

   it('attached, sets the rate of each step from the steps of the state', function()
      local config = schedule.attach({ learningRate = 8 }, schedule.step(1, 0.5))
      local x = torch.zeros(1)
      for _ = 1, 3 do
         optim.sgd(slope, x, config)
      end
      assert.equal(-14, x[1]) -- 8 + 4 + 2
      config = copy_by_saving(config)
      optim.sgd(slope, x, config)
      assert.equal(-15, x[1])
      schedule.attach(config, nil)
      optim.sgd(slope, x, config)
      assert.equal(-23, x[1])
   end)

   it('attached, may count epochs', function()
      local config = schedule.attach({ learningRate = 1 }, schedule.step(1, 0.5), 2)
      local x = torch.zeros(1)
      for _ = 1, 4 do
         optim.sgd(slope, x, config)
      end
      assert.equal(-3, x[1]) -- 1 + 1 + 1/2 + 1/2
   end)

   it('is heard by every optimiser that has a rate', function()
      local names = { 'sgd', 'nag', 'adagrad', 'adadelta', 'rmsprop', 'adam', 'adamw', 'adamax',
         'nadam', 'radam', 'lamb', 'lion', 'adafactor' }
      for _, name in ipairs(names) do
         local x = torch.Tensor { 1, 2 }
         local config = schedule.attach({ weightDecay = 0 }, schedule.constant(0))
         optim[name](function() return 0, torch.ones(2) end, x, config)
         assert.same({ 1, 2 }, x:totable(), name)
         config.schedule = nil
         optim[name](function() return 0, torch.ones(2) end, x, config)
         assert.is_true(x[1] < 1, name)
      end
   end)

   it('says what is wrong', function()
      raises('optim.schedule.step: every is 0, expected a number of at least', schedule.step, 0)
      raises('optim.schedule.step: every is nil, expected a number', schedule.step)
      raises('optim.schedule.exponential: gamma is nil', schedule.exponential)
      raises('optim.schedule.multistep: milestone 2 is a string', schedule.multistep, { 1, 'a' })
      raises('optim.schedule.warmup: got a number, expected a schedule', schedule.warmup, 5, 1)
      raises('optim.schedule.cosineRestarts: grow is 0.5', schedule.cosineRestarts, 5, 0.5)
      raises("optim.schedule.plateau: mode is 'up', expected 'min' or 'max'", schedule.plateau,
         { mode = 'up' })
      raises("optim.schedule.plateau: there is no option 'patients'; near: patience",
         schedule.plateau, { patients = 3 })
      raises("there is no option 'factor'; the options are cooldown, gamma, least",
         schedule.plateau, { factor = 0.5 })
      raises('optim.schedule.cosine: n is nil', schedule.cosine(9))
      raises('optim.schedule.cosine: n is NaN', schedule.cosine(9), 0 / 0)
      raises('optim.schedule.attach: got a number, expected a schedule', schedule.attach, {}, 1)
      raises('optim.schedule.cosine: only a plateau observes', function()
         schedule.cosine(9):observe(1)
      end)
   end)
end)
