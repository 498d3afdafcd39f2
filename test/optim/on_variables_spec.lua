-- Optimisers of Variables, against their steps in plain tensors.
local torch = require 'torch'
local optim = require 'optim'
local raises = require 'test.support.raises'

local NAMES = 'sgd nag asgd adagrad adadelta rmsprop adam adamw adamax nadam radam lamb lion '
   .. 'adafactor rprop cg lbfgs'

-- (x1 - 1)^2 + 3 (x2 + 2)^2 + x1^2 x2^2
local function loss_of(x)
   local a, b = x[{ { 1 } }], x[{ { 2 } }]
   return torch.sum(torch.pow(a - 1, 2) + torch.pow(b + 2, 2) * 3
      + torch.cmul(torch.pow(a, 2), torch.pow(b, 2)))
end

local function plain(x)
   local a, b = x[1], x[2]
   return (a - 1) ^ 2 + 3 * (b + 2) ^ 2 + a ^ 2 * b ^ 2,
      torch.Tensor { 2 * (a - 1) + 2 * a * b ^ 2, 6 * (b + 2) + 2 * a ^ 2 * b }
end

describe('optim on Variables', function()
   for name in NAMES:gmatch '%S+' do
      it(name .. ' steps as in plain tensors', function()
         local v, x = torch.Tensor { 2, 1 }:requiresGrad(), torch.Tensor { 2, 1 }
         local config, state = { learningRate = 0.05 }, { learningRate = 0.05 }
         for _ = 1, 4 do
            local _, expected = optim[name](plain, x, config)
            local given, losses = optim[name](function(w)
               assert.is_true(rawequal(w, v) or not w:isVariable())
               local at = rawequal(w, v) and v or w:clone():requiresGrad()
               at:zeroGrad()
               local loss = loss_of(at)
               loss:backward()
               return loss, at.grad
            end, v, state)
            assert.is_true(rawequal(given, v))
            assert.near(expected[1], losses[1], 1e-12 * math.max(1, math.abs(expected[1])))
         end
         assert.is_true((v:detach() - x):abs():max() < 1e-8) -- line searches amplify
         assert.is_true(v:isLeaf() and v:isVariable())
         assert.is_true(torch.isGradEnabled())
      end)
   end

   it('goes on recording after an error of opfunc', function()
      local v = torch.ones(2):requiresGrad()
      raises('no loss today', optim.sgd, function() error 'no loss today' end, v, {})
      assert.is_true(torch.isGradEnabled())
      raises('returned nothing as gradient', optim.sgd, function() return 1 end, v, {})
   end)

   it('works under torch.noGrad as before', function()
      local v = torch.Tensor { 2, 1 }:requiresGrad()
      torch.noGrad(function()
         optim.sgd(plain, v, { learningRate = 0.1 })
      end)
      assert.near(2 - 0.1 * 6, v[1]:item(), 1e-12)
   end)
end)
