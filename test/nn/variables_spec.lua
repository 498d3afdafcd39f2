-- Layers and criterions on Variables, against their own forward and backward.
local torch = require 'torch'
local nn = require 'nn'
local raises = require 'test.support.raises'

local function same(a, b)
   assert.is_true((a - b):abs():max() < 1e-12)
end

describe('a layer on a Variable', function()
   local net, x, t, criterion
   before_each(function()
      torch.manualSeed(3)
      net = nn.Sequential():add(nn.Linear(4, 5)):add(nn.Tanh()):add(nn.Linear(5, 3))
         :add(nn.LogSoftMax())
      criterion = nn.ClassNLLCriterion()
      x, t = torch.randn(6, 4), torch.LongTensor { 1, 2, 3, 1, 2, 3 }
   end)

   -- Loss, gradient of the input and of the parameters as Torch7 computes them.
   local function reference()
      net:zeroGradParameters()
      local loss = criterion:forward(net:forward(x), t)
      local gx = net:backward(x, criterion:backward(net.output, t)):clone()
      local gradients = {}
      for i, g in ipairs((select(2, net:parameters()))) do
         gradients[i] = g:clone()
      end
      return loss, gx, gradients
   end

   it('gives the loss and the gradients of Torch7', function()
      local loss, gx, gradients = reference()
      net:zeroGradParameters()
      local v = x:clone():requiresGrad()
      local l = criterion:forward(net:forward(v), t)
      assert.near(loss, l:item(), 1e-12)
      l:backward()
      same(gx, v.grad)
      for i, g in ipairs((select(2, net:parameters()))) do
         same(gradients[i], g)
      end
   end)

   it('gives the same when it is called', function()
      local loss, gx, gradients = reference()
      net:zeroGradParameters()
      local v = x:clone():requiresGrad()
      local l = criterion(net(v), t)
      assert.near(loss, l:item(), 1e-12)
      assert.near(loss, criterion.output, 1e-12)
      l:backward()
      same(gx, v.grad)
      net:requiresGrad()
      net:zeroGradParameters()
      local y, g = net(x, torch.zeros(6, 3))
      assert.equal(0, g:norm())
      criterion:forward(y, t):backward()
      for i, expected in ipairs(gradients) do
         same(expected, (select(2, net:parameters()))[i])
      end
   end)

   it('is called without Variables as in Torch7', function()
      assert.equal(net(x), net.output)
      local y, g = net(x, torch.ones(6, 3))
      assert.is_true(y == net.output and g == net.gradInput and not y:isVariable())
      local keeps = nn.Module()
      function keeps:updateOutput(input) -- and returns nothing
         self.output = input * 2
      end
      assert.equal(8, keeps(torch.ones(4)):sum())
   end)

   it('may be used several times before backward', function()
      local v = torch.randn(6, 4):requiresGrad()
      local layer = nn.Linear(4, 4)
      layer:zeroGradParameters()
      local function f(input)
         return layer:forward(torch.tanh(layer:forward(input))):sum()
      end
      f(v):backward()
      local weight, bias = layer.weight, layer.bias
      local w, b = weight:clone():requiresGrad(), bias:clone():requiresGrad()
      local u = v:detach():clone():requiresGrad()
      local function linear(input)
         return input * w:t() + b:view(1, 4):expand(6, 4)
      end
      linear(torch.tanh(linear(u))):sum():backward()
      same(u.grad, v.grad)
      same(w.grad, layer.gradWeight)
      same(b.grad, layer.gradBias)
   end)

   it('is recorded for plain tensors when it is asked to', function()
      local _, _, gradients = reference()
      net:requiresGrad()
      net:zeroGradParameters()
      criterion:forward(net:forward(x), t):backward()
      for i, g in ipairs((select(2, net:parameters()))) do
         same(gradients[i], g)
      end
      net:requiresGrad(false)
      assert.is_false(net:forward(x):isVariable())
   end)

   it('takes and gives tables', function()
      local a, b = torch.randn(3):requiresGrad(), torch.randn(3):requiresGrad()
      local y = nn.CMulTable():forward { a, b }
      y:sum():backward()
      same(b:detach(), a.grad)
      same(a:detach(), b.grad)
      local parts = nn.SplitTable(1):forward(torch.randn(2, 3):requiresGrad())
      assert.is_true(parts[2]:isVariable())
   end)

   it('leaves parameters alone where only gradients are asked for', function()
      net:zeroGradParameters()
      local v = x:clone():requiresGrad()
      torch.grad(net:forward(v):sum(), v)
      assert.equal(0, net:get(1).gradWeight:norm())
   end)

   it('says where gradients of gradients do not go through it', function()
      local Round = torch.class('nn.SpecRound', 'nn.Identity', {}) -- straight through
      function Round:updateOutput(input)
         self.output = torch.round(input)
         return self.output
      end
      local round = torch.factory('nn.SpecRound')()
      round.gradInput = torch.Tensor()
      local v = x:clone():requiresGrad()
      local g = torch.grad(round:forward(v):sum(), v, { createGraph = true })
      assert.equal(0, (g:detach() - 1):abs():max())
      raises('nn.SpecRound: gradients of gradients do not go through it, since its forward',
         function() g:sum():backward() end)
   end)

   it('is a plain layer under torch.noGrad', function()
      local v = x:clone():requiresGrad()
      assert.is_false(torch.noGrad(function() return net:forward(v) end):isVariable())
   end)
end)

