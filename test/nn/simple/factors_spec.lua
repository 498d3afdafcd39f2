-- Mul, Add, CMul, MulConstant, AddConstant.
local torch = require 'torch'
local nn = require 'nn'
local numbers = require 'test.support.numbers'
local raises = require 'test.support.raises'

describe('nn.Mul, nn.Add and nn.CMul', function()
   local x = torch.Tensor { { 1, 2, 3 }, { 4, 5, 6 } }

   it('compute their formulas', function()
      local mul, add, one = nn.Mul(), nn.Add(3), nn.Add(3, true)
      mul.weight:fill(2)
      add.bias:copy(torch.Tensor { 10, 20, 30 })
      one.bias:fill(7)
      numbers.equal({ { 2, 4, 6 }, { 8, 10, 12 } }, mul:forward(x))
      numbers.equal({ { 11, 22, 33 }, { 14, 25, 36 } }, add:forward(x))
      numbers.equal({ 11, 22, 33 }, add:forward(x[1]))
      numbers.equal({ { 8, 9, 10 }, { 11, 12, 13 } }, one:forward(x))
   end)

   it('repeat factors along dimensions of size 1', function()
      local layer = nn.CMul(1, 3)
      layer.weight:copy(torch.Tensor { { 1, 10, 100 } })
      numbers.equal({ { 1, 20, 300 }, { 4, 50, 600 } }, layer:forward(x))
      layer = nn.CMul(torch.LongStorage { 3 })
      layer.weight:copy(torch.Tensor { 1, 10, 100 })
      numbers.equal({ { 1, 20, 300 }, { 4, 50, 600 } }, layer:forward(x))
      numbers.equal({ 1, 20, 300 }, layer:forward(x[1]))
      assert.equal('nn.CMul(1x3)', tostring(nn.CMul(1, 3)))
   end)

   it('start uniform in ±1/sqrt(number of parameters)', function()
      assert.is_true(math.abs(nn.Mul().weight[1]) <= 1)
      local bias, weight = nn.Add(100).bias, nn.CMul(10, 10).weight
      for _, p in ipairs { bias, weight } do
         assert.is_true(p:max() <= 0.1 and p:max() > 0.08)
         assert.is_true(p:min() >= -0.1 and p:min() < -0.08)
      end
   end)

   it('say what they got and what they expected', function()
      local add, cmul = nn.Add(4), nn.CMul(2, 4)
      raises('nn.Add: input is 2x3, expected samples of 4 elements', add.forward, add, x)
      raises('nn.CMul: input is 2x3, expected 2x4 or N x 2x4', cmul.forward, cmul, x)
   end)
end)

describe('nn.MulConstant and nn.AddConstant', function()
   it('compute their formulas, in place too', function()
      local x = torch.Tensor { 1, 2 }
      numbers.equal({ 3, 6 }, nn.MulConstant(3):forward(x))
      numbers.equal({ 4, 5 }, nn.AddConstant(3):forward(x))
      numbers.equal({ 1, 2 }, x)
      local layer, g = nn.MulConstant(3, true), torch.ones(2)
      layer:forward(x)
      numbers.equal({ 3, 6 }, x)
      layer:backward(x, g)
      numbers.equal({ 3, 3 }, g)
      numbers.equal({ 1, 2 }, x)
      layer = nn.AddConstant(1, true)
      layer:forward(x)
      numbers.equal({ 2, 3 }, x)
      assert.equal(g:data(), layer:backward(x, g):data())
      numbers.equal({ 1, 2 }, x)
      layer = nn.MulConstant(0, true)
      layer:forward(x)
      layer:backward(x, g)
      numbers.equal({ 0, 0 }, x)
   end)

   it('add a tensor to each sample', function()
      local x = torch.Tensor { { 1, 2 }, { 3, 4 } }
      numbers.equal({ { 11, 22 }, { 13, 24 } }, nn.AddConstant(torch.Tensor { 10, 20 }):forward(x))
      numbers.equal({ { 2, 4 }, { 6, 8 } }, nn.AddConstant(x):forward(x))
      local layer = nn.AddConstant(torch.Tensor { 10, 20 }, true)
      layer:backward(layer:forward(x), x:clone())
      numbers.equal({ { 1, 2 }, { 3, 4 } }, x)
      raises('nn.AddConstant: constant_scalar is nil, expected a number or a tensor',
         nn.AddConstant)
   end)
end)
