local torch = require 'torch'
local nn = require 'nn'
local numbers = require 'test.support.numbers'
local raises = require 'test.support.raises'

-- dloss/dinput by central differences: error O(h^2) + 1e-16/h, about 1e-10 for h = 1e-5.
local function check_gradient(criterion, input, target)
   criterion:forward(input, target)
   local analytic = criterion:backward(input, target):clone()
   local numeric = torch.Tensor():resizeAs(input)
   local x, g = input:view(-1), numeric:view(-1)
   for i = 1, x:nElement() do
      local original = x[i]
      x[i] = original + 1e-5
      local high = criterion:forward(input, target)
      x[i] = original - 1e-5
      local low = criterion:forward(input, target)
      x[i] = original
      g[i] = (high - low) / 2e-5
   end
   numbers.same(numeric, analytic, 1e-8)
end

describe('nn.MSECriterion', function()
   local x, t = torch.Tensor { { 1, 2 }, { 3, 4 } }, torch.Tensor { { 0, 4 }, { 3, 1 } }

   it('is the mean or the sum of squared differences', function()
      assert.near(14 / 4, nn.MSECriterion():forward(x, t), 1e-15)
      assert.near(14, nn.MSECriterion(false):forward(x, t), 1e-15)
   end)

   it('has the gradient of central differences', function()
      check_gradient(nn.MSECriterion(), x:clone(), t)
      check_gradient(nn.MSECriterion(false), x:clone(), t)
   end)

   it('refuses a target of another size or type', function()
      local _, err = pcall(function() nn.MSECriterion():forward(x, torch.Tensor(3)) end)
      assert.matches('criteria_spec.*nn.MSECriterion: target is 3, expected 2x2', err)
      _, err = pcall(function() nn.MSECriterion():forward(x, 3) end)
      assert.matches('nn.MSECriterion: target is a number, expected a tensor', err)
   end)
end)

describe('nn.AbsCriterion', function()
   it('is the mean or the sum of absolute differences', function()
      local x, t = torch.Tensor { { 1, 2 }, { 3, 4 } }, torch.Tensor { { 0, 4 }, { 3, 1 } }
      assert.near(6 / 4, nn.AbsCriterion():forward(x, t), 1e-15)
      assert.near(6, nn.AbsCriterion(false):forward(x, t), 1e-15)
      numbers.equal({ { 0.25, -0.25 }, { 0, 0.25 } }, nn.AbsCriterion():backward(x, t))
   end)
end)

