local torch = require 'torch'
local nn = require 'nn'
local gradcheck = require 'test.support.gradcheck'
local numbers = require 'test.support.numbers'

-- The definition, element by element.
local function reference(layer, x)
   local N, H, W = x:size(1), x:size(3), x:size(4)
   local oH = math.floor((H + 2 * layer.padH - layer.kH) / layer.dH) + 1
   local oW = math.floor((W + 2 * layer.padW - layer.kW) / layer.dW) + 1
   local y = torch.Tensor(N, layer.nOutputPlane, oH, oW)
   local padded = torch.zeros(N, layer.nInputPlane, H + 2 * layer.padH, W + 2 * layer.padW)
   padded:narrow(3, layer.padH + 1, H):narrow(4, layer.padW + 1, W):copy(x)
   for n = 1, N do
      for o = 1, layer.nOutputPlane do
         for i = 1, oH do
            for j = 1, oW do
               local window = padded[n]:narrow(2, (i - 1) * layer.dH + 1, layer.kH)
                  :narrow(3, (j - 1) * layer.dW + 1, layer.kW)
               y[n][o][i][j] = window:clone():cmul(layer.weight[o]):sum()
                  + (layer.bias and layer.bias[o] or 0)
            end
         end
      end
   end
   return y
end

-- Planes in and out, kW, kH, dW, dH, padW, padH.
local cases = {
   { 1, 2, 3, 3 },
   { 3, 2, 1, 1 },
   { 2, 3, 3, 2, 2, 1 },
   { 2, 3, 2, 3, 1, 2, 1, 0 },
   { 2, 1, 3, 3, 2, 2, 1, 2 },
}

describe('nn.SpatialConvolution', function()
   before_each(function()
      torch.manualSeed(6)
   end)

   for _, arguments in ipairs(cases) do
      local name = table.concat(arguments, ', ')

      it('computes its definition: ' .. name, function()
         local layer = nn.SpatialConvolution(unpack(arguments))
         local x = torch.randn(2, arguments[1], 7, 6)
         local y = layer:forward(x):clone()
         numbers.same(reference(layer, x), y, 1e-12)
         numbers.same(y[1], layer:forward(x[1]), 1e-12)
         local single = layer:float():forward(x:float())
         -- At most 18 products of numbers around 1: float rounding stays below 1e-5.
         numbers.same(y:float(), single, 1e-5)
      end)

      it('has the gradients of central differences: ' .. name, function()
         gradcheck(nn.SpatialConvolution(unpack(arguments)), torch.randn(2, arguments[1], 5, 6))
         gradcheck(nn.SpatialConvolution(unpack(arguments)), torch.randn(arguments[1], 5, 6))
      end)
   end

   it('does without a bias', function()
      local layer = nn.SpatialConvolution(2, 3, 3, 3):noBias()
      local x = torch.randn(2, 2, 5, 5)
      numbers.same(reference(layer, x), layer:forward(x), 1e-12)
      gradcheck(layer, x)
   end)

   it('takes inputs with gaps', function()
      local layer, x = nn.SpatialConvolution(2, 3, 3, 3), torch.randn(5, 6, 2, 3)
      local strided = x:permute(4, 3, 1, 2)
      numbers.same(reference(layer, strided:clone()), layer:forward(strided), 1e-12)
   end)

   it('starts uniform in ±1/sqrt(kW kH nInputPlane), weight first', function()
      local layer = nn.SpatialConvolution(4, 20, 5, 5)
      assert.is_true(layer.weight:max() <= 0.1 and layer.weight:max() > 0.099)
      torch.manualSeed(9)
      local weight = torch.Tensor(2, 1, 3, 3):uniform(-1 / 3, 1 / 3)
      torch.manualSeed(9)
      numbers.same(weight, nn.SpatialConvolution(1, 2, 3, 3).weight)
   end)

   it('skips gradInput when it has been set to nil', function()
      local layer = nn.SpatialConvolution(1, 2, 3, 3)
      layer.gradInput = nil
      local x = torch.randn(1, 1, 5, 5)
      assert.is_nil(layer:backward(x, layer:forward(x)))
   end)

   it('reads the fields of early Torch7', function()
      local layer = nn.SpatialConvolution(2, 3, 3, 3, 1, 1, 1)
      local x = torch.randn(2, 2, 5, 5)
      local y = layer:forward(x):clone()
      layer.padW, layer.padH, layer.padding = nil, nil, 1
      layer.weight, layer.gradWeight = layer.weight:view(3, 18), layer.gradWeight:view(3, 18)
      numbers.same(y, torch.deserialize(torch.serialize(layer)):forward(x))
   end)

   it('says what it got and what it expected', function()
      local layer = nn.SpatialConvolution(3, 2, 5, 5)
      local function message(x)
         return select(2, pcall(function() layer:forward(x) end))
      end
      assert.matches('SpatialConvolution_spec.*Convolution: input is 2x1x8x8, expected N x 3',
         message(torch.Tensor(2, 1, 8, 8)))
      assert.matches('is a ' .. torch.FloatTensor():type(), message(torch.FloatTensor(2, 3, 8, 8)))
      assert.matches('2x3x4x4, too small for a kernel of 5x5', message(torch.Tensor(2, 3, 4, 4)))
      local _, err = pcall(function()
         nn.SpatialConvolution(1, 2, 5, 5):forward(torch.Tensor(32, 28, 28))
      end)
      assert.matches('Add the plane dimension: nn.View%(1, 28, 28%)', err)
      assert.matches('x:permute%(3, 1, 2%)', message(torch.Tensor(8, 9, 3)))
      local x = torch.Tensor(2, 8, 9, 3)
      assert.matches('before height and width: x:permute%(1, 4, 2, 3%)$', message(x))
      assert.same({ 2, 3, 8, 9 }, x:permute(1, 4, 2, 3):size():totable())
   end)

   it('prints what is not the default', function()
      local function printed(...)
         return tostring(nn.SpatialConvolution(...))
      end
      assert.equal('nn.SpatialConvolution(3 -> 16, 5x5)', printed(3, 16, 5, 5))
      assert.equal('nn.SpatialConvolution(3 -> 16, 5x3, 2,1)', printed(3, 16, 5, 3, 2))
      assert.equal('nn.SpatialConvolution(3 -> 16, 5x5, 1,1, 2,2)', printed(3, 16, 5, 5, 1, 1, 2))
      assert.equal('nn.SpatialConvolution(1 -> 1, 1x1) without bias',
         tostring(nn.SpatialConvolution(1, 1, 1, 1):noBias()))
   end)
end)
