local torch = require 'torch'
local nn = require 'nn'
local numbers = require 'test.support.numbers'
local raises = require 'test.support.raises'

local J = nn.Jacobian

describe('nn.hessian', function()
   setup(function()
      nn.hessian.enable()
      nn.hessian.enable() -- twice is as good as once
   end)

   it('is the sum of squared derivatives of linear layers', function()
      local cases = {
         { nn.Linear(3, 2), torch.Tensor(3) }, { nn.Linear(3, 2), torch.Tensor(5, 3) },
         { nn.SpatialConvolution(2, 3, 2, 2), torch.Tensor(2, 4, 4) },
         { nn.SpatialConvolution(2, 3, 2, 2, 2, 2, 1, 1), torch.Tensor(3, 2, 4, 4) },
         { nn.SpatialFullConvolution(2, 3, 2, 2), torch.Tensor(2, 4, 4) },
      }
      for _, case in ipairs(cases) do
         local layer, x = unpack(case)
         assert.is_true(J.testDiagHessianInput(layer, x) < 1e-10)
         assert.is_true(J.testDiagHessianWeight(layer, x) < 1e-10)
         assert.is_true(J.testDiagHessianBias(layer, x) < 1e-10)
      end
   end)

   it('leaves the layer and its gradients as they were', function()
      local layer, x = nn.Linear(2, 1), torch.Tensor { 2, 3 }
      layer.weight:copy(torch.Tensor { { 4, 5 } })
      layer:zeroGradParameters()
      layer:forward(x)
      local gx = layer:updateGradInput(x, torch.ones(1))
      layer:initDiagHessianParameters()
      numbers.equal({ 32, 50 }, layer:backwardDiagHessian(x, torch.Tensor { 2 }))
      layer:backwardDiagHessian(x, torch.Tensor { 1 }) -- parameters add up
      numbers.equal({ { 12, 27 } }, layer.diagHessianWeight)
      numbers.equal({ 3 }, layer.diagHessianBias)
      numbers.equal({ 4, 5 }, gx)
      assert.equal(gx, layer.gradInput)
      numbers.equal({ { 4, 5 } }, layer.weight)
      numbers.equal({ { 0, 0 } }, layer.gradWeight)
      layer:initDiagHessianParameters()
      numbers.equal({ { 0, 0 } }, layer.diagHessianWeight)
   end)

   it('goes through a net, from the criterion on', function()
      local net = nn.Sequential():add(nn.Reshape(2)):add(nn.Linear(2, 2)):add(nn.Tanh())
         :add(nn.MulConstant(3)):add(nn.Linear(2, 1, false))
      local x, t, criterion = torch.Tensor { { 0.5, -1 } }, torch.Tensor { { 1 } },
         nn.MSECriterion()
      criterion:forward(net:forward(x), t)
      net:initDiagHessianParameters()
      local h = net:backwardDiagHessian(x, criterion:backwardDiagHessian(net.output, t))
      -- By hand: h = 2; then w^2, 3^2, (1 - y^2)^2 and W'^2.
      local w, W, y = net:get(5).weight, net:get(2).weight, net:get(3).output[1]
      for i = 1, 2 do
         local expected = 0
         for k = 1, 2 do
            local d = (1 - y[k] ^ 2) * 3 * w[1][k]
            expected = expected + 2 * d ^ 2 * W[k][i] ^ 2
            assert.near(2 * d ^ 2 * x[1][i] ^ 2, net:get(2).diagHessianWeight[k][i], 1e-12)
         end
         assert.near(expected, h[1][i], 1e-12)
      end
      criterion.sizeAverage = false
      numbers.equal({ 2, 2 }, criterion:backwardDiagHessian(torch.ones(2), torch.ones(2)))
   end)

   it('finds a wrong one, and says which layer has none', function()
      local layer, x = nn.Linear(3, 2), torch.Tensor(3)
      layer.accDiagHessianParameters = function(self, input, h)
         nn.Linear.accDiagHessianParameters(self, input, h * 1.1)
      end
      assert.is_true(J.testDiagHessianWeight(layer, x) > 1e-3)
      assert.is_true(J.testDiagHessianInput(layer, x) < 1e-10)
      local soft = nn.Sequential():add(nn.SoftMax())
      soft:forward(x)
      raises('net.1: nn.SoftMax: its second derivatives are not known to nn.hessian',
         soft.backwardDiagHessian, soft, x, x)
   end)
end)
