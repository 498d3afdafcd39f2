-- SpatialDropout, VolumetricDropout, WhiteNoise.
local torch = require 'torch'
local nn = require 'nn'
local numbers = require 'test.support.numbers'
local raises = require 'test.support.raises'

describe('nn.SpatialDropout and nn.VolumetricDropout', function()
   for _, case in ipairs {
      { nn.SpatialDropout, { 4, 250, 2, 3 } }, { nn.VolumetricDropout, { 4, 250, 2, 1, 3 } },
   } do
      local Layer, sizes = unpack(case)

      it('drop whole planes, and the same of the gradient', function()
         torch.manualSeed(5)
         local layer, x = Layer(0.2), torch.ones(unpack(sizes))
         local y = layer:forward(x):view(1000, -1)
         numbers.same((y:min(2)), (y:max(2)))
         assert.near(0.8, y:mean(), 0.05)
         numbers.same(layer.output, layer:backward(x, x))
         assert.equal(1000, layer.noise:nElement())
         y = layer:forward(x[1]):view(250, -1)
         numbers.same((y:min(2)), (y:max(2)))
      end)

      it('scale in evaluation, or drop when asked to', function()
         local layer, x = Layer(0.25), torch.ones(unpack(sizes))
         layer:evaluate()
         assert.equal(0.75, layer:forward(x):min())
         assert.equal(0.75, layer:backward(x, x):max())
         layer = Layer(0.25, true)
         layer:evaluate()
         assert.equal(0, layer:forward(x):min())
      end)
   end

   it('print and check the probability', function()
      assert.equal('nn.WhiteNoise mean: 0.500000, std: 2.000000', tostring(nn.WhiteNoise(0.5, 2)))
      assert.equal('nn.SpatialDropout(0.500000)', tostring(nn.SpatialDropout()))
      assert.equal('nn.VolumetricDropout(0.300000)', tostring(nn.VolumetricDropout(0.3)))
      local layer = nn.SpatialDropout()
      layer:setp(0.1)
      assert.equal(0.1, layer.p)
      raises('nn.SpatialDropout: p is 1', layer.setp, layer, 1)
   end)
end)

describe('nn.WhiteNoise', function()
   it('adds noise of its mean and deviation while training', function()
      torch.manualSeed(5)
      local layer, x = nn.WhiteNoise(2, 0.5), torch.zeros(100, 100)
      local y = layer:forward(x)
      assert.near(2, y:mean(), 0.02)
      assert.near(0.5, y:std(), 0.02)
      layer:evaluate()
      numbers.equal({ 5 }, layer:forward(torch.Tensor { 3 }))
   end)
end)