describe('nn.ClassNLLCriterion', function()
   local x = torch.Tensor { { -1, -2, -3 }, { -4, -5, -6 }, { -7, -8, -9 } }

   it('is the mean or the sum of what the targets got', function()
      local t = torch.LongTensor { 1, 3, 2 }
      assert.near((1 + 6 + 8) / 3, nn.ClassNLLCriterion():forward(x, t), 1e-15)
      assert.near(15, nn.ClassNLLCriterion(nil, false):forward(x, t), 1e-15)
   end)

   it('weighs classes, and divides by the sum of the weights', function()
      local t, w = torch.LongTensor { 1, 3, 2 }, torch.Tensor { 0.5, 1, 2 }
      assert.near((0.5 + 12 + 8) / 3.5, nn.ClassNLLCriterion(w):forward(x, t), 1e-15)
      assert.near(20.5, nn.ClassNLLCriterion(w, false):forward(x, t), 1e-15)
   end)

   it('gives the sum of the weights, too', function()
      local t, w = torch.LongTensor { 1, 3, 2 }, torch.Tensor { 0.5, 1, 2 }
      assert.same({ 20.5 / 3.5, 3.5 }, { nn.ClassNLLCriterion(w):forward(x, t) })
      assert.same({ 5, 3 }, { nn.ClassNLLCriterion():forward(x, t) })
   end)

   it('ignores a target', function()
      local t = torch.LongTensor { 1, -100, 2 }
      assert.near((1 + 8) / 2, nn.ClassNLLCriterion():forward(x, t), 1e-15)
      t = torch.LongTensor { 1, 3, 2 }
      assert.near((1 + 8) / 2, nn.ClassNLLCriterion(nil, true, 3):forward(x, t), 1e-15)
   end)

   it('takes targets of any numeric type, and a number for one sample', function()
      local criterion = nn.ClassNLLCriterion()
      for _, kind in ipairs { 'Byte', 'Int', 'Long', 'Float', 'Double' } do
         assert.near(5, criterion:forward(x, torch[kind .. 'Tensor'] { 1, 3, 2 }), 1e-15)
      end
      assert.equal(5, criterion:forward(x[2], 2))
      numbers.equal({ 0, -1, 0 }, criterion:backward(x[2], 2))
      -- Of several for one sample, the first, as in Torch7; the package rnn tests with such.
      assert.equal(5, criterion:forward(x[2], torch.IntTensor { 2, 3 }))
      numbers.equal({ 0, -1, 0 }, criterion:backward(x[2], torch.IntTensor { 2, 3 }))
   end)

   it('has the gradient of central differences', function()
      local t, w = torch.LongTensor { 2, 3, 2 }, torch.Tensor { 0.5, 1, 2 }
      check_gradient(nn.ClassNLLCriterion(), x:clone(), t)
      check_gradient(nn.ClassNLLCriterion(w), x:clone(), t)
      check_gradient(nn.ClassNLLCriterion(w, false), x:clone(), t)
      check_gradient(nn.ClassNLLCriterion(nil, true, 3), x:clone(), t)
   end)

   it('works in float, and keeps its targets integers', function()
      local criterion = nn.ClassNLLCriterion():float()
      assert.near(5, criterion:forward(x:float(), torch.LongTensor { 1, 3, 2 }), 1e-6)
      assert.near(5, criterion:forward(x:float(), torch.FloatTensor { 1, 3, 2 }), 1e-6)
   end)

   it('refuses targets out of range and other counts, at the user\'s line', function()
      local criterion = nn.ClassNLLCriterion()
      local function message(t)
         return select(2, pcall(function() criterion:forward(x, t) end))
      end
      assert.matches('criteria_spec.*target 2 is 4, classes must be from 1 to 3',
         message(torch.LongTensor { 1, 4, 2 }))
      assert.matches('criteria_spec.*target 2 is 0, classes must be from 1 to 3',
         message(torch.LongTensor { 1, 0, 2 }))
      assert.matches('criteria_spec.*target is 2, expected 3 for an input of 3x3',
         message(torch.LongTensor { 1, 2 }))
      assert.matches('nn.ClassNLLCriterion: target is a string', message 'two')
      raises('nn.ClassNLLCriterion: weights is 2x2, expected a 1-D tensor', nn.ClassNLLCriterion,
         torch.Tensor(2, 2))
   end)
end)

