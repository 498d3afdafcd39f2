-- SparseLinear and IndexLinear, against nn.Linear; PartialLinear too.
local torch = require 'torch'
local nn = require 'nn'
local numbers = require 'test.support.numbers'
local raises = require 'test.support.raises'

-- 3 samples of 6 features: dense, as entries, and as keys and values.
local dense = torch.Tensor { { 0, 2, 0, 0, -1, 0 }, { 1, 0, 0, 0, 0, 3 }, { 0, 0, 4, 0, 0, 0 } }
local keys = { torch.LongTensor { 5, 2 }, torch.LongTensor { 1, 6 }, torch.LongTensor { 3 } }
local values = { torch.Tensor { -1, 2 }, torch.Tensor { 1, 3 }, torch.Tensor { 4 } }
local entries = {}
for i, k in ipairs(keys) do
   entries[i] = torch.cat({ torch.Tensor(k:size(1), 1):copy(k), values[i]:view(-1, 1) }, 2)
end

local function linear_like(weight, bias)
   local linear = nn.Linear(weight:size(2), weight:size(1))
   linear.weight:copy(weight)
   linear.bias:copy(bias)
   linear:zeroGradParameters()
   return linear
end

describe('nn.SparseLinear', function()
   it('is nn.Linear', function()
      local layer, g = nn.SparseLinear(6, 4, true), torch.randn(3, 4)
      local linear = linear_like(layer.weight, layer.bias)
      numbers.same(linear:forward(dense), layer:forward(entries), 1e-12)
      local gx, expected = layer:backward(entries, g, 2), linear:backward(dense, g, 2)
      numbers.same(linear.gradWeight, layer.gradWeight, 1e-12)
      numbers.same(linear.gradBias, layer.gradBias, 1e-12)
      for i = 1, 3 do
         numbers.equal({ 1, 2, 3, 4, 5, 6 }, gx[i]:select(2, 1))
         numbers.same(expected[i], gx[i]:select(2, 2), 1e-12)
      end
      numbers.same(linear:forward(dense[2]), layer:forward(entries[2]), 1e-12)
      numbers.same(linear:forward(dense:narrow(1, 1, 2)),
         layer:forward(torch.cat({ entries[1], entries[2] }, 1):view(2, 2, 2)), 1e-12)
   end)

   it('gives Variables gradients in their own form, and gradients of these', function()
      local layer = nn.SparseLinear(6, 2) -- without doGradInput
      local function f(...)
         return layer:forward { ... }
      end
      local list = { entries[1]:clone():requiresGrad(), torch.Tensor(),
         entries[2]:clone():requiresGrad() }
      torch.pow(f(unpack(list)), 2):sum():backward()
      local linear = linear_like(layer.weight, layer.bias)
      for i, row in pairs { 1, [3] = 2 } do
         local y = linear:forward(dense[row])
         local gx = linear:backward(dense[row], y * 2)
         numbers.equal(gx:index(1, keys[row]):totable(), list[i].grad:select(2, 2), 1e-12)
         assert.equal(0, list[i].grad:select(2, 1):norm())
      end
      local all = torch.cat({ entries[1], entries[2] }, 1):view(2, 2, 2)
      local positions = all:narrow(3, 1, 1)
      for _, of in ipairs { function(x) return x end, function(x) return x[2] end } do
         assert.is_true(torch.gradgradcheck(function(v)
            return torch.pow(layer:forward(of(torch.cat(positions, v, 3))), 3)
         end, all:narrow(3, 2, 1):clone():requiresGrad()))
      end
   end)

   it('takes samples without entries', function()
      local layer = nn.SparseLinear(6, 4)
      numbers.same(layer.bias, layer:forward({ torch.Tensor(), entries[1] })[1])
      numbers.same(layer.bias, layer:forward({ torch.Tensor() })[1])
      assert.is_nil(layer:updateGradInput({ torch.Tensor() }, torch.ones(1, 4)))
   end)

   it('adds up entries of one position', function()
      local layer = nn.SparseLinear(6, 4)
      local once = layer:forward(torch.Tensor { { 3, 5 } }):clone()
      numbers.same(once, layer:forward(torch.Tensor { { 3, 2 }, { 3, 3 } }), 1e-12)
   end)

   it('decays weights', function()
      local layer = nn.SparseLinear(6, 4)
      layer.weightDecay = 0.5
      layer:accGradParameters({ torch.Tensor() }, torch.ones(1, 4), 2)
      numbers.same(layer.weight, layer.gradWeight)
      assert.equal('nn.SparseLinear(6 -> 4)', tostring(layer))
   end)

   it('says what is wrong', function()
      local layer = nn.SparseLinear(6, 4)
      raises('nn.SparseLinear: input 2 is 3, expected n x 2', layer.forward, layer,
         { entries[1], torch.ones(3) })
      raises('nn.SparseLinear: index: position 1 of 1 is 7, out of range', layer.forward, layer,
         torch.Tensor { { 7, 1 } })
   end)
end)

