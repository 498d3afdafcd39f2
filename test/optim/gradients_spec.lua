-- What is done to gradients before a step: clipping, accumulation.

local torch = require 'torch'
local optim = require 'optim'
local numbers = require 'test.support.numbers'
local raises = require 'test.support.raises'

-- The norm, which on a device comes as a tensor.
local function number(x) return torch.isTensor(x) and x[1] or x end

describe('optim.clipGradNorm', function()
   it('scales a tensor down to the norm, and leaves smaller ones alone', function()
      local g = torch.FloatTensor { 3, 0, -4 }
      assert.near(5, number(optim.clipGradNorm(g, 2.5)), 1e-5)
      numbers.equal({ 1.5, 0, -2 }, g, 1e-5)
      assert.near(2.5, number(optim.clipGradNorm(g, 10)), 1e-5)
      numbers.equal({ 1.5, 0, -2 }, g, 1e-5)
   end)

   it('counts all tensors of a list, of any shape and strides', function()
      local a, b = torch.DoubleTensor(2, 2):fill(1), torch.DoubleTensor(3, 2):fill(2)
      local column = b:select(2, 1)
      assert.near(4, number(optim.clipGradNorm({ a, column }, 2)), 1e-12)
      numbers.equal({ { 0.5, 0.5 }, { 0.5, 0.5 } }, a, 1e-6)
      numbers.equal({ { 1, 2 }, { 1, 2 }, { 1, 2 } }, b, 1e-6)
   end)

   it('counts and scales once what layers share', function()
      local a, b = torch.DoubleTensor { 3 }, torch.DoubleTensor { 4 }
      assert.near(5, number(optim.clipGradNorm({ a, b, a }, 1)), 1e-12)
      numbers.equal({ 0.6 }, a, 1e-6)
      numbers.equal({ 0.8 }, b, 1e-6)
      for place = 1, 2 do
         local g = torch.DoubleTensor { 3, 4 }
         assert.near(5, number(optim.clipGradNorm({ g:narrow(1, place, 1), g }, 1)), 1e-12)
         numbers.equal({ 0.6, 0.8 }, g, 1e-6)
      end
      local g = torch.DoubleTensor { { 1, 2 }, { 3, 4 } }
      optim.clipGradValue({ g:select(1, 1), g:select(2, 1) }, 0.5)
      numbers.equal({ { 0.5, 0.5 }, { 0.5, 4 } }, g)
   end)

   it('knows other norms', function()
      local g = torch.DoubleTensor { 3, 0, -4 }
      assert.near(7, number(optim.clipGradNorm(g:clone(), 100, 1)), 1e-12)
      assert.near(4, number(optim.clipGradNorm(g, 1, math.huge)), 1e-12)
      numbers.equal({ 0.75, 0, -1 }, g, 1e-6)
   end)

   it('leaves zeros, and does not hide what is no number', function()
      local g = torch.zeros(3)
      assert.equal(0, number(optim.clipGradNorm(g, 1)))
      numbers.equal({ 0, 0, 0 }, g)
      g = torch.Tensor { 1, 0 / 0 }
      local norm = number(optim.clipGradNorm(g, 1))
      assert.is_true(norm ~= norm)
      assert.is_true(g[1] ~= g[1])
   end)

   it('passes over tensors without elements', function()
      local g = torch.Tensor { 3, 4 }
      assert.equal(5, number(optim.clipGradNorm({ torch.Tensor(), g, torch.Tensor() }, 1)))
      assert.near(1, g:norm(), 1e-6)
      assert.equal(0, number(optim.clipGradNorm({ torch.Tensor() }, 1)))
   end)

   it('says what is wrong', function()
      raises('clipGradNorm: maxNorm is 0, expected a positive number', optim.clipGradNorm,
         torch.ones(1), 0)
      raises('clipGradNorm: maxNorm is a nil', optim.clipGradNorm, torch.ones(1))
      raises('clipGradNorm: gradients is nil, expected a tensor or a list', optim.clipGradNorm, nil,
         1)
      raises('clipGradNorm: gradients is a list whose entry 2 is a number', optim.clipGradNorm,
         { torch.ones(1), 2 }, 1)
      raises('clipGradNorm: p is -1', optim.clipGradNorm, torch.ones(1), 1, -1)
   end)
end)

describe('optim.clipGradValue', function()
   it('limits each element', function()
      local g, h = torch.Tensor { 3, 0.25, -4 }, torch.Tensor(2, 2):fill(-7)
      local list = { g, h }
      assert.equal(list, optim.clipGradValue(list, 2))
      numbers.equal({ 2, 0.25, -2 }, g)
      numbers.equal({ { -2, -2 }, { -2, -2 } }, h)
      raises('clipGradValue: limit is -1, expected a positive number', optim.clipGradValue, g, -1)
   end)
end)

describe('optim.accumulate', function()
   it('makes several batches one step, though the gradient is one tensor', function()
      local x, g, seen = torch.Tensor { 10, 10 }, torch.Tensor(2), 0
      local function batch(p, i)
         assert.equal(x, p)
         seen = seen + 1
         assert.equal((seen - 1) % 4 + 1, i)
         g:fill(i)
         return i * 10, g
      end
      local together = optim.accumulate(batch, 4)
      for step = 1, 2 do
         local _, losses = optim.sgd(together, x, { learningRate = 1 })
         assert.equal(25, losses[1])
         numbers.equal({ 10 - 2.5 * step, 10 - 2.5 * step }, x)
      end
      assert.equal(8, seen)
   end)

   it('says what is wrong', function()
      raises('accumulate: opfunc is nil', optim.accumulate)
      raises('accumulate: count is 0, expected a whole number', optim.accumulate, print, 0)
      raises('accumulate: opfunc returned nothing as gradient', function()
         optim.accumulate(function() return 1 end, 2)(torch.ones(1))
      end)
   end)
end)
