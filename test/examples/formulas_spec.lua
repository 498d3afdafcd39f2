local torch = require 'torch'
local support = require 'test.examples.support'
local formulas = dofile 'examples/formulas/formulas.lua'

describe('examples/formulas', function()
   it('learns to judge formulas, and deeper ones than it saw', function()
      local output = support.succeeds('formulas/train.lua', '--depth 3 --steps 300')
      local shares = support.numbers(output, '(%d+%.%d)%% right')
      assert.equal(7, #shares, output)
      for depth, share in ipairs(shares) do
         assert.is_true(share > (depth <= 3 and 95 or 85), output)
      end
      assert.matches('%(%(no or not no%) and yes%): yes', output)
   end)
end)

describe('examples/formulas/formulas.lua', function()
   local yes, no = { 'yes' }, { 'no' }

   it('knows the truth tables', function()
      for _, row in ipairs {
         { yes, yes, true, true }, { yes, no, false, true },
         { no, yes, false, true }, { no, no, false, false },
      } do
         assert.equal(row[3], formulas.value { 'and', row[1], row[2] })
         assert.equal(row[4], formulas.value { 'or', row[1], row[2] })
      end
      assert.is_false(formulas.value { 'not', yes })
      assert.is_true(formulas.value { 'not', no })
   end)

   it('draws formulas of the depth that is asked for', function()
      local function depth(formula)
         local deepest = -1
         for i = 2, #formula do
            deepest = math.max(deepest, depth(formula[i]))
         end
         return deepest + 1
      end
      torch.manualSeed(3)
      for i = 1, 200 do
         assert.equal(i % 6, depth(formulas.draw(i % 6)))
      end
   end)

   it('writes them', function()
      assert.equal('(not yes or no)', formulas.text { 'or', { 'not', yes }, no })
   end)
end)
