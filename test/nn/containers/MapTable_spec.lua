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

   it('shares no more than is named', function()
      local net = nn.MapTable(nn.Linear(2, 2))
      net.sharedparams = { 'weight', 'gradWeight' }
      net:forward { torch.randn(2), torch.randn(2) }
      assert.is_true(net:get(1).weight:isSetTo(net:get(2).weight))
      assert.is_false(net:get(1).bias:isSetTo(net:get(2).bias))
   end)

   it('takes a module that has parameters and no gradients', function()
      local module = nn.Identity()
      module.scale = torch.ones(2)
      function module.parameters(m)
         return { m.scale }
      end
      local net = nn.MapTable(module)
      net:forward { torch.randn(2), torch.randn(2) }
      assert.is_true(net:get(1).scale:isSetTo(net:get(2).scale))
   end)
end)
