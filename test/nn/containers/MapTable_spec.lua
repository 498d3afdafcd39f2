local torch = require 'torch'
local nn = require 'nn'
local numbers = require 'test.support.numbers'

describe('nn.MapTable', function()
   it('shares parameters of any name', function()
      for _, module in ipairs { nn.WeightNorm(nn.Linear(3, 2)), nn.LinearWeightNorm(3, 2),
         nn.WeightedEuclidean(3, 2), nn.Sequential():add(nn.SpectralNorm(nn.Linear(3, 2))) } do
         local net = nn.MapTable(module)
         local y = net:forward { torch.randn(2, 3), torch.randn(2, 3) }
         net:zeroGradParameters()
         net:backward({ torch.randn(2, 3), torch.randn(2, 3) }, { y[1]:clone(), y[2]:clone() })
         net:updateParameters(0.1)
         local parameters, gradients = net:get(1):parameters()
         local its, its_gradients = net:get(2):parameters()
         for i, p in ipairs(parameters) do
            numbers.same(p, its[i])
            numbers.same(gradients[i], its_gradients[i])
         end
         net:zeroGradParameters()
         for _, g in ipairs(its_gradients) do
            assert.equal(0, g:norm())
         end
      end
   end)
end)
