local torch = require 'torch'
local nn = require 'nn'
local gradcheck = require 'test.support.gradcheck'
local numbers = require 'test.support.numbers'

-- The definition: each input element adds its multiple of the kernel to a window of the output.
local function reference(layer, x, height, width)
   local N, K = x:size(1), layer.nOutputPlane
   local H, W = x:size(3), x:size(4)
   local big = torch.zeros(N, K, (H - 1) * layer.dH + layer.kH + layer.adjH + 9,
      (W - 1) * layer.dW + layer.kW + layer.adjW + 9)
   for n = 1, N do
      for c = 1, layer.nInputPlane do
         for i = 1, H do
            for j = 1, W do
               big[n]:narrow(2, (i - 1) * layer.dH + 1, layer.kH)
                  :narrow(3, (j - 1) * layer.dW + 1, layer.kW):add(x[n][c][i][j], layer.weight[c])
            end
         end
      end
   end
   local y = big:narrow(3, layer.padH + 1, height):narrow(4, layer.padW + 1, width):clone()
   for k = 1, K do
      y:select(2, k):add(layer.bias and layer.bias[k] or 0)
   end
   return y
end

-- Planes in and out, kW, kH, dW, dH, padW, padH, adjW, adjH; height and width of the output of 4x5.
local cases = {
   { { 1, 2, 3, 3 }, 6, 7 },
   { { 3, 2, 2, 3, 2, 1 }, 6, 10 },
   { { 2, 3, 3, 3, 2, 2, 1, 1, 1, 1 }, 8, 10 },
   { { 2, 1, 4, 3, 3, 2, 1, 0, 2, 0 }, 9, 16 },
   { { 2, 2, 1, 1 }, 4, 5 },
}

describe('nn.SpatialFullConvolution', function()
   before_each(function()
      torch.manualSeed(6)
   end)

   for _, case in ipairs(cases) do
      local name = table.concat(case[1], ', ')

      it('computes its definition: ' .. name, function()
         local layer = nn.SpatialFullConvolution(unpack(case[1]))
         local x = torch.randn(2, case[1][1], 4, 5)
         local y = layer:forward(x):clone()
         numbers.same(reference(layer, x, case[2], case[3]), y, 1e-12)
         numbers.same(y[1], layer:forward(x[1]), 1e-12)
         numbers.same(y:float(), layer:float():forward(x:float()), 1e-5)
      end)

      it('has the gradients of central differences: ' .. name, function()
         gradcheck(nn.SpatialFullConvolution(unpack(case[1])), torch.randn(2, case[1][1], 4, 5))
         gradcheck(nn.SpatialFullConvolution(unpack(case[1])), torch.randn(case[1][1], 3, 2))
      end)
   end

   it('does without a bias', function()
      local layer = nn.SpatialFullConvolution(2, 3, 3, 3):noBias()
      local x = torch.randn(2, 2, 4, 5)
      numbers.same(reference(layer, x, 6, 7), layer:forward(x), 1e-12)
      gradcheck(layer, x)
   end)

   it('makes its output as high and wide as a second input', function()
      local layer = nn.SpatialFullConvolution(2, 3, 3, 3, 2, 2, 1, 1)
      local adjusted = nn.SpatialFullConvolution(2, 3, 3, 3, 2, 2, 1, 1, 1, 0)
      adjusted.weight:copy(layer.weight)
      adjusted.bias:copy(layer.bias)
      local x, like = torch.randn(2, 2, 4, 5), torch.Tensor(2, 7, 7, 10)
      local y = layer:forward { x, like }
      numbers.same(adjusted:forward(x), y)
      local g = torch.randn(y:size())
      layer:zeroGradParameters()
      adjusted:zeroGradParameters()
      local gradInput = layer:backward({ x, like }, g)
      numbers.same(adjusted:backward(x, g), gradInput[1])
      assert.same(like:size():totable(), gradInput[2]:size():totable())
      assert.equal(0, gradInput[2]:abs():max())
      numbers.same(adjusted.gradWeight, layer.gradWeight)
      assert.is_true(torch.isTensor(layer:clearState().gradInput))
      local ok, err = pcall(layer.forward, layer, { x, torch.Tensor(1, 1, 20, 20) })
      assert.is_false(ok)
      assert.matches('can be 7x9 to 8x10', err)
   end)

   it('starts uniform in ±1/sqrt(kW kH nInputPlane), weight first', function()
      torch.manualSeed(9)
      local weight = torch.Tensor(2, 3, 3, 3):uniform(-1 / math.sqrt(18), 1 / math.sqrt(18))
      torch.manualSeed(9)
      numbers.same(weight, nn.SpatialFullConvolution(2, 3, 3, 3).weight)
   end)

   it('tells of wrong shapes by its own name', function()
      local layer = nn.SpatialFullConvolution(3, 2, 5, 5)
      local _, err = pcall(function() layer:forward(torch.Tensor(2, 1, 8, 8)) end)
      assert.matches('SpatialFullConvolution_spec.*Convolution: input is 2x1x8x8, expected N x 3',
         err)
      local x = torch.Tensor(1, 3, 4, 4)
      layer:forward(x)
      _, err = pcall(function() layer:backward(x, torch.Tensor(1, 2, 4, 4)) end)
      assert.matches('gradOutput is 1x2x4x4, expected 1x2x8x8', err)
      _, err = pcall(nn.SpatialFullConvolution, 1, 1, 3, 3, 2, 2, 0, 0, 2)
      assert.matches('must be smaller than dH', err)
   end)

   it('prints what is not the default', function()
      local function printed(...)
         return tostring(nn.SpatialFullConvolution(...))
      end
      assert.equal('nn.SpatialFullConvolution(3 -> 16, 5x5)', printed(3, 16, 5, 5))
      assert.equal('nn.SpatialFullConvolution(3 -> 16, 5x3, 2,1)', printed(3, 16, 5, 3, 2))
      assert.equal('nn.SpatialFullConvolution(3 -> 16, 5x5, 2,2, 1,1, 1,0)',
         printed(3, 16, 5, 5, 2, 2, 1, 1, 1, 0))
      assert.equal('nn.SpatialFullConvolution(1 -> 1, 1x1) without bias',
         tostring(nn.SpatialFullConvolution(1, 1, 1, 1):noBias()))
   end)
end)
