-- The actor and its critic on the pole.

local support = require 'test.examples.support'

describe('examples/actor_critic', function()
   it('balances better and better', function()
      local output = support.succeeds('actor_critic/train.lua', '--episodes 400 --goal 120')
      local averages = support.numbers(output, 'average return +(%d+%.%d+)')
      assert.is_true(#averages >= 2, output)
      -- Pushes at random keep the pole up for some 22 steps.
      assert.is_true(averages[1] > 22, output)
      assert.is_true(averages[#averages] >= 100, output)
   end)

   it('writes a picture of its returns where there is gnuplot', function()
      if os.execute 'command -v gnuplot >/dev/null' ~= 0 then
         return pending 'gnuplot is not there'
      end
      local folder = support.folder()
      support.succeeds('actor_critic/train.lua', ('--episodes 8 --plot %s/returns.svg'):format(
         folder))
      local picture
      for _ = 1, 100 do -- gnuplot is a process of its own
         local file = io.open(folder .. '/returns.svg')
         picture = file and file:read '*a' or ''
         if file then
            file:close()
         end
         if picture:find('</svg>', 1, true) then
            break
         end
         os.execute 'sleep 0.05'
      end
      support.remove(folder)
      assert.matches('average of 100', picture, 1, true)
      assert.matches('</svg>', picture, 1, true)
   end)
end)
