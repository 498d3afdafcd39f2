-- Convolutions over images whose kernels have another form than nn.SpatialConvolution's: each
-- against one of those with the same kernels written out.
local torch = require 'torch'
local nn = require 'nn'
local numbers = require 'test.support.numbers'
local raises = require 'test.support.raises'

-- A convolution with a given weight and bias, and the arguments behind kW, kH.
local function plain(weight, bias, ...)
   local layer = nn.SpatialConvolution(weight:size(2), weight:size(1), weight:size(4),
      weight:size(3), ...)
   layer.weight:copy(weight)
   return bias and layer:noBias() and layer or layer
end

-- Output and gradInput of both are the same; returns the gradient of the plain one's weight.
local function same(layer, reference, x)
   local y = reference:forward(x)
   numbers.same(y, layer:forward(x), 1e-12)
   local g = torch.randn(y:size())
   reference:zeroGradParameters()
   layer:zeroGradParameters()
   numbers.same(reference:backward(x, g, 2), layer:backward(x, g, 2), 1e-12)
   return reference.gradWeight, reference.gradBias
end

before_each(function()
   torch.manualSeed(11)
end)

describe('nn.SpatialDilatedConvolution', function()
   it('is a convolution whose kernels have zeros in their gaps', function()
      local layer = nn.SpatialDilatedConvolution(2, 3, 3, 2, 2, 1, 1, 2, 2, 3)
      local written_out = torch.zeros(3, 2, 4, 5)
      for i = 1, 2 do
         for j = 1, 3 do
            written_out:select(4, 2 * j - 1):select(3, 3 * i - 2):copy(
               layer.weight:select(4, j):select(3, i))
         end
      end
      local reference = plain(written_out, nil, 2, 1, 1, 2)
      reference.bias:copy(layer.bias)
      local gradWeight, gradBias = same(layer, reference, torch.randn(2, 2, 7, 9))
      numbers.same(gradBias, layer.gradBias, 1e-12)
      numbers.same(gradWeight:select(4, 5):select(3, 4),
         layer.gradWeight:select(4, 3):select(3, 2), 1e-12)
   end)

   it('prints its gaps, and has as many down as to the right', function()
      local layer = nn.SpatialDilatedConvolution(1, 2, 3, 3, 1, 1, 0, 0, 2)
      assert.equal(2, layer.dilationH)
      assert.equal('nn.SpatialDilatedConvolution(1 -> 2, 3x3, 2,2)', tostring(layer))
      assert.equal('nn.SpatialDilatedConvolution(1 -> 2, 3x3, 2,1, 1,0, 1,1) without bias',
         tostring(nn.SpatialDilatedConvolution(1, 2, 3, 3, 2, 1, 1, 0):noBias()))
      raises('too small for a kernel of 3x3 with dilation 2x2', layer.forward, layer,
         torch.randn(1, 4, 9))
   end)
end)

describe('weights of two dimensions', function()
   it('are those of nn.SpatialConvolutionMM', function()
      local layer = nn.SpatialConvolutionMM(2, 3, 3, 2, 1, 2, 1)
      assert.same({ 3, 12 }, layer.weight:size():totable())
      local reference = plain(layer.weight:view(3, 2, 2, 3), nil, 1, 2, 1)
      reference.bias:copy(layer.bias)
      local gradWeight = same(layer, reference, torch.randn(2, 2, 5, 6))
      numbers.same(gradWeight:view(3, 12), layer.gradWeight, 0)
      assert.equal('nn.SpatialConvolutionMM(2 -> 3, 3x2, 1,2, 1,1)', tostring(layer))
   end)

   it('may be given to nn.SpatialConvolution', function()
      local layer = nn.SpatialConvolution(2, 3, 3, 2)
      local reference = layer:clone()
      layer.weight, layer.gradWeight = layer.weight:view(3, 12), layer.gradWeight:view(3, 12)
      local gradWeight = same(layer, reference, torch.randn(2, 2, 5, 6))
      numbers.same(gradWeight:view(3, 12), layer.gradWeight, 0)
   end)
end)

