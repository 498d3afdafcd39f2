-- The count of operations by device, TH_COUNT_OPERATIONS; see test/support/touched.lua.
local cuda = require 'test.support.cuda'
local shell = require 'test.support.shell'
local th = os.getenv 'TH_EXECUTABLE'

local SPEC = [[
it('computes on devices', function()
   local x = require('torch').DoubleTensor(3):fill(1)
   for _ = 1, 5 do
      x:add(x)
   end
end)
it('computes on the CPU', function()
   local x = require('torch').CudaDoubleTensor(3):fill(1) -- the names have changed places
   for _ = 1, 7 do
      x:add(x)
   end
end)
]]

local run = cuda.available and it or pending

describe('the count of operations', function()
   run('tells those on devices from those of the CPU, test by test', function()
      shell.with_folder(function(folder)
         local text = shell.run(('TH_COUNT_OPERATIONS=1 %s "$(command -v busted)" --run=cuda %s')
            :format(shell.quoted(th), shell.quoted(folder .. '/count_spec.lua')))
         local cuda1, cpu1 = text:match '(%d+) cuda%s+(%d+) cpu%s+computes on devices'
         local cuda2, cpu2 = text:match '(%d+) cuda%s+(%d+) cpu%s+computes on the CPU'
         assert.is_truthy(cuda2, text)
         assert.is_true(tonumber(cuda1) >= 6, text) -- fill, and add five times
         assert.equal(0, tonumber(cpu1), text)
         assert.is_true(tonumber(cpu2) >= 8, text)
         assert.equal(0, tonumber(cuda2), text)
      end, { ['count_spec.lua'] = SPEC })
   end)
end)
