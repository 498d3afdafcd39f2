-- Max, Min, Sum, Mean, Normalize.
local torch = require 'torch'
local nn = require 'nn'
local numbers = require 'test.support.numbers'
local raises = require 'test.support.raises'

local x = torch.Tensor { { 1, 5, 3 }, { 4, 2, 6 } }

describe('nn.Max and nn.Min', function()
   it('take the extreme elements, and give them the gradient', function()
      local max, min = nn.Max(2), nn.Min(1)
      numbers.equal({ 5, 6 }, max:forward(x))
      numbers.equal({ { 0, 7, 0 }, { 0, 0, 8 } }, max:backward(x, torch.Tensor { 7, 8 }))
      numbers.equal({ 1, 2, 3 }, min:forward(x))
      numbers.equal({ { 1, 0, 3 }, { 0, 2, 0 } }, min:backward(x, torch.Tensor { 1, 2, 3 }))
   end)

   it('count dimensions in a sample, or from the end', function()
      numbers.equal({ 5, 6 }, nn.Max(1, 1):forward(x))
      numbers.equal({ 5 }, nn.Max(1, 1):forward(x[1]))
      numbers.equal({ 1, 2 }, nn.Min(-1):forward(x))
      numbers.equal({ 4, 5, 6 }, nn.Max():forward(x))
   end)

   it('tell the dimension of a batch', function()
      assert.equal(2, nn.Max(1, 1):_getPositiveDimension(x))
      assert.equal(2, nn.Sum(-1):_getPositiveDimension(x))
   end)

   it('say what they lack', function()
      local max = nn.Max(3)
      raises('nn.Max: input is 2x3, expected 3 dimensions or more', max.forward, max, x)
   end)
end)

describe('nn.Sum and nn.Mean', function()
   it('add up, divide, and keep the dimension when asked to', function()
      numbers.equal({ 9, 12 }, nn.Sum(2):forward(x))
      numbers.equal({ 3, 4 }, nn.Mean(2):forward(x))
      numbers.equal({ 3, 4 }, nn.Sum(1, 1, true):forward(x))
      numbers.equal({ { 5, 7, 9 } }, nn.Sum(1, nil, false, false):forward(x))
      numbers.equal({ { 3 }, { 4 } }, nn.Mean(-1, nil, false):forward(x))
      numbers.equal({ 9 }, nn.Sum(1):forward(x[1]))
      local mean = nn.Mean(2)
      mean:forward(x)
      numbers.equal({ { 1, 1, 1 }, { 2, 2, 2 } }, mean:backward(x, torch.Tensor { 3, 6 }))
   end)
end)

describe('nn.Normalize', function()
   it('divides by the norm', function()
      numbers.equal({ 0.6, 0.8 }, nn.Normalize(2):forward(torch.Tensor { 3, 4 }), 1e-9)
      numbers.equal({ { 0.25, -0.75 } }, nn.Normalize(1):forward(torch.Tensor { { 1, -3 } }), 1e-9)
      numbers.equal({ { 1 / 3, -1 } }, nn.Normalize(math.huge):forward(torch.Tensor { { 1, -3 } }),
         1e-9)
      numbers.equal({ { 0, 0 } }, nn.Normalize(2):forward(torch.zeros(1, 2)))
   end)

   it('prints p, and refuses what is no norm', function()
      assert.equal('nn.Normalize(2)', tostring(nn.Normalize(2)))
      assert.equal('nn.Normalize(1.500000)', tostring(nn.Normalize(1.5)))
      raises('nn.Normalize: p is -1, expected a number above 0', nn.Normalize, -1)
   end)
end)