local function values(t)
   return t:totable()
end

describe('a layer in place', function()
   -- Gradients of plain calls, without `inplace`: what a layer in place must give, too.
   local layers = {
      ReLU = function(inplace) return nn.ReLU(inplace) end,
      ReLU6 = function(inplace) return nn.ReLU6(inplace) end,
      LeakyReLU = function(inplace) return nn.LeakyReLU(0.1, inplace) end,
      ELU = function(inplace) return nn.ELU(1, inplace) end,
      RReLU = function(inplace) return nn.RReLU(0.1, 0.1, inplace) end,
      Threshold = function(inplace) return nn.Threshold(0, 0, inplace) end,
      HardTanh = function(inplace) return nn.HardTanh(-1, 1, inplace) end,
      MulConstant = function(inplace) return nn.MulConstant(3, inplace) end,
      AddConstant = function(inplace) return nn.AddConstant(3, inplace) end,
   }

   for name, make in pairs(layers) do
      it(('(nn.%s) leaves its input and the gradient it is given alone'):format(name), function()
         local input = torch.Tensor { -2, -0.5, 0.5, 2 }
         local layer = make(false)
         layer:forward(input)
         local wanted = layer:backward(input, torch.ones(4)):clone()
         local x, w = input:clone():requiresGrad(), torch.zeros(4):requiresGrad()
         local h = x * 1
         -- the sum's gradient repeats one element, and w has the same
         ;(make(true):forward(h) + w):sum():backward()
         same(wanted, x.grad)
         assert.same({ 1, 1, 1, 1 }, values(w.grad))
         assert.same(values(input), values(h))
         make(true):forward(x)
         assert.same(values(input), values(x))
      end)
   end

   it('at the end of a marked net has the gradients of Torch7', function()
      torch.manualSeed(1)
      local net = nn.Sequential():add(nn.Linear(3, 4)):add(nn.ReLU(true))
      local x = torch.rand(5, 3)
      net:zeroGradParameters()
      net:backward(x, net:forward(x):clone():fill(1))
      local wanted = net:get(1).gradWeight:clone()
      net:requiresGrad():zeroGradParameters()
      net:forward(x):sum():backward()
      same(wanted, net:get(1).gradWeight)
   end)
end)

describe('a layer that waits for backward', function()
   it('may be called without being recorded', function()
      local layer, x = nn.Tanh(), torch.Tensor { 0.5 }:requiresGrad()
      local slope = 1 - math.tanh(0.5) ^ 2
      for _, call in ipairs {
         function() layer:forward(torch.Tensor { 5 }) end,
         function() torch.noGrad(layer.forward, layer, x:detach() * 3) end,
      } do
         x:zeroGrad()
         local y = layer:forward(x)
         call()
         y:backward()
         assert.near(slope, x.grad[1], 1e-12)
      end
      -- the unrecorded call is the layer's own: Torch7's backward follows it
      local y, z = layer:forward(x), torch.Tensor { 3 }
      layer:forward(z)
      assert.near(1 - math.tanh(3) ^ 2, layer:backward(z, torch.ones(1))[1], 1e-12)
      x:zeroGrad()
      y:backward()
      assert.near(slope, x.grad[1], 1e-12)
   end)

   it('may be called several times, again and again', function()
      local layer = nn.Tanh()
      local x, z = torch.Tensor { 0.5 }:requiresGrad(), torch.Tensor { 3 }:requiresGrad()
      for i = 1, 3 do
         torch.cmul(layer:forward(x), layer:forward(z)):backward()
         local a, b = math.tanh(0.5), math.tanh(3)
         assert.near(i * (1 - a ^ 2) * b, x.grad[1], 1e-12)
         assert.near(i * (1 - b ^ 2) * a, z.grad[1], 1e-12)
      end
   end)

   it('keeps what it has given', function()
      local layer = nn.Sequential():add(nn.Tanh())
      local y = layer:forward(torch.Tensor { 0.5 }:requiresGrad())
      layer:forward(torch.Tensor { 5 })
      assert.near(math.tanh(0.5), y:item(), 1e-12)
      assert.near(math.tanh(5), layer.output[1], 1e-12)
   end)

   it('may be part of what is called, or contain it', function()
      torch.manualSeed(2)
      local net = nn.Sequential():add(nn.Linear(2, 3)):add(nn.Sigmoid()):add(nn.Linear(3, 1))
      local fake, real = torch.randn(4, 2):requiresGrad(), torch.randn(4, 2)
      net:forward(fake):sum():backward()
      local wanted = fake.grad:clone()
      for name, call in pairs {
         whole = function() net:forward(real) end,
         part = function() net:get(2):forward(torch.ones(4, 3)) end,
         ['part, recorded'] = function() net:get(2):forward(torch.ones(4, 3):requiresGrad()) end,
         ['another that shares a part'] = function()
            nn.Sequential():add(net:get(2)):forward(torch.ones(4, 3))
         end,
      } do
         fake:zeroGrad()
         local y = net:forward(fake):sum()
         call()
         y:backward()
         assert.is_true((wanted - fake.grad):abs():max() < 1e-12, name)
      end
      local x = torch.ones(4, 3):requiresGrad()
      local y = net:get(2):forward(x):sum()
      net:forward(real)
      y:backward()
      local s = 1 / (1 + math.exp(-1))
      assert.near(s * (1 - s), x.grad[1][1], 1e-12)
   end)

   it('notices that its parameters change', function()
      local layer, x = nn.Linear(2, 1), torch.ones(2):requiresGrad()
      local y = layer:forward(x)
      layer.weight:fill(7)
      raises('the derivative of nn.Linear reads what it kept, a tensor of 1x2 that was changed in '
         .. 'place since', y.backward, y)
      local z = nn.View(2):forward(x * 1)
      raises('the derivative of nn.View reads what it kept', function()
         z:add(1):sum():backward()
      end)
      local target = torch.ones(2)
      local loss = nn.MSECriterion():forward(x, target)
      target:fill(3)
      raises('the derivative of nn.MSECriterion reads what it kept', loss.backward, loss)
   end)
end)

