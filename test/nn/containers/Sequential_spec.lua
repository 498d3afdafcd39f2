local torch = require 'torch'
local nn = require 'nn'
local gradcheck = require 'test.support.gradcheck'
local numbers = require 'test.support.numbers'
local raises = require 'test.support.raises'

local function mlp()
   return nn.Sequential():add(nn.Linear(4, 5)):add(nn.Tanh()):add(nn.Linear(5, 3))
end

describe('nn.Sequential', function()
   before_each(function()
      torch.manualSeed(5)
   end)

   it('is the composition of its modules', function()
      local net, x = mlp(), torch.randn(2, 4)
      local first, second = net:get(1), net:get(3)
      local expected = second:forward(torch.tanh(first:forward(x))):clone()
      numbers.same(expected, net:forward(x))
      numbers.same(expected, net.output)
   end)

   it('is made of the modules that it is given, and ignores what is none', function()
      local a, b = nn.Linear(2, 3), nn.Tanh()
      local x = torch.randn(4, 2)
      local expected = nn.Sequential():add(a):add(b):forward(x):clone()
      assert.is_true(expected:equal(nn.Sequential(a, b, 3, 'text'):forward(x)))
      assert.equal(0, nn.Sequential({ 'a' }, nil, 3):size())
   end)

   it('takes no class for a module', function()
      raises('nn.Sequential: got the class nn.ReLU, expected a module: add(nn.ReLU(...))',
         nn.Sequential, nn.Linear(2, 3), nn.ReLU)
      raises('got the class nn.ReLU', nn.Sequential, { nn.Linear(2, 3), nn.ReLU })
   end)

   it('is made of a list of modules', function()
      local a, b = nn.Tanh(), nn.Linear(2, 2)
      local net = nn.Sequential { a, b }
      assert.equal(2, net:size())
      assert.equal(a, net:get(1))
      assert.equal(b, net:get(2))
      assert.equal(0, nn.Sequential({}):size())
   end)

   it('has the gradients of central differences', function()
      gradcheck(mlp(), torch.randn(3, 4))
      gradcheck(nn.Sequential():add(nn.SpatialConvolution(1, 2, 3, 3)):add(nn.Sigmoid())
         :add(nn.View(2 * 3 * 3):setNumInputDims(3)):add(nn.Linear(18, 2)):add(nn.LogSoftMax()),
         torch.randn(2, 1, 5, 5))
   end)

   it('computes the same by updateGradInput and accGradParameters', function()
      local net, x, g = mlp(), torch.randn(2, 4), torch.randn(2, 3)
      local _, gradients = net:getParameters()
      gradients:zero()
      net:forward(x)
      local gradInput = net:backward(x, g, 0.5):clone()
      local together = gradients:clone()
      gradients:zero()
      numbers.same(gradInput, net:updateGradInput(x, g))
      net:accGradParameters(x, g, 0.5)
      numbers.same(together, gradients)
   end)

   it('takes steps in backwardUpdate', function()
      local net, x, g = mlp(), torch.randn(2, 4), torch.randn(2, 3)
      local other = net:clone()
      net:zeroGradParameters()
      net:forward(x)
      net:backward(x, g)
      net:updateParameters(0.1)
      other:forward(x)
      other:backwardUpdate(x, g, 0.1)
      numbers.same(net:get(1).weight, other:get(1).weight, 1e-14)
      numbers.same(net:get(3).bias, other:get(3).bias, 1e-14)
   end)

   it('has the gradInput of its first module and the output of its last from the start', function()
      local first, last = nn.Linear(2, 3), nn.Linear(3, 4)
      local net = nn.Sequential():add(first):add(nn.Tanh()):add(last)
      assert.equal(first.gradInput, net.gradInput)
      assert.equal(last.output, net.output)
   end)

   it('inserts, removes, gets and counts modules', function()
      local net = nn.Sequential():add(nn.Linear(2, 3)):add(nn.Linear(3, 4))
      net:insert(nn.Tanh(), 2)
      net:insert(nn.Sigmoid())
      assert.equal(4, net:size())
      assert.equal(4, net:__len())
      assert.equal('nn.Tanh', torch.type(net:get(2)))
      assert.equal('nn.Sigmoid', torch.type(net:remove()))
      assert.equal('nn.Linear', torch.type(net:remove(1)))
      assert.equal(2, net:size())
      raises('index should be contiguous to existing modules', net.insert, net, nn.Tanh(), 4)
      raises('nn.Sequential: no module 3: there are 2', net.remove, net, 3)
   end)

   it('passes its input on when it is empty', function()
      local net, x = nn.Sequential(), torch.randn(3)
      assert.equal(x, net:forward(x))
      assert.equal(x, net:backward(x, x))
      assert.equal(0, net:getParameters():nElement())
   end)

   it('says where an error came from, and keeps its text', function()
      local net = nn.Sequential():add(nn.Identity()):add(nn.Sequential():add(nn.Linear(3, 2)))
      local ok, err = pcall(function() net:forward(torch.randn(2, 4)) end)
      assert.is_false(ok)
      assert.matches('^In 2 module of nn.Sequential:\nIn 1 module of nn.Sequential:\n', err)
      assert.matches('Sequential_spec.lua:%d+: net.2.1: nn.Linear: input is 2x4, expected N x 3',
         err)
      assert.not_matches('stack traceback:', err)
   end)

   it('calls modules in an error by their names, if they have any', function()
      local conv = nn.SpatialConvolution(3, 2, 5, 5)
      conv.name = 'conv1'
      local net = nn.Sequential():add(nn.Identity()):add(nn.Sequential():add(conv))
      net.name = 'lenet'
      for _ = 1, 2 do -- the same error again has the same text
         local _, err = pcall(function() net:forward(torch.Tensor(2, 1, 8, 8)) end)
         assert.matches('Sequential_spec.lua:%d+: lenet.2.conv1: nn.SpatialConvolution: '
            .. 'input is 2x1x8x8, expected N x 3 x H x W', err)
      end
      -- What an operation says gets the layer's name on the way.
      local _, err = pcall(function()
         nn.Sequential():add(nn.View(3)):forward(torch.Tensor(4, 2))
      end)
      assert.matches('net.1: nn.View: ', err)
   end)

   it('adds the traceback of an error that nobody raised on purpose, once', function()
      local Broken = torch.class('nn.SequentialSpecBroken', 'nn.Module', {})
      function Broken.updateOutput(self, input)
         return input + self.missing.field
      end
      local broken = torch.factory 'nn.SequentialSpecBroken'()
      local net = nn.Sequential():add(nn.Sequential():add(broken))
      local _, err = pcall(function() net:forward(torch.randn(2, 4)) end)
      assert.matches('^In 1 module of nn.Sequential:\nIn 1 module of nn.Sequential:\n', err)
      assert.matches("Sequential_spec.lua:%d+: attempt to index field 'missing'", err)
      local _, traces = err:gsub('stack traceback:', '')
      assert.equal(1, traces)
   end)

   it('keeps the path of an error that was caught on its way', function()
      local Catching = torch.class('nn.SequentialSpecCatching', 'nn.Decorator', {})
      function Catching:updateOutput(input)
         local ok, err = pcall(nn.Decorator.updateOutput, self, input)
         if self.explanation and not ok then
            nn.Container.__explain(err, self.explanation)
         end
         return ok and err or error(err, 0)
      end
      local catching = torch.factory 'nn.SequentialSpecCatching'()
      catching:__init(nn.Linear(3, 2))
      local net = nn.Sequential():add(nn.Identity()):add(catching)
      for _, explanation in ipairs { '', ' (mine)' } do
         catching.explanation = explanation ~= '' and explanation or nil
         local _, err = pcall(function() net:forward(torch.randn(2, 4)) end)
         assert.matches(': net.2.1: nn.Linear: input is 2x4, expected .*mismatch%)'
            .. explanation:gsub('%p', '%%%0') .. '$', err)
      end
   end)

   it('passes on errors that are no strings', function()
      local thrown = { reason = 'mine' }
      local Thrower = torch.class('nn.SequentialSpecThrower', 'nn.Module', {})
      function Thrower.updateOutput()
         error(thrown)
      end
      local thrower = torch.factory 'nn.SequentialSpecThrower'()
      local _, err = pcall(function() nn.Sequential():add(thrower):forward(torch.randn(1)) end)
      assert.equal(thrown, err)
   end)

   it('prints its modules, nested ones indented', function()
      local net = nn.Sequential():add(nn.Linear(2, 3)):add(nn.Sequential():add(nn.Tanh()))
      assert.equal([[
nn.Sequential {
  [input -> (1) -> (2) -> output]
  (1): nn.Linear(2 -> 3)
  (2): nn.Sequential {
    [input -> (1) -> output]
    (1): nn.Tanh
  }
}]], tostring(net))
   end)
end)

describe('nn.Maxout', function()
   it('is the largest of its linear functions', function()
      local net, x = nn.Maxout(4, 3, 2, nn.MulConstant(2)), torch.randn(5, 4)
      local y = net:get(2):forward(x * 2)
      numbers.same(torch.cmax(y:narrow(2, 1, 3), y:narrow(2, 4, 3)), net:forward(x), 1e-14)
      numbers.same(net:forward(x)[2]:clone(), net:forward(x[2]), 1e-14)
   end)
end)
