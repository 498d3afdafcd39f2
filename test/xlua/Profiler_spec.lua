local sys = require 'sys'
local xlua = require 'xlua'

local function work(seconds)
   local start = os.clock()
   local x = 0
   while os.clock() - start < seconds do
      x = x + math.sqrt(x + 1)
   end
   return x
end

local function printed(f)
   local before, lines = print, {}
   rawset(_G, 'print', function(text) table.insert(lines, text) end)
   f()
   rawset(_G, 'print', before)
   return lines
end

describe('xlua.Profiler', function()
   it('tells processor time from real time', function()
      local p = xlua.Profiler()
      p:start('sleep')
      os.execute('sleep 0.1')
      local slept = p:lap('sleep')
      assert.is_true(slept.real >= 0.1 and slept.real < 1)
      assert.is_true(slept.cpu < 0.08)
      p:start('work')
      work(0.05)
      local worked = p:lap('work')
      assert.is_true(math.abs(worked.cpu - 0.05) < 0.04)
   end)

   it('goes on counting until the lap, and keeps what the lap found', function()
      local p = xlua.Profiler()
      p:start('a')
      local first = p:real('a')
      work(0.01)
      assert.is_true(p:real('a') > first)
      local lap = p:lap('a')
      work(0.01)
      assert.equal(lap.real, p:real('a'))
      assert.equal(lap.cpu, p:cpu('a'))
      p:start('a')
      assert.is_true(p:real('a') < lap.real)
   end)

   it('divides by the number of times', function()
      local p = xlua.Profiler()
      p:start('loop')
      os.execute('sleep 0.1')
      local lap = p:lap('loop', 10)
      assert.is_true(lap.real >= 0.01 and lap.real < 0.1)
   end)

   it('shows one part or all in the order of their start', function()
      local p = xlua.Profiler('real')
      p:start('b')
      p:lap('b')
      p:start('a', true)
      p:lap('a')
      assert.matches('^b: %d+%.%d%dms %(real%)$', p:format('b'))
      assert.matches('^a: [%d.inf]+fps %(real%)$', p:format('a'))
      assert.equal(p:format('b') .. '\n' .. p:format('a'), p:formatAll())
      p:setColor('a', 'red')
      assert.same({ p:format('b'), sys.COLORS.red .. p:format('a') .. sys.COLORS.none },
         printed(function() p:printAll() end))
      assert.same({ p:format('b') }, printed(function() p:print('b') end))
      assert.matches('%(cpu%).*%(real%)', (function()
         local both = xlua.Profiler()
         both:start('x')
         return both:format('x')
      end)())
   end)

   it('prints laps when verbose', function()
      local p = xlua.Profiler(nil, true)
      p:start('a')
      assert.equal(1, #printed(function() p:lap('a') end))
   end)

   it('draws on a painter', function()
      local calls = {}
      local painter = setmetatable({}, { __index = function(_, name)
         return function(_, ...)
            table.insert(calls, { name, ... })
         end
      end })
      local p = xlua.Profiler()
      p:start('a')
      p:lap('a')
      p:displayAll { painter = painter, x = 5, y = 6, zoom = 2 }
      assert.same({ { 'setcolor', 'black' }, { 'moveto', 10, 12 }, { 'show', p:format('a') } },
         calls)
      local _, message = pcall(p.displayAll, p)
      assert.matches('Profiler_spec%.lua:%d+: .*expected a table with a painter', message)
   end)

   it('does nothing when off', function()
      local p = xlua.Profiler('off', true)
      assert.same({}, printed(function()
         p:start('a')
         p:lap('a')
         p:printAll()
      end))
      assert.equal(0, p:cpu('a'))
      assert.equal('', p:formatAll())
   end)

   it('names a part that was never started, and an unknown colour', function()
      local p = xlua.Profiler()
      local _, message = pcall(p.lap, p, 'ghost')
      assert.matches('Profiler_spec%.lua:%d+: Profiler: ghost was never started', message)
      p:start('a')
      _, message = pcall(p.setColor, p, 'a', 'beige')
      assert.matches('no colour beige', message, 1, true)
   end)
end)