describe('a second use of a layer', function()
   local function twice(layer, input)
      return layer:forward(layer:forward(input))
   end

   it('sees what has changed since the last one', function()
      local x = torch.ones(2):requiresGrad()
      local net = nn.Sequential():add(nn.MulConstant(2))
      twice(net, x):sum():backward()
      net:add(nn.MulConstant(5))
      assert.same({ 100, 100 }, values(twice(net, x)))
      local scale = nn.MulConstant(2)
      twice(scale, x):sum():backward()
      scale.constant_scalar = 10
      assert.same({ 100, 100 }, values(twice(scale, x)))
      local drop, ones = nn.Dropout(0.5), torch.ones(100):requiresGrad()
      twice(drop, ones):sum():backward()
      drop:setp(0)
      assert.equal(100, twice(drop, ones):sum():item())
      drop:setp(0.5)
      drop:evaluate()
      assert.equal(100, twice(drop, ones):sum():item())
   end)

   it('follows conversions', function()
      local layer, x = nn.Linear(2, 2), torch.ones(2):requiresGrad()
      twice(layer, x):sum():backward()
      layer:float()
      local y = torch.FloatTensor(2):fill(1):requiresGrad()
      twice(layer, y):sum():backward()
      local w = layer.weight
      for j = 1, 2 do
         local wanted = 0
         for i = 1, 2 do
            for k = 1, 2 do
               wanted = wanted + w[i][k] * w[k][j]
            end
         end
         assert.near(wanted, y.grad[j], 1e-6)
      end
   end)
end)

describe('which parameters learn', function()
   local net, x
   before_each(function()
      torch.manualSeed(4)
      net = nn.Sequential():add(nn.Linear(2, 2)):add(nn.Linear(2, 2))
      net:zeroGradParameters()
      x = torch.rand(3, 2)
   end)

   it('is said of parts, too', function()
      net:requiresGrad()
      net:get(1):requiresGrad(false)
      net:forward(x):sum():backward()
      assert.equal(0, net:get(1).gradWeight:norm())
      assert.is_true(net:get(2).gradWeight:norm() > 0)
      assert.is_nil(rawget(net:get(1), 'accGradParameters'))
   end)

   it('is no part of a net that is not to learn, through which gradients go', function()
      net:requiresGrad(false)
      local v = x:clone():requiresGrad()
      net:forward(v):sum():backward()
      assert.equal(0, net:get(1).gradWeight:norm())
      assert.equal(0, net:get(2).gradBias:norm())
      local wanted = net:get(2).weight:t() * torch.ones(2)
      same((net:get(1).weight:t() * wanted):view(1, 2):expand(3, 2), v.grad)
   end)

   it('holds for containers of a marked part, and for clones', function()
      net:get(2):requiresGrad()
      assert.is_true(net:forward(x):isVariable())
      local copy = net:clone()
      copy:zeroGradParameters()
      copy:forward(x):sum():backward()
      assert.equal(3, copy:get(2).gradBias[1])
   end)
end)

it('nothing stays of layers that nobody has any more', function()
   local functions = require 'torch.variables.functions'
   local function drop()
      for _ = 1, 20 do
         nn.Linear(30, 30):forward(torch.rand(30):requiresGrad())
      end
      collectgarbage()
      collectgarbage()
      return functions.count()
   end
   local before = drop()
   assert.equal(before, drop())
   local net = nn.Linear(3, 3):requiresGrad()
   for _ = 1, 20 do
      net:forward(torch.rand(3))
   end
   collectgarbage()
   collectgarbage()
   assert.equal(before, functions.count())
end)

it('getParameters keeps weights that are Variables themselves', function()
   local layer = nn.Linear(2, 2)
   layer.weight:requiresGrad()
   layer:getParameters()
   assert.is_true(layer.weight:isVariable())
end)