describe('nn.CrossEntropyCriterion', function()
   it('is log-softmax and negative log-likelihood', function()
      torch.manualSeed(3)
      local x, t, w = torch.randn(4, 3), torch.LongTensor { 1, 3, 2, 3 }, torch.rand(3)
      local expected = nn.ClassNLLCriterion(w):forward(nn.LogSoftMax():forward(x), t)
      assert.equal(expected, nn.CrossEntropyCriterion(w):forward(x, t))
      -- ln(1 + e^-2) for scores 2 apart.
      assert.near(math.log(1 + math.exp(-2)),
         nn.CrossEntropyCriterion():forward(torch.Tensor { 3, 1 }, 1), 1e-15)
   end)

   it('has the gradient of central differences', function()
      check_gradient(nn.CrossEntropyCriterion(), torch.randn(4, 3), torch.LongTensor { 1, 3, 2, 3 })
      check_gradient(nn.CrossEntropyCriterion(), torch.randn(3), 2)
   end)

   it('drops dimensions of size 1, and gives the gradient the input\'s shape', function()
      local criterion, x = nn.CrossEntropyCriterion(), torch.randn(4, 3, 1, 1)
      local t = torch.LongTensor { 1, 3, 2, 3 }
      assert.equal(criterion:forward(x:view(4, 3), t), criterion:forward(x, t:view(4, 1)))
      assert.same({ 4, 3, 1, 1 }, criterion:backward(x, t:view(4, 1)):size():totable())
   end)

   it('takes a single row as a sample, and one class as a class', function()
      local criterion, row = nn.CrossEntropyCriterion(), torch.Tensor { { 3, 1 } }
      assert.near(math.log(1 + math.exp(2)), criterion:forward(row, 2), 1e-15)
      assert.same({ 1, 2 }, criterion:backward(row, 2):size():totable())
      local one, t = torch.Tensor { { 4 }, { 5 }, { 6 } }, torch.LongTensor { 1, 1, 1 }
      assert.equal(0, criterion:forward(one, t))
      numbers.equal({ { 0 }, { 0 }, { 0 } }, criterion:backward(one, t))
      one = torch.Tensor { { 4 } }
      assert.equal(0, criterion:forward(one, torch.LongTensor { 1 }))
      numbers.equal({ { 0 } }, criterion:backward(one, torch.LongTensor { 1 }))
   end)

   it('obeys a sizeAverage that is set later', function()
      local criterion, x = nn.CrossEntropyCriterion(), torch.randn(4, 3)
      local t = torch.LongTensor { 2, 2, 1, 3 }
      local mean = criterion:forward(x, t)
      criterion.sizeAverage = false
      assert.near(4 * mean, criterion:forward(x, t), 1e-14)
      -- Or in the criterion inside, where it stays until the one outside changes.
      assert.is_true(nn.CrossEntropyCriterion().sizeAverage)
      assert.is_false(nn.CrossEntropyCriterion(nil, false).sizeAverage)
      criterion = nn.CrossEntropyCriterion()
      criterion.nll.sizeAverage = false
      assert.near(4 * mean, criterion:forward(x, t), 1e-14)
   end)

   it('refuses another element type', function()
      local x = torch.FloatTensor(2, 3)
      local _, err = pcall(function()
         nn.CrossEntropyCriterion():forward(x, torch.LongTensor { 1, 2 })
      end)
      assert.matches('nn.CrossEntropyCriterion: input is a ' .. x:type(), err)
   end)
end)

describe('nn.Criterion', function()
   it('gives the loss of a type that it was not converted to, and refuses the gradient', function()
      local x, t = torch.FloatTensor { 1, 2 }, torch.FloatTensor { 1, 1 }
      local criterion = nn.MSECriterion()
      assert.equal(0.5, criterion:forward(x, t))
      assert.equal(0.5, nn.AbsCriterion():forward(x, t))
      assert.equal(-2, (nn.ClassNLLCriterion():forward(x, 2)))
      local ok, err = pcall(function() criterion:backward(x, t) end)
      assert.is_false(ok)
      assert.matches('^test/nn/criterion/criteria_spec.lua:%d+: nn.MSECriterion: input is a '
         .. 'torch.FloatTensor', err)
      ok, err = pcall(function() criterion:forward(x, t:double()) end)
      assert.is_false(ok)
      assert.matches('nn.MSECriterion: target is a torch.DoubleTensor', err)
      ok, err = pcall(function() criterion:forward({ 1, 2 }, t) end)
      assert.is_false(ok)
      assert.matches('nn.MSECriterion: input is a table, expected a tensor', err)
      assert.equal(1, criterion:forward(torch.Tensor { 2 }, torch.Tensor { 1 }))
   end)

   it('clones, converts and runs forward and backward when called', function()
      local criterion = nn.ClassNLLCriterion(torch.Tensor { 1, 2, 3 })
      local copy = criterion:clone()
      copy.weights:fill(7)
      assert.equal(1, criterion.weights[1])
      assert.equal('torch.FloatTensor', criterion:float().weights:type())
      local loss, gradient = criterion(torch.Tensor { -1, -2, -3 }:float(), 3)
      assert.near(3, loss, 1e-6)
      numbers.equal({ 0, 0, -1 }, gradient, 1e-6)
   end)
end)
