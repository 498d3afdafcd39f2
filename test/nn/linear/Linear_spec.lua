local torch = require 'torch'
local nn = require 'nn'
local gradcheck = require 'test.support.gradcheck'
local numbers = require 'test.support.numbers'

local function small_layer()
   local layer = nn.Linear(2, 3)
   layer.weight:copy(torch.Tensor { { 1, 2 }, { 3, 4 }, { 5, 6 } })
   layer.bias:copy(torch.Tensor { 0.1, 0.2, 0.3 })
   return layer
end

describe('nn.Linear', function()
   before_each(function()
      torch.manualSeed(1)
   end)

   it('computes x W\' + b for a batch and for one sample', function()
      local layer = small_layer()
      numbers.equal({ { 5.1, 11.2, 17.3 }, { -0.9, -0.8, -0.7 } },
         layer:forward(torch.Tensor { { 1, 2 }, { 1, -1 } }), 1e-12)
      numbers.equal({ 5.1, 11.2, 17.3 }, layer:forward(torch.Tensor { 1, 2 }), 1e-12)
   end)

   it('computes x W\' without bias', function()
      local layer = small_layer():noBias()
      numbers.equal({ { 5, 11, 17 } }, layer:forward(torch.Tensor { { 1, 2 } }), 1e-12)
      numbers.equal({ 5, 11, 17 }, layer:forward(torch.Tensor { 1, 2 }), 1e-12)
      assert.equal(1, #layer:parameters())
      assert.is_nil(nn.Linear(2, 3, false).bias)
   end)

   it('has the gradients of central differences', function()
      gradcheck(nn.Linear(5, 4), torch.randn(3, 5))
      gradcheck(nn.Linear(5, 4), torch.randn(5))
      gradcheck(nn.Linear(5, 4, false), torch.randn(3, 5))
      gradcheck(nn.Linear(5, 1), torch.randn(3, 5))
   end)

   it('takes inputs with gaps', function()
      local layer, x = nn.Linear(5, 4), torch.randn(5, 3)
      numbers.same(layer:forward(x:t():clone()):clone(), layer:forward(x:t()), 1e-12)
   end)

   it('starts uniform in ±1/sqrt(inputSize), weight first', function()
      local layer = nn.Linear(100, 50)
      assert.is_true(layer.weight:max() <= 0.1 and layer.weight:max() > 0.099)
      assert.is_true(layer.weight:min() >= -0.1 and layer.weight:min() < -0.099)
      torch.manualSeed(5)
      local weight, bias = torch.Tensor(3, 4):uniform(-0.5, 0.5), torch.Tensor(3):uniform(-0.5, 0.5)
      torch.manualSeed(5)
      layer = nn.Linear(4, 3)
      numbers.same(weight, layer.weight)
      numbers.same(bias, layer.bias)
      torch.manualSeed(5)
      layer:reset(1 / math.sqrt(12))
      numbers.same(weight, layer.weight, 1e-15)
   end)

   it('skips gradInput when it has been set to nil', function()
      local layer = nn.Linear(2, 2)
      layer.gradInput = nil
      layer:zeroGradParameters()
      local x = torch.randn(3, 2)
      layer:forward(x)
      assert.is_nil(layer:backward(x, torch.ones(3, 2)))
      numbers.same(x:sum(1):view(-1), layer.gradWeight[1], 1e-12)
   end)

   it('says how to flatten an input with too many dimensions', function()
      local function advice(...)
         local sizes, layer = { ... }, nn.Linear(784, 10)
         local ok, err = pcall(function()
            layer:forward(torch.Tensor(unpack(sizes)))
         end)
         assert.is_false(ok)
         return err:match 'Linear_spec%.lua:%d+: (.*)'
      end
      assert.equal('nn.Linear: input is 32x28x28, expected N x 784 or 784. Flatten its samples '
         .. 'first: nn.View(784):setNumInputDims(2)', advice(32, 28, 28))
      assert.equal('nn.Linear: input is 1x28x28, expected N x 784 or 784. Flatten it first: '
         .. 'nn.View(784)', advice(1, 28, 28))
      -- Taken at its word for a batch of one, a batch of two would have other samples.
      assert.equal('nn.Linear: input is 1x8x14x14, expected N x 784 or 784. Its samples have 1568 '
         .. 'elements: nn.View(1568):setNumInputDims(3) flattens them, for nn.Linear(1568, 10)',
         advice(1, 8, 14, 14))
      assert.equal('nn.Linear: input is 1568, expected N x 784 or 784 (size mismatch). For 2 '
         .. 'samples: nn.View(784)', advice(1568))
      assert.equal('nn.Linear: input is 100, expected N x 784 or 784 (size mismatch)', advice(100))
      assert.equal('nn.Linear: input is 2x3x784, expected N x 784 or 784. For each row of its last '
         .. 'dimension: nn.Bottle(nn.Linear(784, 10))', advice(2, 3, 784))
      assert.same({ 2, 3, 10 },
         nn.Bottle(nn.Linear(784, 10)):forward(torch.ones(2, 3, 784)):size():totable())
   end)

   it('says when sizes do not match, when types differ, and when there is no tensor', function()
      local layer = nn.Linear(3, 4)
      local function message(x)
         return select(2, pcall(layer.forward, layer, x))
      end
      assert.matches('nn.Linear: input is 2x5, expected N x 3 or 3 %(size mismatch%)',
         message(torch.Tensor(2, 5)))
      local x = torch.FloatTensor(2, 3)
      assert.matches(('input is a %s, but the layer is of type %s'):format(x:type(), layer:type()),
         message(x), 1, true)
      assert.matches('input is nil, expected a tensor', message(nil))
      assert.matches('input is a table, expected a tensor', message({}))
      layer:forward(torch.randn(2, 3))
      local ok, err = pcall(layer.backward, layer, torch.randn(2, 3), nil)
      assert.is_false(ok)
      assert.matches('gradOutput is nil', err)
   end)

   it('prints its sizes', function()
      assert.equal('nn.Linear(2 -> 3)', tostring(nn.Linear(2, 3)))
      assert.equal('nn.Linear(2 -> 3) without bias', tostring(nn.Linear(2, 3, false)))
   end)
end)
