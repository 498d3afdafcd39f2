local torch = require 'torch'
local nn = require 'nn'
local gradcheck = require 'test.support.gradcheck'
local numbers = require 'test.support.numbers'
local raises = require 'test.support.raises'

describe('nn.Dropout', function()
   before_each(function()
      torch.manualSeed(3)
   end)

   it('zeroes a share p and scales the rest while training', function()
      local layer, x = nn.Dropout(0.25), torch.ones(100, 100)
      local y = layer:forward(x)
      local zeros = y:eq(0):sum()
      -- 10,000 draws: the share has a standard deviation of 0.0043.
      assert.near(0.25, zeros / 10000, 0.02)
      assert.near(10000 - zeros, y:eq(1 / 0.75):sum(), 0)
      local g = layer:backward(x, torch.ones(100, 100))
      numbers.same(y, g)
   end)

   it('draws like Torch7: one Bernoulli number for each element, in order', function()
      local keep = torch.Tensor(4, 5):bernoulli(0.7)
      torch.manualSeed(3)
      numbers.same(keep:div(0.7), nn.Dropout(0.3):forward(torch.ones(4, 5)), 1e-15)
   end)

   it('is the identity in evaluation, or with p = 0', function()
      local layer, x = nn.Dropout(0.5), torch.randn(4, 5)
      layer:evaluate()
      numbers.same(x, layer:forward(x))
      numbers.same(x, layer:backward(x, x))
      numbers.same(x, nn.Dropout(0):forward(x))
   end)

   it('drops in evaluation when it is told to', function()
      local layer = nn.Dropout(0.5, false, false, true)
      layer:evaluate()
      assert.is_true(layer:forward(torch.ones(100)):eq(0):sum() > 0)
      -- Torch7's name of the field, which scripts set and files hold.
      layer = nn.Dropout(0.5)
      layer:evaluate()
      layer.stochastic_inference = true
      assert.is_true(layer:forward(torch.ones(100)):eq(0):sum() > 0)
   end)

   it('scales in evaluation under v1', function()
      local layer, x = nn.Dropout(0.25, true), torch.ones(100)
      local y = layer:forward(x)
      assert.equal(100, y:eq(0):sum() + y:eq(1):sum())
      layer:evaluate()
      numbers.same(x:clone():mul(0.75), layer:forward(x))
      numbers.same(x:clone():mul(0.75), layer:backward(x, x))
   end)

   it('writes over its input in place', function()
      local layer, x = nn.Dropout(0.5, false, true), torch.ones(20)
      numbers.same(layer:forward(x), x)
      local g = torch.ones(20)
      numbers.same(layer:backward(x, g), g)
      numbers.same(x, g)
   end)

   it('has a field inplace only if it was given, as in Torch7', function()
      assert.is_nil(nn.Dropout(0.5).inplace)
      assert.is_false(nn.Dropout(0.5, false, false).inplace)
   end)

   it('has the gradients of central differences', function()
      gradcheck(nn.Dropout(0.4), torch.randn(4, 5), {
         forward = function() torch.manualSeed(7) end,
      })
   end)

   it('refuses a p that is no share', function()
      local _, err = pcall(function() return nn.Dropout(1) end)
      assert.matches('Dropout_spec.*nn.Dropout: p is 1 .*, must be 0 <= p < 1', err)
      raises('nn.Dropout: p is -1 (illegal percentage), must be 0 <= p < 1', nn.Dropout.setp,
         nn.Dropout(0.5), -1)
   end)

   it('prints p', function()
      assert.equal('nn.Dropout(0.500000)', tostring(nn.Dropout()))
   end)
end)
