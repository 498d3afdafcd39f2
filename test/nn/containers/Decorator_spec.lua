-- Containers of one module.
local torch = require 'torch'
local nn = require 'nn'
local fake_clock = require 'test.support.fake_clock'
local numbers = require 'test.support.numbers'
local raises = require 'test.support.raises'

describe('nn.Decorator', function()
   it('passes everything on', function()
      local linear, x = nn.Linear(3, 2), torch.randn(4, 3)
      local net, g = nn.Decorator(linear), torch.randn(4, 2)
      local twin = linear:clone()
      numbers.same(twin:forward(x), net:forward(x))
      net:zeroGradParameters()
      twin:zeroGradParameters()
      numbers.same(twin:backward(x, g, 0.5), net:backward(x, g, 0.5))
      numbers.same(twin.gradWeight, linear.gradWeight)
      net:accUpdateGradParameters(x, g, 0.1)
      twin:accUpdateGradParameters(x, g, 0.1)
      numbers.same(twin.weight, linear.weight)
      assert.equal('nn.Decorator @ nn.Linear(3 -> 2)', tostring(net))
      raises('nn.Decorator: module is 3, expected a module', nn.Decorator, 3)
   end)
end)

describe('nn.Bottle', function()
   it('makes one dimension of the first', function()
      local linear = nn.Linear(4, 5)
      local net, x = nn.Bottle(linear), torch.randn(2, 3, 4)
      local y = net:forward(x):clone()
      assert.same({ 2, 3, 5 }, y:size():totable())
      numbers.same(linear:forward(x:view(6, 4)), y:view(6, 5))
      assert.same({ 2, 3, 4 }, net:backward(x, y):size():totable())
      assert.same({ 7, 5 }, net:forward(torch.randn(7, 4)):size():totable())
   end)

   it('knows modules of other dimensions', function()
      local net, x = nn.Bottle(nn.View(-1):setNumInputDims(2), 3, 2), torch.randn(2, 3, 4, 5)
      assert.same({ 2, 3, 20 }, net:forward(x):size():totable())
      numbers.same(x, net:backward(x, x:view(2, 3, 20)))
      assert.equal(1, net.dimDelta)
      raises('nn.Bottle: input is 4x5, expected 3 dimensions or more', net.forward, net,
         torch.randn(4, 5))
   end)
end)

describe('nn.WeightNorm', function()
   it('computes with g v / |v|, with 1e-4 under the root', function()
      local linear = nn.Linear(2, 2)
      local net = nn.WeightNorm(linear)
      net.v:copy(torch.Tensor { { 3, 4 }, { 0, 2 } })
      net.g:copy(torch.Tensor { 10, 1 })
      local a, b = 10 / math.sqrt(25 + 1e-4), 1 / math.sqrt(4 + 1e-4)
      numbers.equal({ 5.5 * a, 2 * b }, net:forward(torch.Tensor { 0.5, 1 }), 1e-14)
      numbers.equal({ { 3 * a, 4 * a }, { 0, 2 * b } }, linear.weight, 1e-14)
   end)

   it('starts with the length of v, and without a bias', function()
      local net = nn.WeightNorm(nn.SpatialFullConvolution(2, 3, 2, 2), 2)
      assert.same({ 3, 8 }, net.v:size():totable())
      for i = 1, 3 do
         assert.near(net.v[i]:norm(), net.g[i], 1e-12)
      end
      numbers.equal({ 0, 0, 0 }, net.bias)
      local w = torch.mul(net.v[2], net.g[2] / math.sqrt(net.g[2] ^ 2 + 1e-4))
      numbers.same(w:view(2, 2, 2), net.weight:select(2, 2), 1e-12)
      numbers.same(net.weight, net:permuteOut(net:permuteIn(net.weight)))
   end)

   it('learns v, g and the bias', function()
      local net, x, g = nn.WeightNorm(nn.Linear(3, 2)), torch.randn(4, 3), torch.randn(4, 2)
      assert.equal(6 + 2 + 2, net:getParameters():nElement())
      local other = net:clone()
      net:forward(x)
      net:zeroGradParameters()
      net:backward(x, g)
      net:updateParameters(0.1)
      other:forward(x)
      other:backwardUpdate(x, g, 0.1)
      numbers.same(net.v, other.v, 1e-14)
      numbers.same(net.bias, net:get(1).bias)
      numbers.same(net:forward(x), other:forward(x), 1e-13)
   end)

   it('computes the weight once for an evaluation', function()
      local net, x = nn.WeightNorm(nn.Linear(3, 2)), torch.randn(3)
      net.g:mul(2)
      net:evaluate()
      local y = net:forward(x):clone()
      net.g:mul(2)
      numbers.same(y, net:forward(x))
      net:training()
      numbers.same(y * 2, net:forward(x), 1e-12)
   end)

   it('computes the weight that files of Torch7 leave out', function()
      local linear = nn.Linear(3, 2)
      local net, x = nn.WeightNorm(linear), torch.randn(3)
      local y = net:forward(x):clone()
      net.weight, net.gradWeight, linear.weight, linear.gradWeight = nil, nil, nil, nil
      local again = net:clone()
      again:evaluate()
      numbers.same(y, again:forward(x), 1e-14)
      assert.equal(again.weight, again:get(1).weight)
   end)

   it('wants a module with a weight', function()
      raises('nn.WeightNorm: module is nn.Tanh, expected one with a weight', nn.WeightNorm,
         nn.Tanh())
   end)
end)

