-- Signals may come at any time; see test/support/walks/interrupted.lua. TH_INTERRUPTED_SECONDS
-- makes each family of operations run longer.
local th = os.getenv 'TH_EXECUTABLE'
local seconds = tonumber(os.getenv 'TH_INTERRUPTED_SECONDS') or 0.1

local function output(command)
   local pipe = io.popen(command .. ' 2>&1')
   local text = pipe:read '*a'
   pipe:close()
   return text
end

describe('signals', function()
   it('hurt no family of operations', function()
      local text = output(('%s test/support/walks/interrupted.lua %g'):format(th, seconds))
      assert.is_truthy(text:match 'survived\n$', text)
   end)

   it('of the profiler hurt no product', function()
      local text = output(th .. [[ -e "
         local profile = require 'jit.profile'
         local ticks = 0
         profile.start('fi1', function(_, samples) ticks = ticks + samples end)
         local a, b = torch.FloatTensor(1000, 200):fill(1), torch.FloatTensor(200, 500):fill(2)
         for i = 1, 100 do
            local y = a * b
            assert(y:min() == 400 and y:max() == 400)
         end
         profile.stop()
         print(ticks > 0 and 'survived')
      "]])
      assert.is_truthy(text:match 'survived\n', text)
   end)
end)
