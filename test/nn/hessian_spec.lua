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

   -- The package unsup and the autoencoder among Torch7's demos work so.
   it('gives its sums as a vector beside the parameters', function()
      local net = nn.Sequential():add(nn.Linear(2, 2)):add(nn.Tanh()):add(nn.Linear(2, 1, false))
      assert.is_nil((select(3, net:getParameters())))
      local x = torch.Tensor { 0.5, -1 }
      net:forward(x)
      net:initDiagHessianParameters()
      net:backwardDiagHessian(x, torch.ones(1))
      local expected = torch.cat({ net:get(1).diagHessianWeight:view(4), net:get(1).diagHessianBias,
         net:get(3).diagHessianWeight:view(2) })
      local parameters, gradients, sums = net:getParameters()
      assert.same({ 8, 8, 8 }, { parameters:nElement(), gradients:nElement(), sums:nElement() })
      assert.is_true(expected:min() > 0)
      numbers.equal(expected:totable(), sums)
      net:backwardDiagHessian(x, torch.ones(1)) -- they are the modules' own
      numbers.equal((expected * 2):totable(), sums)
      sums:zero()
      numbers.equal({ { 0, 0 } }, net:get(3).diagHessianWeight)
   end)

   it('lends its parts to layers of one\'s own', function()
      local Scale = torch.class('nn.HessianSpecScale', 'nn.Module')
      function Scale:__init()
         nn.Module.__init(self)
         self.factor, self.gradFactor = torch.Tensor { 2, -3 }, torch.zeros(2)
      end
      function Scale:updateOutput(input)
         return self.output:resizeAs(input):cmul(input, self.factor)
      end
      function Scale:updateGradInput(_, gradOutput)
         return self.gradInput:resizeAs(gradOutput):cmul(gradOutput, self.factor)
      end
      function Scale:accGradParameters(input, gradOutput, scale)
         self.gradFactor:addcmul(scale, input, gradOutput)
      end
      local layer, x, h = nn.HessianSpecScale(), torch.Tensor { 4, 5 }, torch.Tensor { 1, 10 }
      layer:forward(x)
      numbers.equal({ 4, 90 }, nn.hessian.updateDiagHessianInput(layer, x, h, { 'factor' },
         { 'factorSq' }))
      numbers.equal({ 4, 90 }, nn.hessian.updateDiagHessianInputPointWise(layer, x, h))
      numbers.equal({ 4, 90 }, layer.diagHessianInput)
      nn.hessian.initDiagHessianParameters(layer, { 'gradFactor' }, { 'diagHessianFactor' })
      for _ = 1, 2 do
         nn.hessian.accDiagHessianParameters(layer, x, h, { 'gradFactor' },
            { 'diagHessianFactor' })
      end
      numbers.equal({ 32, 500 }, layer.diagHessianFactor)
      numbers.equal({ 2, -3 }, layer.factor)
      numbers.equal({ 0, 0 }, layer.gradFactor)
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