describe('nn.DontCast', function()
   local x, g = torch.randn(3, 4), torch.randn(3, 2)

   it('keeps the type of its module, and converts what goes in and out', function()
      local linear = nn.Linear(4, 2):float()
      local net, twin = nn.DontCast(linear, true), linear:clone()
      net:zeroGradParameters()
      assert.equal('torch.DoubleTensor', net:forward(x):type())
      local y = twin:forward(x:float())
      numbers.same(y:double(), net:forward(x))
      numbers.same(twin:backward(x:float(), g:float()):double(), net:backward(x, g))
      net:float()
      assert.equal('torch.FloatTensor', net:forward(x:float()):type())
      net:double()
      assert.equal('torch.FloatTensor', linear.weight:type())
      assert.equal('torch.DoubleTensor', net:backward(x, g):type())
   end)

   it('converts tables, and nothing if it is not asked to', function()
      local inner = nn.ParallelTable():add(nn.Linear(4, 2)):add(nn.Tanh()):float()
      local net = nn.DontCast(inner, true)
      local y = net:forward { x, x }
      assert.equal('torch.DoubleTensor', y[2]:type())
      assert.equal('torch.FloatTensor', inner.output[2]:type())
      local plain = nn.DontCast(nn.Tanh():float())
      assert.equal('torch.FloatTensor', plain:forward(x:float()):type())
      raises('input is a torch.DoubleTensor, but the layer is of type torch.FloatTensor',
         plain.forward, plain, x)
   end)
end)

describe('nn.NaN', function()
   local nan = 0 / 0

   it('says where it found one', function()
      local linear = nn.Linear(3, 4)
      local net = nn.Sequential():add(nn.NaN(linear, 7))
      linear:zeroGradParameters()
      local x, g = torch.randn(2, 3), torch.randn(2, 4)
      net:forward(x)
      net:backward(x, g)
      local module = ' of module :\nnn.NaN(7) @ nn.Linear(3 -> 4)'
      raises('net.1: nn.NaN: NaN found in input' .. module, net.forward, net, x:clone():fill(nan))
      raises('nn.NaN: NaN found in gradOutput' .. module, net.backward, net, x, g:clone():fill(nan))
      linear.gradBias:fill(nan)
      raises('nn.NaN: NaN found in gradParameters' .. module, net.backward, net, x, g)
      linear.bias:fill(nan)
      raises('nn.NaN: NaN found in parameters' .. module, net.forward, net, x)
   end)

   it('numbers its objects, and tells NaN from infinity', function()
      local a, b = nn.NaN(nn.Identity()), nn.NaN(nn.Identity())
      assert.equal(a.id + 1, b.id)
      assert.is_false(a:recursiveIsNaN { torch.Tensor { 1 / 0, -1 / 0 }, { torch.Tensor() } })
      assert.is_true(a:recursiveIsNaN { torch.ones(1), { torch.Tensor { 1, nan } } })
   end)
end)

describe('nn.Profile', function()
   it('adds up the time of its module, and prints at intervals', function()
      local time = fake_clock.start()
      local Slow = torch.class('nn.ProfileSpecSlow', 'nn.Identity', {})
      function Slow:updateOutput(input)
         time:pass { real = 0.25 }
         self.output = input
         return input
      end
      function Slow:updateGradInput(_, gradOutput)
         time:pass { real = 0.5 }
         self.gradInput = gradOutput
         return gradOutput
      end
      local printed, old = {}, print
      _G.print = function(line)
         printed[#printed + 1] = line
      end
      local ok, err = pcall(function()
         local net, x = nn.Profile(torch.factory 'nn.ProfileSpecSlow'(), 2, 'slow'), torch.ones(2)
         net.modules[1]:__init()
         for _ = 1, 4 do
            assert.equal(x, net:forward(x))
            assert.equal(x, net:backward(x, x))
            time:pass { real = 8 }
         end
      end)
      _G.print = old
      fake_clock.stop()
      assert(ok, err)
      assert.same({
         'slow took 0.500 seconds for 2 forward passes',
         'slow took 1.000 seconds for 2 backward passes',
         'slow took 1.000 seconds for 4 forward passes',
         'slow took 2.000 seconds for 4 backward passes',
      }, printed)
   end)
end)
