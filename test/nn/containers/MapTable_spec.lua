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
         local parameters, gradients = net:get(1):parameters()
         local its, its_gradients = net:get(2):parameters()
         local wanted = {}
         for i, p in ipairs(parameters) do
            wanted[i] = p - gradients[i] * 0.1 -- one step, though two modules have it
         end
         net:updateParameters(0.1)
         for i, p in ipairs(parameters) do
            numbers.same(wanted[i], p, 1e-12)
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

   it('moves by the gradient of each clone what they share in part', function()
      for _, names in ipairs { { 'weight', 'gradWeight' }, { 'weight', 'bias' }, { 'weight' } } do
         local net = nn.MapTable(nn.Linear(2, 2))
         net.sharedparams = names
         local x = { torch.randn(2), torch.randn(2) }
         net:forward(x)
         local before = net.module.weight:clone()
         local sum = torch.zeros(2, 2)
         for pass = 1, 2 do
            net:zeroGradParameters()
            net:backward(x, { torch.ones(2), torch.ones(2) })
            sum:add(torch.ones(2, 2):cmul((x[1] + x[2]):view(1, 2):expand(2, 2)))
            local bias, step = net:get(2).bias:clone(), names[2] == 'bias' and 2 or 1
            net:updateParameters(0.5)
            numbers.same(before - sum * 0.5, net:get(2).weight, 1e-12, pass)
            numbers.same(bias - 0.5 * step, net:get(2).bias, 1e-12)
         end
      end
   end)

   it('shares all where sharedparams was taken away', function()
      local net = nn.MapTable(nn.Linear(2, 2))
      net.sharedparams = nil
      net:forward { torch.randn(2), torch.randn(2) }
      assert.is_true(net:get(1).gradBias:isSetTo(net:get(2).gradBias))
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
