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

   it('says that gradients of gradients do not go through it', function()
      local v = x:clone():requiresGrad()
      local g = torch.grad(net:forward(v):sum(), v, { createGraph = true })
      raises('gradients of gradients do not go through layers', function() g:sum():backward() end)
   end)

   it('is a plain layer under torch.noGrad', function()
      local v = x:clone():requiresGrad()
      assert.is_false(torch.noGrad(function() return net:forward(v) end):isVariable())
   end)
end)
