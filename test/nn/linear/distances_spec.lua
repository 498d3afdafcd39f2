-- Euclidean, WeightedEuclidean, Cosine, Kmeans, Bilinear, LinearWeightNorm.
local torch = require 'torch'
local nn = require 'nn'
local numbers = require 'test.support.numbers'
local raises = require 'test.support.raises'

describe('nn.Euclidean and nn.WeightedEuclidean', function()
   it('measure distances to the columns', function()
      local layer = nn.Euclidean(2, 3)
      layer.weight:copy(torch.Tensor { { 0, 3, 1 }, { 0, 0, 1 } })
      numbers.equal({ { 5, 4, math.sqrt(13) } }, layer:forward(torch.Tensor { { 3, 4 } }), 1e-12)
      numbers.equal({ 5, 4, math.sqrt(13) }, layer:forward(torch.Tensor { 3, 4 }), 1e-12)
      layer = nn.WeightedEuclidean(2, 1)
      layer.weight:zero()
      numbers.equal({ 5 }, layer:forward(torch.Tensor { 3, 4 }))
      layer.diagCov:copy(torch.Tensor { { 5 }, { 2 } })
      numbers.equal({ 17 }, layer:forward(torch.Tensor { 3, 4 }), 1e-12)
   end)

   it('have no direction at a centre', function()
      for _, Layer in ipairs { nn.Euclidean, nn.WeightedEuclidean } do
         local layer = Layer(2, 1)
         local x = layer.weight:t():clone()
         layer:forward(x)
         layer:zeroGradParameters()
         numbers.equal({ { 0, 0 } }, layer:backward(x, torch.ones(1, 1)))
         numbers.equal({ { 0 }, { 0 } }, layer.gradWeight)
      end
   end)

   it('step both parameters at once', function()
      local layer, x, g = nn.WeightedEuclidean(3, 2), torch.randn(4, 3), torch.randn(4, 2)
      local twin = layer:clone()
      layer:forward(x)
      layer:zeroGradParameters()
      layer:backward(x, g)
      layer:updateParameters(0.1)
      twin:forward(x)
      twin:backwardUpdate(x, g, 0.1)
      numbers.same(layer.weight, twin.weight, 1e-12)
      numbers.same(layer.diagCov, twin.diagCov, 1e-12)
   end)
end)

describe('nn.Cosine', function()
   it('measures angles', function()
      local layer = nn.Cosine(2, 3)
      layer.weight:copy(torch.Tensor { { 2, 0 }, { -1, -1 }, { 0, 5 } })
      numbers.equal({ { 1, -math.sqrt(0.5), 0 } }, layer:forward(torch.Tensor { { 7, 0 } }), 1e-9)
      numbers.equal({ 0, -math.sqrt(0.5), 1 }, layer:forward(torch.Tensor { 0, 3 }), 1e-9)
   end)
end)

