local xlua = require 'xlua'

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
   local write, text

   before_each(function()
      write, text = io.write, ''
      io.write = function(s) text = text .. s end -- luacheck: ignore 122
   end)

   after_each(function()
      io.write = write -- luacheck: ignore 122
   end)

   it('draws one line over itself and ends it at the goal', function()
      for i = 1, 4 do
         xlua.progress(i, 4)
         os.execute('sleep 0.06')
      end
      local lines = {}
      for line in text:gmatch('\r([^\r]*)') do
         table.insert(lines, line)
      end
      assert.equal(4, #lines)
      assert.matches('^ %[=+>?%.* 1/4 %.+%] ETA: .* | Step: ', lines[1])
      assert.matches('^ %[=+ 3/4 =*>%.+%] ETA: %d+ms | Step: %d+ms', lines[3])
      assert.matches('^ %[=+ 4/4 =+>%] Tot: %d+ms | Step: %d+ms *\n$', lines[4])
      assert.is_nil(text:find('\n.'))
      for _, line in ipairs(lines) do
         assert.is_true(#line:gsub('\n', '') <= 80)
      end
   end)

   it('measures the time of a step', function()
      xlua.progress(1, 3)
      os.execute('sleep 0.1')
      xlua.progress(2, 3)
      local eta, step = text:match('2/3.*ETA: (%d+)ms | Step: (%d+)ms')
      assert.is_true(tonumber(step) >= 100 and tonumber(step) < 500)
      assert.equal(step, eta)
      xlua.progress(3, 3)
   end)

   it('does not redraw faster than the eye sees', function()
      for i = 1, 1000 do
         xlua.progress(i, 1000)
      end
      local _, drawings = text:gsub('\r', '')
      assert.is_true(drawings >= 2 and drawings < 100)
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
