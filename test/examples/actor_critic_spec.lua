-- The actor and its critic on the pole.

local support = require 'test.examples.support'

describe('examples that balance a pole', function()
   it('actor_critic balances better and better', function()
      local output = support.succeeds('actor_critic/train.lua', '--episodes 400 --goal 120')
      local averages = support.numbers(output, 'average return +(%d+%.%d+)')
      assert.is_true(#averages >= 2, output)
      -- Pushes at random keep the pole up for some 22 steps.
      assert.is_true(averages[1] > 22, output)
      assert.is_true(averages[#averages] >= 100, output)
   end)

   local try = os.execute 'command -v gnuplot >/dev/null' == 0 and it or pending
   for _, example in ipairs { 'actor_critic', 'dqn' } do
      try(example .. ' draws its returns', function()
         local folder = support.folder()
         local path = folder .. '/returns.svg'
         support.succeeds(example .. '/train.lua', '--episodes 8 --plot ' .. path)
         local picture = support.read_svg(path)
         support.remove(folder)
         assert.matches('average of the last 100', picture, 1, true)
         assert.matches('</svg>', picture, 1, true)
      end)
   end
end)