describe('nn.IndexLinear', function()
   local flat = { torch.cat(keys, 1), torch.cat(values, 1), torch.LongTensor { 2, 2, 1 } }

   it('is nn.Linear, in all forms of the input', function()
      for _, input in ipairs { { keys, values }, flat } do
         local layer, g = nn.IndexLinear(6, 4, true):reset(1), torch.randn(3, 4)
         local linear = linear_like(layer.weight:t(), layer.bias)
         numbers.same(linear:forward(dense), layer:forward(input), 1e-12)
         local gx, expected = layer:backward(input, g, 2), linear:backward(dense, g, 2)
         numbers.same(linear.gradWeight, layer.gradWeight:t(), 1e-12)
         numbers.same(linear.gradBias, layer.gradBias, 1e-12)
         assert.equal(input[1], gx[1])
         for i = 1, 3 do
            numbers.same(expected[i], gx[2][i], 1e-12)
         end
         numbers.same(linear:forward(dense[2]), layer:forward { keys[2], values[2] }, 1e-12)
      end
   end)

   it('counts keys from an offset, and uses weights that it is given', function()
      local weight, bias = torch.randn(6, 4), torch.randn(4)
      local layer = nn.IndexLinear(nil, nil, false, 10, weight, bias)
      assert.equal(weight, layer.weight)
      local y = layer:forward { torch.LongTensor { 12, 16 }, torch.Tensor { 1, 2 } }
      numbers.same(weight[2] + weight[6] * 2 + bias, y, 1e-12)
      assert.equal('nn.IndexLinear(6 -> 4)', tostring(layer))
      raises('nn.IndexLinear: expected inputSize and outputSize, or weight and bias',
         nn.IndexLinear, 3)
   end)

   it('decays weights, all of them', function()
      for _, normalize in ipairs { false, true } do
         local layer = nn.IndexLinear(6, 4, false, 0, nil, nil, normalize)
         local first = normalize and 5 or 1
         layer.weight:narrow(2, first, 4):uniform(1, 2)
         layer.weightDecay = 0.25
         layer:zeroGradParameters()
         layer:forward { keys, values }
         layer:accGradParameters({ keys, values }, torch.zeros(3, 4), 2)
         numbers.same(layer.weight:narrow(2, first, 4) * 0.5, layer.gradWeight:narrow(2, first, 4),
            1e-12)
      end
   end)

   it('gives values that are Variables their gradients, and gradients of these', function()
      for _, normalize in ipairs { false, true } do
         local layer = nn.IndexLinear(6, 2, false, 0, nil, nil, normalize) -- no doGradInput
         layer.weight:narrow(2, normalize and 5 or 1, 2):uniform(-1, 1)
         layer:forward { torch.range(1, 6):long(), torch.Tensor { 2, 9, 9, 9, 9, 9 } }
         layer:evaluate()
         for _, input in ipairs { { keys[2], values[2] }, { keys, values },
            { torch.cat(keys, 1), torch.cat(values, 1), torch.LongTensor { 2, 2, 1 } } } do
            local single = torch.isTensor(input[2])
            local function f(...)
               return torch.pow(layer:forward { input[1], single and ... or { ... }, input[3] }, 3)
            end
            local variables = {}
            for i, v in ipairs(single and { input[2] } or input[2]) do
               variables[i] = v:clone():requiresGrad()
            end
            assert.is_true(torch.gradcheck(f, variables))
            assert.is_true(torch.gradgradcheck(f, variables))
         end
         -- beyond the magnitude that was seen the value is cut
         local v = torch.Tensor { 5 }:requiresGrad()
         layer:forward({ torch.LongTensor { 1 }, v }):sum():backward()
         assert.equal(normalize, v.grad[1] == 0)
      end
   end)

   it('leaves magnitudes to the call where gradients of gradients are computed', function()
      local layer = nn.IndexLinear(6, 1, false, 0, nil, nil, true)
      layer.weight:narrow(2, 5, 1):fill(3)
      local v = torch.Tensor { 2, 8 }:requiresGrad()
      local y = layer:forward { torch.LongTensor { 2, 3 }, v } -- 3 (2/2) + 3 (8/8)
      local g = torch.grad(torch.pow(y, 2):sum(), v, { createGraph = true })
      numbers.equal({ 2 * 6 * 1.5, 2 * 6 * 0.375 }, g:detach(), 1e-12)
      g:sum():backward() -- of 2 y (3/2 + 3/8) by v
      numbers.equal({ 2 * 1.875 * 1.5, 2 * 1.875 * 0.375 }, v.grad, 1e-12)
   end)

   it('divides features by their largest magnitudes', function()
      local layer = nn.IndexLinear(6, 1, true, 0, nil, nil, true)
      layer.weight:narrow(2, 5, 1):fill(1)
      local input = { torch.LongTensor { 2, 3, 2 }, torch.Tensor { -2, 8, 4 } }
      numbers.equal({ -0.5 + 1 + 1 }, layer:forward(input))
      numbers.equal({ { 4, 0.25, 1, 0, 1 }, { 8, 0.125, 1, 0, 1 } },
         layer.weight:narrow(1, 2, 2))
      layer:evaluate()
      numbers.equal({ -1 }, layer:forward { torch.LongTensor { 2 }, torch.Tensor { -100 } })
      layer.weight[2][4] = 7 -- c of feature 2
      numbers.equal({ 0.5 + 7 }, layer:forward { torch.LongTensor { 2 }, torch.Tensor { 2 } })
      -- dz/dc = w, dz/dw = y, dz/dx = w / m
      input = { torch.LongTensor { 2 }, torch.Tensor { 2 } }
      layer:forward(input)
      layer:zeroGradParameters()
      local gx = layer:backward(input, torch.Tensor { 3 }, 2)
      numbers.equal({ 0, 0, 0, 6, 45 }, layer.gradWeight[2])
      assert.equal(3 * 0.25, gx[2][2])
   end)
end)

