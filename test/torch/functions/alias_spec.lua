local torch = require 'torch'

local function refused(pattern, f)
   local ok, message = pcall(f)
   assert.is_false(ok)
   assert.matches(pattern, message)
   assert.matches('^[^:]*alias_spec%.lua:%d+: ', message)
end

-- The distribution that a table stands for: each column is hit as often as every other.
local function distribution(alias, q)
   local n = q:size(1)
   local p = torch.zeros(n)
   for i = 1, n do
      p[i] = p[i] + q[i] / n
      p[alias[i]] = p[alias[i]] + (1 - q[i]) / n
   end
   return p
end

describe('the alias method', function()
   it('tables stand for the weights exactly', function()
      torch.manualSeed(9)
      for _, n in ipairs { 1, 2, 5, 1000 } do
         for _, class in ipairs { torch.DoubleTensor, torch.FloatTensor } do
            local p = class(n):copy(torch.rand(n))
            if n > 2 then
               p[2] = 0
            end
            local state = torch.multinomialAliasSetup(p)
            assert.matches('LongTensor$', state[1]:type())
            assert.equals(p:type(), state[2]:type())
            local wanted = torch.DoubleTensor(n):copy(p):div(p:sum())
            local got = distribution(state[1], state[2])
            local room = class == torch.FloatTensor and 1e-6 or 1e-13
            assert.is_true((wanted - got):abs():max() < room)
         end
      end
   end)

   it('uses a state again', function()
      local state = torch.multinomialAliasSetup(torch.DoubleTensor { 1, 2 })
      local again = torch.multinomialAliasSetup(torch.DoubleTensor { 0.5, 0.25, 0.25 }, state)
      assert.equals(state[1], again[1])
      assert.equals(state[2], again[2])
      assert.same({ 3 }, state[1]:size():totable())
   end)

   it('draws in the shape of the output, two numbers per draw', function()
      local p = torch.DoubleTensor { 0.1, 0.6, 0, 0.3 }
      local alias, q = torch.multinomialAliasSetup_(p)
      local out = torch.LongTensor(3, 100)
      torch.manualSeed(21)
      assert.equals(out, torch.multinomialAlias(out, { alias, q }))
      assert.same({ 3, 100 }, out:size():totable())
      torch.manualSeed(21)
      out:apply(function(drawn)
         local column = math.floor(torch.uniform(0, 4)) + 1
         local wanted = torch.uniform() <= q[column] and column or alias[column]
         assert.equals(wanted, drawn)
      end)
   end)

   it('follows the weights', function()
      torch.manualSeed(4)
      local p = torch.DoubleTensor { 0.1, 0.6, 0, 0.3 }
      local n = 200000
      local state = torch.multinomialAliasSetup(p)
      local out = torch.multinomialAlias(state[1].new(n), state)
      for i = 1, 4 do -- within five standard deviations
         local sigma = math.sqrt(n * p[i] * (1 - p[i]))
         assert.is_near(n * p[i], out:eq(i):sum(), 5 * sigma)
      end
   end)

   it('takes a generator of its own', function()
      local state = torch.multinomialAliasSetup(torch.ones(10))
      local gen = torch.Generator()
      torch.manualSeed(gen, 5)
      local a = torch.multinomialAlias_(torch.LongTensor(20), gen, state[1], state[2])
      torch.manualSeed(5)
      assert.is_true(a:equal(torch.multinomialAlias(torch.LongTensor(20), state)))
      assert.equals(0, torch.multinomialAlias_(state[1], state[2]):nElement())
      assert.equals(0, torch.multinomialAlias_(gen, state[1], state[2]):nElement())
   end)

   it('refuses bad weights and foreign tables', function()
      refused('multinomialAliasSetup: probability 2 is %-1', function()
         torch.multinomialAliasSetup(torch.DoubleTensor { 1, -1 })
      end)
      refused('multinomialAliasSetup: the probabilities sum to 0', function()
         torch.multinomialAliasSetup(torch.zeros(3))
      end)
      refused('multinomialAliasSetup: the probabilities are 2x2', function()
         torch.multinomialAliasSetup(torch.ones(2, 2))
      end)
      local foreign = torch.multinomialAliasSetup(torch.ones(1))[1]:fill(7)
      refused('multinomialAlias: entry 1 is no entry of an alias table', function()
         torch.multinomialAlias(foreign.new(3), { foreign, torch.ones(1) })
      end)
      refused('multinomialAlias: invalid arguments', function() torch.multinomialAlias(3, {}) end)
   end)
end)
