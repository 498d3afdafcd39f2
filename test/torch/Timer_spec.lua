local torch = require 'torch'
local class = require 'torch.class'
local clock = require 'torch.clock'
local Timer = require 'torch.Timer'

-- Spend processor time, as measured by os.clock: another source than the timer's.
local function work(seconds)
   local start = os.clock()
   local x = 0
   while os.clock() - start < seconds do
      for i = 1, 1000 do
         x = x + math.sqrt(i)
      end
   end
   return x
end

local function sleep(seconds)
   os.execute('sleep ' .. seconds)
end

describe('torch.Timer', function()
   it('runs from its making on', function()
      local timer = Timer()
      local before = os.time()
      sleep(0.1)
      local real = timer:time().real
      assert.is_true(real >= 0.1)
      assert.is_true(real < os.time() - before + 2)
      assert.equal('torch.Timer', class.typename(timer))
   end)

   it('counts processor time as user and sys, and sleep as real only', function()
      local timer = Timer()
      work(0.1)
      local busy = timer:time()
      assert.is_true(math.abs(busy.user + busy.sys - 0.1) < 0.08)
      sleep(0.2)
      local slept = timer:time()
      assert.is_true(slept.real - busy.real >= 0.2)
      assert.is_true(slept.user - busy.user < 0.1)
   end)

   it('stops, resumes where it stopped, and starts over', function()
      local timer = Timer()
      assert.equal(timer, timer:stop())
      local stopped = timer:time()
      sleep(0.05)
      assert.same(stopped, timer:time())
      assert.equal(timer, timer:resume())
      sleep(0.05)
      local resumed = timer:time().real
      assert.is_true(resumed >= stopped.real + 0.05)
      assert.is_true(resumed < stopped.real + 1)
      assert.equal(timer, timer:reset())
      assert.is_true(timer:time().real < resumed)
   end)

   it('stays stopped when it is reset', function()
      local timer = Timer():stop():reset()
      sleep(0.02)
      assert.same({ real = 0, user = 0, sys = 0 }, timer:time())
   end)

   it('does not count twice when it is stopped or resumed twice', function()
      local timer = Timer()
      sleep(0.02)
      timer:stop()
      local first = timer:time().real
      timer:stop()
      assert.equal(first, timer:time().real)
      timer:resume()
      local running = timer:time().real
      timer:resume()
      assert.is_true(timer:time().real >= running)
   end)

   it('shows its status', function()
      local timer = Timer()
      assert.equal('torch.Timer [status: running]', tostring(timer))
      assert.equal('torch.Timer [status: stopped]', tostring(timer:stop()))
   end)
end)

describe('torch.clock', function()
   it('now is the time since the Epoch', function()
      -- whole seconds, read from a clock that may lag some milliseconds behind
      assert.is_true(math.abs(clock.now() - os.time() - 0.5) < 1)
   end)

   it('wall never goes back and has a finer step than a millisecond', function()
      local previous, smallest = clock.wall(), math.huge
      for _ = 1, 10000 do
         local present = clock.wall()
         assert(present >= previous)
         if present > previous then
            smallest = math.min(smallest, present - previous)
         end
         previous = present
      end
      assert.is_true(smallest < 1e-3)
   end)

   it('torch.toc says what it needs', function()
      assert.is_true(torch.toc(torch.tic()) >= 0)
      local _, err = pcall(function() torch.toc() end)
      assert.matches('Timer_spec.lua:%d+: toc: the start is nil, expected a number', err)
   end)

   it('cpu agrees with os.clock', function()
      local user, system = clock.cpu()
      assert.is_true(math.abs(user + system - os.clock()) < 0.05)
   end)
end)