describe('nn.Kmeans', function()
   it('begins between -1 and 1, or as far as reset is told', function()
      for _, stdv in ipairs { 1, 0.25 } do
         torch.manualSeed(7)
         local expected = torch.Tensor(3, 4):uniform(-stdv, stdv)
         torch.manualSeed(7)
         local layer = nn.Kmeans(3, 4)
         if stdv ~= 1 then
            torch.manualSeed(7)
            assert.equal(layer, layer:reset(stdv))
         end
         assert.is_true(layer.weight:equal(expected))
      end
   end)

   local x = torch.Tensor { { 0, 0 }, { 0, 1 }, { 10, 0 }, { 10, 3 }, { 10, 3 } }

   local function layer_at(...)
      local layer = nn.Kmeans(2, 2)
      layer.weight:copy(torch.Tensor { ... })
      layer:zeroGradParameters()
      return layer
   end

   it('assigns, and steps to the means', function()
      local layer = layer_at({ 0, 0 }, { 10, 0 })
      local y = layer:forward(x)
      numbers.equal({ 1, 1, 2, 2, 2 }, y)
      assert.matches('LongTensor', torch.typename(y))
      assert.equal(1 + 9 + 9, layer.loss)
      numbers.equal({ { 0, 0 }, { 0, 0 }, { 0, 0 }, { 0, 0 }, { 0, 0 } }, layer:backward(x))
      layer:updateParameters(1)
      numbers.equal({ { 0, 0.5 }, { 10, 2 } }, layer.weight, 1e-12)
   end)

   it('takes many samples part by part', function()
      local layer, many = nn.Kmeans(2, 600), torch.randn(2000, 600) -- 2.4 million differences
      local y = layer:forward(many)
      local function nearest(i)
         local d = (layer.weight - many[i]:view(1, 600):expand(2, 600)):norm(2, 2)
         return d[1][1] <= d[2][1] and 1 or 2
      end
      for _, i in ipairs { 1, 873, 874, 1748, 2000 } do
         assert.equal(nearest(i), y[i])
      end
   end)

   it('leaves centroids without samples where they are', function()
      local layer = layer_at({ 0, 0 }, { 99, 99 })
      layer:forward(x)
      layer:backward(x)
      numbers.equal({ 0, 0 }, layer.gradWeight[2])
   end)

   it('starts with samples', function()
      for _, method in ipairs { 'initRandom', 'initKmeansPlus' } do
         local layer = nn.Kmeans(2, 2)
         layer[method](layer, x)
         for i = 1, 2 do
            local nearest = (x - layer.weight[i]:view(1, 2):expandAs(x)):abs():sum(2):min()
            assert.equal(0, nearest)
         end
      end
      -- The farthest sample from either side is on the other one.
      local layer = nn.Kmeans(2, 2)
      layer:initKmeansPlus(x)
      assert.equal(10, math.abs(layer.weight[1][1] - layer.weight[2][1]))
      raises('nn.Kmeans: input is 1x2, expected 2 samples or more', layer.initRandom, layer,
         x:narrow(1, 1, 1))
   end)
end)

describe('nn.Bilinear', function()
   it('is x1 W x2 + b', function()
      local layer = nn.Bilinear(2, 3, 2)
      local x1, x2 = torch.randn(4, 2), torch.randn(4, 3)
      local y = layer:forward { x1, x2 }
      for n = 1, 4 do
         for k = 1, 2 do
            assert.near(x1[n]:dot(layer.weight[k] * x2[n]) + layer.bias[k], y[n][k], 1e-12)
         end
      end
      assert.equal('nn.Bilinear(2x3 -> 2)', tostring(layer))
      assert.equal('nn.Bilinear(2x3 -> 2) without bias', tostring(nn.Bilinear(2, 3, 2, false)))
   end)

   it('says what it wants', function()
      local layer = nn.Bilinear(2, 3, 2)
      raises('nn.Bilinear: input is { 4x2, 4x2 }, expected { N x 2, N x 3 }', layer.forward, layer,
         { torch.ones(4, 2), torch.ones(4, 2) })
      raises('nn.Bilinear: gradOutput is 4x3, expected 4x2', layer.backward, layer,
         { torch.ones(4, 2), torch.ones(4, 3) }, torch.ones(4, 3))
   end)
end)

describe('nn.LinearWeightNorm', function()
   it('is nn.Linear, there and back', function()
      for _, bias in ipairs { true, false } do
         local linear, x = nn.Linear(3, 2, bias), torch.randn(4, 3)
         local layer = nn.LinearWeightNorm.fromLinear(linear)
         numbers.same(linear:forward(x), layer:forward(x), 1e-12)
         numbers.same(linear.weight:norm(2, 2), layer.g, 1e-12)
         layer.g:mul(2)
         numbers.same(layer:forward(x), layer:toLinear():forward(x), 1e-12)
         numbers.same(linear.weight * 2, layer.weight, 1e-12)
      end
   end)

   it('keeps the weight of the last training in evaluation', function()
      local layer, x = nn.LinearWeightNorm(3, 2), torch.randn(3)
      layer:forward(x)
      layer.v:mul(-1)
      layer:evaluate()
      local y = layer:forward(x):clone()
      layer.v:zero()
      numbers.same(y, layer:forward(x))
   end)

   it('steps at once as it does by gradients', function()
      local layer, x, g = nn.LinearWeightNorm(3, 2), torch.randn(4, 3), torch.randn(4, 2)
      local twin = layer:clone()
      layer:forward(x)
      layer:zeroGradParameters()
      layer:backward(x, g)
      layer:updateParameters(0.1)
      twin:forward(x)
      twin:backwardUpdate(x, g, 0.1)
      for _, name in ipairs { 'v', 'g', 'bias' } do
         numbers.same(layer[name], twin[name], 1e-12)
      end
   end)
end)