describe('nn.PartialLinear', function()
   it('begins as nn.LookupTable does, with a bias of 0', function()
      torch.manualSeed(7)
      local expected = torch.Tensor(3, 4):normal()
      torch.manualSeed(7)
      local layer = nn.PartialLinear(4, 3)
      local weight = layer.network:get(1):get(2).weight
      assert.is_true(weight:equal(expected))
      numbers.equal({ 0, 0, 0 }, layer.bias)
      layer.bias:fill(1)
      torch.manualSeed(7)
      layer:reset(0.5)
      numbers.same(expected * 0.5, weight, 1e-12)
      numbers.equal({ 0, 0, 0 }, layer.bias)
   end)

   it('is nn.Linear for the chosen outputs', function()
      local layer, x, g = nn.PartialLinear(6, 5), dense, torch.randn(3, 2)
      layer.bias:uniform()
      local linear = linear_like(layer.network:get(1):get(2).weight, layer.bias)
      numbers.same(linear:forward(x), layer:forward(x), 1e-12)
      layer:setPartition(torch.LongTensor { 4, 2 })
      numbers.same(linear.output:index(2, torch.LongTensor { 4, 2 }), layer:forward(x), 1e-12)
      layer:zeroGradParameters()
      local all = torch.zeros(3, 5):indexCopy(2, torch.LongTensor { 4, 2 }, g)
      numbers.same(linear:backward(x, all), layer:backward(x, g), 1e-12)
      local _, gradients = layer:parameters()
      numbers.same(linear.gradWeight, gradients[1], 1e-12)
      numbers.same(linear.gradBias, gradients[2], 1e-12)
      layer:resetPartition()
      numbers.same(linear:forward(x), layer:forward(x), 1e-12)
      assert.equal('nn.PartialLinear(6 -> 5)', tostring(layer))
      raises('nn.PartialLinear: input is 3x2, expected N x 6 or 6', layer.forward, layer,
         torch.ones(3, 2))
   end)
end)

describe('a step at once', function()
   -- weight and bias before, less lr times the gradients of nn.Linear.
   local function check(layer, input, outputs)
      local weights = layer:parameters()
      local W, b = weights[1], weights[2]
      b:uniform()
      local rows = W:size(1) == outputs and W or W:t()
      local linear = linear_like(rows, b)
      local g = torch.randn(3, outputs)
      linear:forward(dense)
      linear:backward(dense, g)
      layer:zeroGradParameters()
      layer:forward(input)
      layer:backwardUpdate(input, g, 0.25)
      numbers.same(linear.weight - linear.gradWeight * 0.25, rows, 1e-12)
      numbers.same(linear.bias - linear.gradBias * 0.25, b, 1e-12)
   end

   it('goes down, where weights are looked up', function()
      check(nn.PartialLinear(6, 5), dense, 5)
      check(nn.SparseLinear(6, 4), entries, 4)
      check(nn.IndexLinear(6, 4):reset(1), { keys, values }, 4)
      check(nn.Linear(6, 4), dense, 4)
   end)
end)

describe('nn.SparseJacobian', function()
   it('differentiates by the values alone', function()
      local layer = nn.PartialLinear(2, 3)
      local x = torch.Tensor { { 1, 0 }, { 2, 0 } }
      assert.is_true(nn.SparseJacobian.testJacobian(layer, x) < 1e-6)
      numbers.equal({ 1, 2 }, x:select(2, 1))
      assert.equal(2, nn.SparseJacobian.forward(layer, x):size(1))
      local weights, gradients = layer:parameters()
      assert.is_true(nn.SparseJacobian.testJacobianParameters(layer, x, weights[2], gradients[2])
         < 1e-6)
      gradients[1]:zero() -- a wrong gradient shows
      local wrong = torch.zeros(3)
      assert.is_true(nn.SparseJacobian.testJacobianParameters(layer, x, weights[2], wrong) > 0.5)
      assert.equal(0, (nn.SparseJacobian.testIO(layer, x)))
   end)
end)
