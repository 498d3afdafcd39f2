local torch = require 'torch'
local nn = require 'nn'
local numbers = require 'test.support.numbers'
local raises = require 'test.support.raises'

before_each(function()
   torch.manualSeed(12)
end)

describe('nn.VolumetricConvolution', function()
   it('is a sum of convolutions over images', function()
      local layer = nn.VolumetricConvolution(2, 3, 2, 3, 2, 2, 1, 2, 1, 0, 1)
      local x = torch.randn(2, 2, 5, 6, 7)
      local y = layer:forward(x)
      assert.same({ 2, 3, 3, 4, 5 }, y:size():totable())
      local wanted = torch.zeros(y:size())
      local image = nn.SpatialConvolution(2, 3, 3, 2, 1, 2, 0, 1):noBias()
      for t = 1, 3 do
         local sum = wanted:select(3, t)
         sum:add(layer.bias:view(1, 3, 1, 1):expandAs(sum))
         for k = 1, 2 do
            local frame = (t - 1) * 2 - 1 + k
            if frame >= 1 and frame <= 5 then
               image.weight:copy(layer.weight:select(3, k))
               sum:add(image:forward(x:select(3, frame):clone()))
            end
         end
      end
      numbers.same(wanted, y, 1e-12)
      numbers.same(y[2], layer:forward(x[2]), 1e-12)
   end)

   it('pads all sides as the first that is given', function()
      local layer = nn.VolumetricConvolution(1, 1, 3, 3, 3, 1, 1, 1, 1)
      assert.same({ 1, 4, 5, 6 }, layer:forward(torch.randn(1, 4, 5, 6)):size():totable())
      assert.equal('nn.VolumetricConvolution(1 -> 1, 3x3x3, 1,1,1, 1,1,1)', tostring(layer))
      assert.equal('nn.VolumetricConvolution(1 -> 2, 3x2x1) without bias',
         tostring(nn.VolumetricConvolution(1, 2, 3, 2, 1):noBias()))
      raises('nn.VolumetricConvolution: input is 1x1x4x4x4, expected', function()
         nn.VolumetricConvolution(2, 1, 1, 1, 1):forward(torch.randn(1, 1, 4, 4, 4))
      end)
      raises('nn.VolumetricConvolution: conv: input is 1x2x4x4, too small for a kernel of 3x3x3',
         function() nn.VolumetricConvolution(1, 1, 3, 3, 3):forward(torch.randn(1, 2, 4, 4)) end)
   end)
end)

describe('nn.VolumetricDilatedConvolution', function()
   it('is a convolution whose kernels have zeros in their gaps', function()
      local layer = nn.VolumetricDilatedConvolution(2, 3, 2, 2, 1, 1, 1, 1, 0, 1, 0, 2, 3, 1)
      local reference = nn.VolumetricConvolution(2, 3, 3, 4, 1, 1, 1, 1, 0, 1, 0)
      reference.weight:zero()
      for t = 1, 2 do
         for j = 1, 2 do
            reference.weight:select(5, 3 * j - 2):select(3, 2 * t - 1):copy(
               layer.weight:select(5, j):select(3, t))
         end
      end
      reference.bias:copy(layer.bias)
      local x = torch.randn(2, 2, 5, 4, 6)
      local y = reference:forward(x)
      numbers.same(y, layer:forward(x), 1e-12)
      local g = torch.randn(y:size())
      numbers.same(reference:backward(x, g), layer:backward(x, g), 1e-12)
      assert.equal('nn.VolumetricDilatedConvolution(2 -> 3, 2x2x1, 1,1,1, 0,1,0, 2,3,1)',
         tostring(layer))
   end)
end)

describe('nn.VolumetricFullConvolution', function()
   it('is the transpose of nn.VolumetricConvolution', function()
      local layer = nn.VolumetricFullConvolution(2, 3, 2, 3, 2, 1, 2, 1, 1, 1, 0, 0, 1, 0)
      local forward = nn.VolumetricConvolution(3, 2, 2, 3, 2, 1, 2, 1, 1, 1, 0)
      forward.weight:copy(layer.weight)
      layer.bias:zero()
      forward.bias:zero()
      local x = torch.randn(2, 2, 4, 3, 5)
      local y = layer:forward(x):clone()
      assert.same({ 2, 3, 3, 4, 10 }, y:size():totable())
      -- <full(x), z> = <x, conv(z)>
      local z = torch.randn(y:size())
      assert.is_true(math.abs(y:dot(z) - x:dot(forward:forward(z))) < 1e-10)
      assert.equal('nn.VolumetricFullConvolution(2 -> 3, 2x3x2, 1,2,1, 1,1,0, 0,1,0)',
         tostring(layer))
      raises('adjW (2) must be smaller than dW (2)', nn.VolumetricFullConvolution, 1, 1, 2, 2, 2, 2,
         2, 2, 0, 0, 0, 0, 2, 0)
   end)

   it('makes its output as large as a second input, whose gradient is one zero', function()
      local layer = nn.VolumetricFullConvolution(1, 2, 2, 2, 2, 2, 2, 2)
      local input = { torch.randn(1, 1, 2, 3, 2), torch.randn(5, 6, 5) }
      local y = layer:forward(input)
      assert.same({ 1, 2, 5, 6, 5 }, y:size():totable())
      local gradInput = layer:backward(input, y)
      assert.same({ 5, 6, 5 }, gradInput[2]:size():totable())
      assert.equal(1, gradInput[2]:storage():size())
      assert.equal(0, gradInput[2]:max())
      raises('can be 4x6x4 to 5x7x5', layer.forward, layer,
         { input[1], torch.randn(6, 6, 6) })
   end)
end)
