local torch = require 'torch'
local class = require 'torch.class'
local clock = require 'torch.clock'
local Timer = require 'torch.Timer'
local fake_clock = require 'test.support.fake_clock'

describe('torch.Timer', function()
   local time
   before_each(function()
      time = fake_clock.start()
   end)
   after_each(fake_clock.stop)

   it('runs from its making on', function()
      local timer = Timer()
      time:pass { real = 0.5 }
      assert.same({ real = 0.5, user = 0, sys = 0 }, timer:time())
      assert.equal('torch.Timer', class.typename(timer))
   end)

   it('counts processor time as user and sys', function()
      local timer = Timer()
      time:pass { real = 2, user = 1, sys = 0.25 }
      assert.same({ real = 2, user = 1, sys = 0.25 }, timer:time())
      time:pass { real = 1, user = 4 } -- four threads
      assert.same({ real = 3, user = 5, sys = 0.25 }, timer:time())
   end)

   it('stops, resumes where it stopped, and starts over', function()
      local timer = Timer()
      time:pass { real = 1, user = 0.5 }
      assert.equal(timer, timer:stop())
      time:pass { real = 8, user = 8, sys = 8 }
      assert.same({ real = 1, user = 0.5, sys = 0 }, timer:time())
      assert.equal(timer, timer:resume())
      time:pass { real = 2 }
      assert.same({ real = 3, user = 0.5, sys = 0 }, timer:time())
      assert.equal(timer, timer:reset())
      time:pass { real = 0.25 }
      assert.same({ real = 0.25, user = 0, sys = 0 }, timer:time())
   end)

   it('stays stopped when it is reset', function()
      local timer = Timer():stop():reset()
      time:pass { real = 1, user = 1, sys = 1 }
      assert.same({ real = 0, user = 0, sys = 0 }, timer:time())
   end)

   it('does not count twice when it is stopped or resumed twice', function()
      local timer = Timer()
      time:pass { real = 1 }
      timer:stop()
      time:pass { real = 1 }
      timer:stop()
      assert.equal(1, timer:time().real)
      timer:resume()
      time:pass { real = 1 }
      timer:resume()
      time:pass { real = 1 }
      assert.equal(3, timer:time().real)
   end)

   it('shows its status', function()
      local timer = Timer()
      assert.equal('torch.Timer [status: running]', tostring(timer))
      assert.equal('torch.Timer [status: stopped]', tostring(timer:stop()))
   end)
end)

describe('torch.clock', function()
   it('now is the time since the Epoch', function()
      -- os.time cuts fractions off, and is read from a clock that may lag some milliseconds behind.
      local before = os.time()
      local now = clock.now()
      assert.is_true(now >= before and now < os.time() + 2)
   end)

   it('wall never goes back and shows less than a millisecond', function()
      local previous, isFiner = clock.wall(), false
      for _ = 1, 10000 do
         local present = clock.wall()
         assert(present >= previous)
         isFiner = isFiner or math.abs(present * 1e3 - math.floor(present * 1e3 + 0.5)) > 1e-3
         previous = present
      end
      assert.is_true(isFiner)
   end)

   it('sleep waits at least as long as it should', function()
      local start = clock.wall()
      clock.sleep(0.02)
      assert.is_true(clock.wall() - start >= 0.02)
   end)

   it('torch.toc says what it needs', function()
      local time = fake_clock.start()
      local start = torch.tic()
      time:pass { real = 0.5 }
      local elapsed = torch.toc(start)
      fake_clock.stop()
      assert.equal(0.5, elapsed)
      local _, err = pcall(function() torch.toc() end)
      assert.matches('Timer_spec.lua:%d+: toc: the start is nil, expected a number', err)
   end)

   it('cpu counts as os.clock does', function()
      -- os.clock is another function of the C library; a hundredth for how each rounds.
      local before = os.clock()
      local user, system = clock.cpu()
      assert.is_true(user + system >= before - 0.01)
      assert.is_true(user + system <= os.clock() + 0.01)
   end)
end)
