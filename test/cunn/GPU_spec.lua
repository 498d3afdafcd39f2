local cuda = require 'test.support.cuda'
if not cuda.available then
   return
end

local torch = require 'torch'
local nn = require 'nn'
local optim = require 'optim'
local whole = require 'optim.whole'
local cutorch = require 'cutorch'
local numbers = require 'test.support.numbers'
local raises = require 'test.support.raises'
require 'cunn'

local devices = cutorch.getDeviceCount()

describe('nn.GPU', function()
   before_each(function()
      torch.manualSeed(1)
      cutorch.setDevice(1)
   end)

   local function net_of(second)
      return nn.Sequential():add(nn.GPU(nn.Linear(4, 3), 1)):add(nn.Tanh())
         :add(nn.GPU(nn.Linear(3, 2), second, 1))
   end

   it('passes everything through on the CPU', function()
      local linear, x = nn.Linear(4, 3), torch.randn(2, 4)
      local net = nn.GPU(linear, 9)
      assert.equal(linear:forward(x), net:forward(x))
      assert.equal('nn.GPU(9) @ nn.Linear(4 -> 3)', tostring(net))
      assert.is_nil(nn.GPU.recursiveModuleDevice(net:float()))
   end)

   if devices < 2 then
      return
   end

   it('computes on several devices what the CPU does', function()
      local host = net_of(2)
      local net, x, g = host:clone():cudaDouble(), torch.randn(5, 4), torch.randn(5, 2)
      assert.equal(2, net:get(3):get(1).weight:getDevice())
      assert.equal(2, nn.GPU.recursiveModuleDevice(net:get(3).modules[1]))
      for _, m in ipairs { host, net } do
         m:zeroGradParameters()
      end
      local y = host:forward(x)
      local gx = host:backward(x, g)
      local xc, gc = x:cudaDouble(), g:cudaDouble()
      local yc = net:forward(xc)
      assert.equal(1, yc:getDevice())
      numbers.same(y, yc:double(), 1e-12)
      local gxc = net:backward(xc, gc)
      assert.equal(1, gxc:getDevice())
      numbers.same(gx, gxc:double(), 1e-12)
      numbers.same(host:get(3):get(1).gradWeight, net:get(3):get(1).gradWeight:double(), 1e-12)
      net:updateParameters(0.1)
      host:updateParameters(0.1)
      numbers.same(host:forward(x), net:forward(xc):double(), 1e-12)
      assert.equal(1, cutorch.getDevice())
   end)

   it('has a vector of parameters on each device that has some', function()
      local empty = nn.Module()
      empty.weight, empty.gradWeight = torch.CudaTensor(), torch.CudaTensor()
      local second = cutorch.withDevice(2, function() return nn.Linear(3, 2):cuda() end)
      local parameters, gradients = nn.Sequential():add(empty):add(second):getParameters()
      assert.equal(8, parameters:nElement()) -- no list: the empty tensor on device 1 is none
      assert.equal(8, gradients:nElement())

      local net = nn.Sequential():add(empty):add(nn.GPU(nn.Linear(4, 3), 2, 1))
         :add(nn.GPU(nn.Linear(3, 2), 1)):add(empty):cuda()
      parameters, gradients = net:getParameters()
      assert.equal(2, #parameters)
      for i, size in ipairs { 15, 8 } do
         assert.equal(size, parameters[i]:nElement())
         assert.equal(size, gradients[i]:nElement())
         assert.equal(3 - i, parameters[i]:getDevice())
      end
      raises('sgd: x is a list of tensors, expected one; optim.groups { optim.sgd } takes lists',
         optim.sgd, function() return 0, gradients end, parameters, {})
   end)

   it('has vectors on which an optimiser steps, or says which does', function()
      local net, x = net_of(2):cuda(), torch.randn(5, 4):cuda()
      local parameters, gradients = net:getParameters()
      local function feval()
         net:zeroGradParameters()
         local y = net:forward(x)
         net:backward(x, y:clone():fill(1))
         return y:sum(), gradients
      end
      -- FistaLS and lswolfe take no feval first
      for name, optimizer in pairs(optim) do
         if whole(optimizer) and name ~= 'FistaLS' and name ~= 'lswolfe' then
            raises(name .. ': x is a list of tensors, expected one; it looks at all parameters '
               .. 'together, which must be on one device for that. optim.groups { optim.adam }',
               optimizer, feval, parameters, {})
         end
      end
      local before = net:forward(x):sum()
      for _, name in ipairs { 'sgd', 'adam', 'rmsprop', 'adagrad' } do
         raises(('optim.groups { optim.%s } takes lists'):format(name), optim[name], feval,
            parameters, {})
         optim.groups { optim[name] }(feval, parameters, { learningRate = 0.01 }, {})
         optim.clipGradNorm(gradients, 1)
         local after = net:forward(x):sum()
         assert.is_true(after < before, name)
         before = after
      end
   end)

   it('has no vectors where types differ, whatever the devices', function()
      local second = cutorch.withDevice(2, function() return nn.Linear(3, 2):cuda() end)
      local net = nn.Sequential():add(nn.Linear(4, 3)):add(second)
      raises('the parameters are of types torch.DoubleTensor and torch.CudaTensor. Convert the '
         .. 'module to one type first', net.getParameters, net)
   end)

   it('is cloned, saved and read onto its device', function()
      local net, x = net_of(2):cuda(), torch.randn(5, 4):cuda()
      local y = net:forward(x):clone()
      for _, again in ipairs { net:clone(), torch.deserialize(torch.serialize(net)) } do
         assert.equal(2, again:get(3):get(1).weight:getDevice())
         numbers.same(y, again:forward(x), 1e-6)
      end
      assert.equal('torch.DoubleTensor', net:double():get(3):get(1).weight:type())
   end)

   it('moves to another device', function()
      local net = nn.GPU(nn.Linear(4, 3):cuda(), 2)
      assert.equal(2, net:get(1).weight:getDevice())
      local x = torch.randn(2, 4):cuda()
      local y = net:forward(x):clone()
      assert.equal(2, y:getDevice())
      net:setDevice(1)
      assert.equal(1, net:get(1).weight:getDevice())
      numbers.same(y:float(), net:forward(x):float(), 1e-6)
   end)

   it('takes tables', function()
      local net = nn.GPU(nn.ParallelTable():add(nn.MulConstant(2)):add(nn.MulConstant(3)), 2, 1)
      net:cuda()
      local x = { torch.ones(2):cuda(), torch.ones(3):cuda() }
      for _ = 1, 2 do
         local y = net:forward(x)
         numbers.equal({ 3, 3, 3 }, y[2])
         assert.equal(1, y[2]:getDevice())
         assert.equal(1, net:backward(x, y)[1]:getDevice())
         numbers.equal({ 4, 4 }, net.gradInput[1])
      end
   end)

   it('names the path of an error', function()
      local net = net_of(2):cuda()
      raises('net.1.1: nn.Linear: input is 2x5, expected N x 4', net.forward, net,
         torch.randn(2, 5):cuda())
      assert.equal(1, cutorch.getDevice())
   end)

   it('says which tensors are apart, and copies by a pattern', function()
      local a = torch.ones(2):cuda()
      local b = cutorch.withDevice(2, function() return torch.zeros(2):cuda() end)
      raises('nn.GPU: a tensor is on device 2, others are on device 1',
         nn.GPU.recursiveModuleDevice, { a, b })
      local copies = nn.GPU.recursiveSetDevice(nil, { a, { a } }, { b, { a } })
      assert.equal(2, copies[1]:getDevice())
      assert.equal(1, copies[2][1]:getDevice())
      numbers.equal({ 1, 1 }, copies[1])
   end)
end)
