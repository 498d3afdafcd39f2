-- Profiles whose handle is lost, that begin before nn, that see errors and coroutines.
local torch = require 'torch'
local nn = require 'nn'
local raises = require 'test.support.raises'
local shell = require 'test.support.shell'

local function names(profile, by)
   local calls = {}
   for _, row in ipairs(profile:rows(by)) do
      calls[row.name] = row.calls
   end
   return calls
end

describe('a profile', function()
   after_each(function()
      torch.profiler.stop()
   end)

   it('may be ended by who has lost it', function()
      assert.is_nil(torch.profiler.stop())
      torch.profiler.start()
      torch.ones(3):add(1)
      raises('; stop it first: torch.profiler.stop()', torch.profiler.start)
      local p = torch.profiler.stop()
      assert.is_true(p.seconds > 0)
      assert.is_false(torch.profiler.running())
      assert.is_nil(torch.profiler.stop())
   end)

   it('lets errors pass with their stack', function()
      local function culprit()
         local x = nil
         return x.field
      end
      local function check(f)
         local ok, err = pcall(f)
         assert.is_false(ok)
         assert.matches("attempt to index", err)
         assert.matches("stack traceback:.*in function 'culprit'", err)
         assert.is_nil(err:match 'stack traceback:.*stack traceback:')
      end
      local function deep()
         local r = culprit()
         return r
      end
      check(function() torch.profiler(deep) end)
      check(function()
         torch.profiler(function() torch.profiler.range('a', deep) end)
      end)
      local object = {}
      local ok, err = pcall(torch.profiler, function() error(object, 0) end)
      assert.is_false(ok)
      assert.equal(object, err)
   end)

   it('sees layers of an nn that is loaded later', function()
      local output, status = shell.run('luajit -e ' .. shell.quoted [[
            local torch = require 'torch'
            torch.profiler.start()
            local nn = require 'nn'
            nn.Linear(2, 3):forward(torch.ones(2))
            local p = torch.profiler.stop()
            print(p:rows('layer')[1].name, #p:rows('layer'))
         ]])
      assert.equal(0, status, output)
      assert.matches('net forward%s+1', output)
   end)

   it('says which options tables have', function()
      local p = torch.profiler(function() torch.ones(3):sum() end)
      raises("table: expected a table of options, such as { by = 'line' }, got string",
         p.table, p, 'line')
      raises('table: top: expected a number, got string', p.table, p, { top = 'x' })
      raises('table: top is -1, expected a number of rows', p.table, p, { top = -1 })
      raises('table: by: expected a string, got number', p.table, p, { by = 3 })
      raises('table: sort: expected a string, got boolean', p.table, p, { sort = true })
      assert.is_string(p:table())
   end)

   it('is seen by the collector', function()
      local th = require 'torch.ffi'
      local account = th.C.TH_account()
      collectgarbage()
      collectgarbage()
      local before = account.made
      local x = torch.ones(1)
      local p = torch.profiler(function()
         for _ = 1, 10000 do
            x:add(1)
         end
      end)
      assert.is_true(account.made - before > 10000 * 16, tostring(account.made - before))
      local calls = 0
      for _, count in pairs(names(p, 'operation')) do
         calls = calls + count
      end
      assert.equal(10000, calls)
      p, x = nil, nil -- luacheck: ignore 311
      collectgarbage()
      collectgarbage()
      assert.is_true(account.made <= before)
   end)
end)

describe('layers of a profile', function()
   it('of two nets are apart', function()
      local one = nn.Sequential():add(nn.Linear(2, 2))
      local two, loss = nn.Sequential():add(nn.Linear(2, 2)), nn.MSECriterion()
      local other = nn.AbsCriterion()
      local x = torch.ones(2)
      local p = torch.profiler(function()
         for _ = 1, 3 do
            loss:forward(one:forward(x), x)
         end
         other:forward(two:forward(x), x)
         one:forward(x)
      end)
      assert.same({
         ['net forward'] = 4, ['net.1 forward'] = 4, ['net#2 forward'] = 1,
         ['net#2.1 forward'] = 1, ['criterion forward'] = 3, ['criterion#2 forward'] = 1,
      }, names(p, 'layer'))
   end)

   it('of coroutines have paths of their own', function()
      local Pausing = torch.class('nn.PausingForProfiles', 'nn.Module')
      function Pausing:updateOutput(input)
         coroutine.yield()
         self.output = input
         return input
      end
      local one = nn.Sequential():add(nn.PausingForProfiles())
      local two = nn.Sequential():add(nn.PausingForProfiles()):add(nn.Tanh())
      local x = torch.ones(2)
      local p = torch.profiler(function()
         local a = coroutine.create(function() one:forward(x) end)
         local b = coroutine.create(function() two:forward(x) end)
         for _ = 1, 2 do
            assert(coroutine.resume(a))
            assert(coroutine.resume(b))
         end
      end)
      assert.same({
         ['net forward'] = 1, ['net.1 forward'] = 1, ['net#2 forward'] = 1,
         ['net#2.1 forward'] = 1, ['net#2.2 forward'] = 1,
      }, names(p, 'layer'))
   end)
end)

describe('coroutines in a profile', function()
   local function fails()
      error 'the error'
   end
   local ATTEMPTS = {
      function() coroutine.wrap(3) end,
      function() coroutine.wrap() end,
      function() coroutine.resume(3) end,
      function() coroutine.resume() end,
      function() coroutine.wrap(fails)() end,
      function() coroutine.wrap(function() error({}, 0) end)() end,
      function()
         local f = coroutine.wrap(function() return 1 end)
         f()
         f()
      end,
      function() error(select(2, coroutine.resume(coroutine.create(fails))), 0) end,
   }

   it('have the errors that they have without', function()
      for i, attempt in ipairs(ATTEMPTS) do
         local _, plain = pcall(attempt)
         local seen
         torch.profiler(function() seen = select(2, pcall(attempt)) end)
         assert.equal(type(plain), type(seen))
         if type(plain) == 'string' then
            assert.equal(plain, seen, 'attempt ' .. i)
         end
      end
   end)

   it('keep what the script puts in their place meanwhile', function()
      local resume, wrap = coroutine.resume, coroutine.wrap
      local calls = 0
      torch.profiler.start()
      local theirs = coroutine.resume
      local function mine(...)
         calls = calls + 1
         return theirs(...)
      end
      coroutine.resume = mine -- luacheck: ignore 122
      torch.profiler.stop()
      local kept, back = coroutine.resume, coroutine.wrap
      local co = coroutine.create(function(x) return x + coroutine.yield() end)
      torch.profiler(function() -- and a second profile over it
         assert(coroutine.resume(co, 1))
         assert.same({ true, 3 }, { coroutine.resume(co, 2) })
      end)
      local after = coroutine.resume
      coroutine.resume = resume -- luacheck: ignore 122
      assert.equal(mine, kept)
      assert.equal(mine, after)
      assert.equal(wrap, back)
      assert.equal(2, calls)
   end)
end)
