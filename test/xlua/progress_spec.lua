local xlua = require 'xlua'
local fake_clock = require 'test.support.fake_clock'

describe('xlua.formatTime', function()
   local cases = {
      [0] = '0ms', [0.0004] = '0ms', [0.025] = '25ms', [1] = '1s', [3.25] = '3s250ms',
      [80] = '1m20s', [3600] = '1h', [3725] = '1h2m', [90061] = '1D1h', [59.9999] = '1m',
   }
   for seconds, text in pairs(cases) do
      it(('%g s is %s'):format(seconds, text), function()
         assert.equal(text, xlua.formatTime(seconds))
      end)
   end
end)

describe('xlua.progress', function()
   local write, text, time

   before_each(function()
      write, text, time = io.write, '', fake_clock.start()
      io.write = function(s) text = text .. s end -- luacheck: ignore 122
   end)

   after_each(function()
      fake_clock.stop()
      io.write = write -- luacheck: ignore 122
   end)

   it('draws one line over itself and ends it at the goal', function()
      for i = 1, 4 do
         xlua.progress(i, 4)
         time:pass { real = 0.0625 }
      end
      local lines = {}
      for line in text:gmatch('\r([^\r]*)') do
         table.insert(lines, line)
      end
      assert.equal(4, #lines)
      assert.matches('^ %[=+>?%.* 1/4 %.+%] ETA: .* | Step: ', lines[1])
      assert.matches('^ %[=+ 3/4 =*>%.+%] ETA: 63ms | Step: 63ms', lines[3])
      assert.matches('^ %[=+ 4/4 =+>%] Tot: 188ms | Step: 63ms *\n$', lines[4])
      assert.is_nil(text:find('\n.'))
      for _, line in ipairs(lines) do
         assert.is_true(#line:gsub('\n', '') <= 80)
      end
   end)

   it('measures the time of a step', function()
      xlua.progress(1, 3)
      time:pass { real = 0.125 }
      xlua.progress(2, 3)
      assert.matches('2/3.*ETA: 125ms | Step: 125ms', text)
      xlua.progress(3, 3)
   end)

   it('does not redraw faster than the eye sees', function()
      for i = 1, 1000 do
         xlua.progress(i, 1000)
         time:pass { real = 2 ^ -10 }
      end
      local _, drawings = text:gsub('\r', '')
      assert.is_true(drawings >= 10 and drawings <= 22) -- one in 0.05 s or more, and the last
   end)

   it('begins anew when the count goes back', function()
      xlua.progress(5, 10)
      xlua.progress(1, 10)
      assert.matches('1/10', text)
      xlua.progress(10, 10)
   end)

   it('refuses what are no numbers', function()
      local _, message = pcall(xlua.progress, 'a', 3)
      assert.matches('progress_spec%.lua:%d+: xlua%.progress: expected two numbers', message)
   end)
end)
