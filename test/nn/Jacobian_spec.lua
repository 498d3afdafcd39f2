local torch = require 'torch'
local nn = require 'nn'
local numbers = require 'test.support.numbers'

-- A linear layer whose results are wrong where its field `wrong` says so.
local Wrong = torch.class('nn.JacobianSpecWrong', 'nn.Linear', {})

function Wrong:updateGradInput(input, gradOutput)
   local gx = nn.Linear.updateGradInput(self, input, gradOutput)
   return self.wrong == 'input' and gx:mul(1.01) or gx
end

function Wrong:accGradParameters(input, gradOutput, scale)
   nn.Linear.accGradParameters(self, input, gradOutput, scale)
   if self.wrong == 'weight' then
      self.gradWeight:select(2, 1):zero()
   end
end

function Wrong:accUpdateGradParameters(input, gradOutput, lr)
   nn.Linear.accUpdateGradParameters(self, input, gradOutput, self.wrong == 'step' and 2 * lr or lr)
end

function Wrong:write(file) -- the class is no longer known by its name when it is read
   local weight = self.weight
   self.weight = self.wrong == 'file' and weight * 2 or weight
   nn.Module.write(self, file)
   self.weight = weight
end

local function make(wrong)
   local layer = torch.factory 'nn.JacobianSpecWrong'()
   layer:__init(3, 2)
   layer.wrong = wrong
   return layer
end

for name, input in pairs { Jacobian = torch.ones(3), SparseJacobian = torch.ones(4, 3) } do
   local J = nn[name]

   describe('nn.' .. name, function()
      before_each(function()
         torch.manualSeed(4)
      end)

      local tests = {
         input = function(m) return J.testJacobian(m, input) end,
         weight = function(m) return J.testJacobianParameters(m, input, m.weight, m.gradWeight) end,
         step = function(m) return J.testJacobianUpdateParameters(m, input, m.weight) end,
         file = function(m) return (J.testIO(m, input)) end,
      }
      for what, test in pairs(tests) do
         it('passes a right layer, and finds a wrong ' .. what, function()
            assert.is_true(test(make()) < 1e-7)
            assert.is_true(test(make(what)) > 1e-3)
         end)
      end

      it('compares the ways to update', function()
         input:copy(torch.randn(input:size()))
         local ways = J.testAllUpdate(make(), input, 'weight', 'gradWeight')
         assert.is_true(ways['accUpdateGradParameters'] < 1e-12)
         assert.is_true(ways['accUpdateGradParameters [shared]'] < 1e-12)
         ways = J.testAllUpdate(make 'step', input, 'weight', 'gradWeight')
         assert.is_true(ways['accUpdateGradParameters'] > 1e-3)
         assert.is_true(ways['accUpdateGradParameters [shared]'] > 1e-3)
      end)

      it('draws from the range it is given', function()
         local seen = torch.Tensor(input:size()):fill(9)
         J.testJacobian(nn.Identity(), seen, 5, 6)
         local drawn = name == 'Jacobian' and seen or seen:select(2, 2)
         assert.is_true(drawn:min() >= 5 and drawn:max() <= 6)
         assert.equal(name == 'Jacobian' and 0 or 8, seen:eq(9):sum())
      end)
   end)
end

describe('nn.Jacobian', function()
   it('has a row for each input, and a column for each output', function()
      local layer, x = nn.Linear(3, 2), torch.randn(3)
      numbers.same(layer.weight:t(), nn.Jacobian.backward(layer, x))
      numbers.same(layer.weight:t(), nn.Jacobian.forward(layer, x), 1e-8)
      -- dy_k / dW_ki = x_i, and no other output's.
      local expected = torch.zeros(6, 2)
      expected[{ { 1, 3 }, 1 }]:copy(x)
      expected[{ { 4, 6 }, 2 }]:copy(x)
      numbers.same(expected, nn.Jacobian.backward(layer, x, layer.weight, layer.gradWeight))
      numbers.same(expected, nn.Jacobian.backwardUpdate(layer, x, layer.weight), 1e-12)
      numbers.same(expected, nn.Jacobian.forwardUpdate(layer, x, layer.weight), 1e-8)
   end)
end)

describe('nn.SparseJacobian', function()
   it('looks at the second column', function()
      local layer, x = nn.Linear(3, 2), torch.randn(1, 3)
      local expected = layer.weight:narrow(2, 2, 1):t()
      numbers.same(expected, nn.SparseJacobian.backward(layer, x))
      numbers.same(expected, nn.SparseJacobian.forward(layer, x), 1e-8)
   end)

   it('takes layers of another type than torch.Tensor', function()
      local layer = nn.FeatureLPPooling(2, 1, 2):float()
      assert.is_true(nn.Jacobian.testJacobian(layer, torch.FloatTensor(6), 1, 2, 5e-4) < 4e-3)
   end)
end)
