-- Layers over sequences of frames.
local torch = require 'torch'
local nn = require 'nn'
local numbers = require 'test.support.numbers'
local raises = require 'test.support.raises'

before_each(function()
   torch.manualSeed(13)
end)

describe('nn.TemporalConvolution', function()
   it('applies a linear layer to each window of frames', function()
      local layer = nn.TemporalConvolution(3, 4, 2, 3)
      assert.same({ 4, 6 }, layer.weight:size():totable())
      local linear = nn.Linear(6, 4)
      linear.weight:copy(layer.weight)
      linear.bias:copy(layer.bias)
      local x = torch.randn(2, 9, 3)
      local y = layer:forward(x)
      assert.same({ 2, 3, 4 }, y:size():totable())
      for t = 1, 3 do
         local window = x:narrow(2, 3 * t - 2, 2):clone():view(2, 6)
         numbers.same(linear:forward(window), y:select(2, t), 1e-12)
      end
      assert.equal('nn.TemporalConvolution', tostring(layer))
   end)

   it('starts within 1/sqrt(kW inputFrameSize), and tells of short sequences', function()
      local layer = nn.TemporalConvolution(40, 30, 10)
      assert.is_true(layer.weight:max() <= 0.05 and layer.weight:max() > 0.049)
      raises('nn.TemporalConvolution: input is 9x40: 9 frames, shorter than a kernel of 10',
         layer.forward, layer, torch.randn(9, 40))
   end)
end)

describe('nn.TemporalRowConvolution', function()
   it('convolves each feature by itself', function()
      local layer = nn.TemporalRowConvolution(3, 2, 2)
      assert.equal('nn.TemporalRowConvolution(3, 2, 2)', tostring(layer))
      assert.equal('nn.TemporalRowConvolution(3, 2)', tostring(nn.TemporalRowConvolution(3, 2)))
      assert.same({ 3, 1, 2 }, layer.weight:size():totable())
      local x = torch.randn(2, 7, 3)
      local y = layer:forward(x):clone()
      assert.same({ 2, 3, 3 }, y:size():totable())
      for feature = 1, 3 do
         local own = nn.TemporalConvolution(1, 1, 2, 2)
         own.weight:copy(layer.weight[feature])
         own.bias:fill(layer.bias[feature])
         numbers.same(own:forward(x:narrow(3, feature, 1):clone()), y:narrow(3, feature, 1), 1e-12)
      end
      layer.featFirst = true
      numbers.same(y:transpose(2, 3), layer:forward(x:transpose(2, 3)), 1e-12)
      raises('expected N x 3 x T', layer.forward, layer, x)
   end)
end)

describe('nn.TemporalSubSampling', function()
   it('weighs the sums of windows', function()
      local layer = nn.TemporalSubSampling(2, 3, 2)
      layer.weight:copy(torch.Tensor { 1, 10 })
      layer.bias:copy(torch.Tensor { 0.5, 0 })
      local x = torch.Tensor { { 1, 1 }, { 2, 0 }, { 3, 1 }, { 4, 0 }, { 5, 1 } }
      numbers.equal({ { 6.5, 20 }, { 12.5, 20 } }, layer:forward(x))
   end)
end)

describe('nn.SpatialSubSampling', function()
   it('weighs the sums of windows', function()
      local layer = nn.SpatialSubSampling(2, 2, 1, 2, 1)
      layer.weight:copy(torch.Tensor { 1, -1 })
      layer.bias:copy(torch.Tensor { 0, 3 })
      local plane = torch.Tensor { { 1, 2, 3, 4 }, { 5, 6, 7, 8 } }
      local y = layer:forward(torch.cat(plane:view(1, 2, 4), plane:view(1, 2, 4), 1))
      numbers.equal({ { 3, 7 }, { 11, 15 } }, y[1])
      numbers.equal({ { 0, -4 }, { -8, -12 } }, y[2])
   end)
end)
