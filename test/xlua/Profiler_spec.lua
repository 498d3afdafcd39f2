local sys = require 'sys'
local xlua = require 'xlua'
local fake_clock = require 'test.support.fake_clock'

local function printed(f)
   local before, lines = print, {}
   rawset(_G, 'print', function(text) table.insert(lines, text) end)
   f()
   rawset(_G, 'print', before)
   return lines
end

describe('xlua.Profiler', function()
   local time
   before_each(function()
      time = fake_clock.start()
   end)
   after_each(fake_clock.stop)

   it('tells processor time from real time', function()
      local p = xlua.Profiler()
      p:start('sleep')
      time:pass { real = 0.5 }
      assert.same({ real = 0.5, cpu = 0 }, p:lap('sleep'))
      p:start('work')
      time:pass { real = 0.5, user = 1, sys = 0.25 }
      assert.same({ real = 0.5, cpu = 1.25 }, p:lap('work'))
   end)

   it('goes on counting until the lap, and keeps what the lap found', function()
      local p = xlua.Profiler()
      p:start('a')
      assert.equal(0, p:real('a'))
      time:pass { real = 1, user = 0.5 }
      assert.equal(1, p:real('a'))
      time:pass { real = 1 }
      assert.same({ real = 2, cpu = 0.5 }, p:lap('a'))
      time:pass { real = 8, user = 8 }
      assert.equal(2, p:real('a'))
      assert.equal(0.5, p:cpu('a'))
      p:start('a')
      time:pass { real = 0.25 }
      assert.equal(0.25, p:real('a'))
   end)

   it('divides by the number of times', function()
      local p = xlua.Profiler()
      p:start('loop')
      time:pass { real = 4, user = 2 }
      assert.same({ real = 0.5, cpu = 0.25 }, p:lap('loop', 8))
   end)

   it('shows one part or all in the order of their start', function()
      local p = xlua.Profiler('real')
      p:start('b')
      time:pass { real = 0.25 }
      p:lap('b')
      p:start('a', true)
      time:pass { real = 0.25 }
      p:lap('a')
      assert.equal('b: 250.00ms (real)', p:format('b'))
      assert.equal('a: 4.00fps (real)', p:format('a'))
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