describe('nn.SpatialDepthWiseConvolution', function()
   it('has the planes that come from one side by side', function()
      local layer = nn.SpatialDepthWiseConvolution(2, 3, 3, 2, 1, 1, 1)
      local x = torch.randn(2, 2, 5, 6)
      local y = layer:forward(x)
      assert.same({ 2, 6, 6, 6 }, y:size():totable())
      for plane = 1, 2 do
         local reference = plain(layer.weight:narrow(2, plane, 1):clone(), nil, 1, 1, 1)
         reference.bias:copy(layer.bias:select(2, plane))
         numbers.same(reference:forward(x:narrow(2, plane, 1):clone()),
            y:narrow(2, 3 * plane - 2, 3), 1e-12)
      end
   end)
end)

describe('nn.SpatialConvolutionLocal', function()
   it('has kernels of its own at each place', function()
      local layer = nn.SpatialConvolutionLocal(2, 3, 6, 5, 3, 2, 2, 1, 1, 0)
      assert.same({ 4, 3, 3, 2, 2, 3 }, layer.weight:size():totable())
      assert.same({ 3, 4, 3 }, layer.bias:size():totable())
      local x = torch.randn(2, 2, 5, 6)
      local y = layer:forward(x)
      for i = 1, 4 do
         for j = 1, 3 do
            local reference = plain(layer.weight[i][j], nil, 2, 1, 1, 0)
            reference.bias:copy(layer.bias:select(3, j):select(2, i))
            numbers.same(reference:forward(x):select(4, j):select(3, i),
               y:select(4, j):select(3, i), 1e-12)
         end
      end
      assert.equal('nn.SpatialConvolutionLocal(2 -> 3, 6x5, 3x2, 2,1, 1,0)', tostring(layer))
      raises('expected N x 2 x 5 x 6', layer.forward, layer, torch.randn(2, 2, 6, 5))
      raises('would be 0x3', nn.SpatialConvolutionLocal, 1, 1, 2, 5, 3, 3)
   end)
end)

for _, case in ipairs {
   { 'SpatialConvolutionMap', 'SpatialConvolution', 1 },
   { 'SpatialFullConvolutionMap', 'SpatialFullConvolution', 2 },
} do
   describe('nn.' .. case[1], function()
      it('has a kernel for each row of its table, and zeros elsewhere', function()
         local connections = torch.Tensor { { 1, 1 }, { 3, 2 }, { 2, 1 } }
         local layer = nn[case[1]](connections, 3, 2, 2, 1)
         local reference = nn[case[2]](3, 2, 3, 2, 2, 1)
         local function kernel(weight, k)
            local from, to = connections[k][1], connections[k][2]
            return case[3] == 1 and weight[to][from] or weight[from][to]
         end
         reference.weight:zero()
         for k = 1, 3 do
            kernel(reference.weight, k):copy(layer.weight[k])
         end
         reference.bias:copy(layer.bias)
         local gradWeight, gradBias = same(layer, reference, torch.randn(2, 3, 5, 6))
         for k = 1, 3 do
            numbers.same(kernel(gradWeight, k), layer.gradWeight[k], 1e-12)
         end
         numbers.same(gradBias, layer.gradBias, 1e-12)
         assert.equal('nn.' .. case[1], tostring(layer))
      end)

      it('starts by the number of a plane\'s connections', function()
         local layer = nn[case[1]](nn.tables.full(50, 2), 5, 4)
         local bound = 1 / math.sqrt(5 * 4 * 50)
         assert.is_true(layer.weight:max() <= bound and layer.weight:max() > 0.9 * bound)
         assert.is_true(layer.weight:min() >= -bound and layer.weight:min() < -0.9 * bound)
         layer:reset(1)
         assert.is_true(layer.weight:max() > 1)
         local weight, bias = layer.weight:clone(), layer.bias:clone()
         layer:decayParameters(0.25)
         numbers.same(weight:mul(0.75), layer.weight, 1e-15)
         numbers.same(bias:mul(0.75), layer.bias, 1e-15)
      end)
   end)
end
