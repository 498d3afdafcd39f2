-- Sequences: the values are those of the original for the same seeds.
local torch = require 'torch'

local function refused(pattern, f)
   local ok, message = pcall(f)
   assert.is_false(ok)
   assert.matches(pattern, message)
   assert.matches('^[^:]*random_spec%.lua:%d+: ', message)
end

local function near(expected, t)
   for i, value in ipairs(expected) do
      assert.near(value, t[i], 5e-5)
   end
end

describe('the default generator', function()
   it('draws the numbers of the original', function()
      torch.manualSeed(123)
      assert.equal(2991312382, torch.random())
      assert.near(0.71295532141812, torch.uniform(), 1e-14)
      torch.manualSeed(1)
      near({ 0.4170, 0.9972, 0.7203 }, torch.rand(3))
      torch.manualSeed(1)
      near({ -2.9718, 1.7070, -0.4305 }, torch.randn(3))
      torch.manualSeed(1)
      assert.same({ 1, 5, 3, 4, 2 }, torch.randperm(5):totable())
      torch.manualSeed(1)
      assert.same({ 6, 10, 5, 9, 4 }, torch.Tensor(5):random(1, 10):totable())
      torch.manualSeed(1)
      assert.same({ 3, 3, 3, 3, 1 },
         torch.multinomial(torch.Tensor { .1, .2, .7 }, 5, true):totable())
      torch.manualSeed(1)
      assert.same({ 1, 0, 0, 0, 1 }, torch.Tensor(5):bernoulli(.5):totable())
   end)

   it('draws one number as it fills one element', function()
      for name, arguments in pairs { uniform = { 2, 5 }, normal = { 1, 3 }, cauchy = { 0, 1 },
         exponential = { 2 }, geometric = { 0.3 }, bernoulli = { 0.6 }, random = { 3, 9 } } do
         torch.manualSeed(7)
         local t = torch.DoubleTensor(6)
         t[name](t, unpack(arguments))
         torch.manualSeed(7)
         for i = 1, 6 do
            -- log and tan may be another library's for a whole tensor: units in the last place
            assert.near(t[i], torch[name](unpack(arguments)), 1e-13 * math.max(1, math.abs(t[i])))
         end
      end
   end)

   it('fills strided tensors in row-major order', function()
      torch.manualSeed(3)
      local flat = torch.rand(12)
      torch.manualSeed(3)
      local turned = torch.DoubleTensor(4, 3):t()
      turned:uniform()
      assert.is_true(turned:contiguous():view(12):equal(flat))
   end)

   it('saves and restores its state, the spare normal number included', function()
      torch.manualSeed(5)
      torch.normal()
      local state = torch.getRNGState()
      assert.equal(5048, state:nElement())
      local expected = { torch.normal(), torch.normal(), torch.random() }
      torch.setRNGState(state)
      assert.same(expected, { torch.normal(), torch.normal(), torch.random() })
   end)

   it('tells its seed', function()
      torch.manualSeed(42)
      assert.equal(42, torch.initialSeed())
      local seed = torch.seed()
      assert.equal(seed, torch.initialSeed())
   end)
end)

describe('a generator of its own', function()
   it('does not disturb the default one', function()
      local g = torch.Generator()
      torch.manualSeed(g, 1)
      torch.manualSeed(1)
      local a = torch.rand(g, 3)
      assert.is_true(a:equal(torch.rand(3)))
      torch.manualSeed(g, 1)
      assert.is_true(a:equal(torch.DoubleTensor(3):uniform(g)))
      torch.manualSeed(g, 1)
      assert.equal(a[1], torch.uniform(g))
   end)

   it('survives torch.save', function()
      local g = torch.Generator()
      torch.manualSeed(g, 9)
      torch.normal(g)
      local copy = torch.deserialize(torch.serialize(g))
      assert.equal(torch.normal(g), torch.normal(copy))
      assert.equal(torch.random(g), torch.random(copy))
   end)
end)

describe('bad random arguments', function()
   it('are refused and draw nothing', function()
      torch.manualSeed(1)
      local state = torch.getRNGState()
      refused('normal: ', function() torch.normal(0, -1) end)
      refused('geometric: ', function() torch.geometric(1.5) end)
      refused('bernoulli: ', function() torch.Tensor(2):bernoulli(2) end)
      refused('random: ', function() torch.random(5, 1) end)
      refused('multinomial: ', function() torch.multinomial(torch.zeros(3), 1) end)
      refused('multinomial: ', function() torch.multinomial(torch.ones(3), 4) end)
      refused('rand: sizes are missing', function() torch.rand() end)
      refused('exponential: invalid arguments', function() torch.exponential() end)
      refused('setRNGState: ', function() torch.setRNGState(torch.ByteTensor(3)) end)
      assert.is_true(torch.getRNGState():equal(state))
   end)
end)
