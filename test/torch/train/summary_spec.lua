local torch = require 'torch'
local nn = require 'nn'
local train = require 'torch.train'
local raises = require 'test.support.raises'

local function lenet()
   local features = nn.Sequential()
      :add(nn.SpatialConvolution(1, 20, 5, 5)):add(nn.ReLU()):add(nn.SpatialMaxPooling(2, 2))
      :add(nn.SpatialConvolution(20, 50, 5, 5)):add(nn.ReLU()):add(nn.SpatialMaxPooling(2, 2))
   features.name = 'features'
   return nn.Sequential():add(features):add(nn.View(800))
      :add(nn.Linear(800, 500)):add(nn.ReLU()):add(nn.Linear(500, 10)):add(nn.LogSoftMax())
end

describe('train.summary', function()
   it('counts what LeNet holds and computes', function()
      local net = lenet():float()
      net:training()
      local s = train.summary(net, torch.FloatTensor(2, 1, 28, 28))
      local rows = {}
      for i, r in ipairs(s.rows) do
         rows[i] = ('%s %s %s %d %d %d'):format(r.path, r.class, r.output, r.parameters,
            r.multiplyAdds, r.memory)
      end
      -- For each of 2 images: 24 x 24 places of 20 planes by 25 products; 8 x 8 of 50 by 20 x 25.
      assert.same({
         'features.1 nn.SpatialConvolution 2x20x24x24 520 576000 92160',
         'features.2 nn.ReLU 2x20x24x24 0 0 92160',
         'features.3 nn.SpatialMaxPooling 2x20x12x12 0 0 23040',
         'features.4 nn.SpatialConvolution 2x50x8x8 25050 3200000 25600',
         'features.5 nn.ReLU 2x50x8x8 0 0 25600',
         'features.6 nn.SpatialMaxPooling 2x50x4x4 0 0 6400',
         '2 nn.View 2x800 0 0 0',
         '3 nn.Linear 2x500 400500 800000 4000',
         '4 nn.ReLU 2x500 0 0 4000',
         '5 nn.Linear 2x10 5010 10000 80',
         '6 nn.LogSoftMax 2x10 0 0 80',
      }, rows)
      assert.same({ 431080, 4 * 431080, 4586000 }, { s.parameters, s.parameterMemory,
         s.multiplyAdds })
      assert.is_true(net.train)
      local text = tostring(s)
      assert.matches('layer +class +output +parameters +multiply%-adds +memory\n', text)
      assert.matches('\n431,080 parameters %(1%.6 MiB%), 0 of them frozen; 4,586,000 '
         .. 'multiply%-adds',
         text)
   end)

   it('counts a transposed convolution by its inputs, and groups', function()
      local function of(layer, ...)
         return train.summary(layer, torch.randn(...)).multiplyAdds
      end
      assert.equal(3 * 5 * 7 * 4 * 2 * 2, of(nn.SpatialFullConvolution(3, 4, 2, 2, 2, 2),
         1, 3, 5, 7))
      assert.equal(8 * 6, of(nn.Linear(6, 8), 6))
      assert.equal(2 * 9 * 4 * 3 * 2, of(nn.TemporalConvolution(3, 4, 2), 2, 10, 3))
   end)

   it('counts the gates of each step of a sequence, and the projections of attention', function()
      -- 3 sequences of 4 steps: four gates from 6 + 5 numbers, then from 5 + 5.
      local s = train.summary(nn.LSTM(6, 5, 2), torch.randn(3, 4, 6))
      assert.equal(3 * 4 * (4 * 5 * (6 + 5) + 4 * 5 * (5 + 5)), s.multiplyAdds)
      s = train.summary(nn.MultiHeadAttention(8, 2), torch.randn(3, 4, 8))
      assert.equal(3 * 4 * 4 * 8 * 8, s.multiplyAdds)
   end)

   it('counts a layer that is used twice twice, its parameters once', function()
      local layer = nn.Linear(4, 4)
      local net = nn.Sequential():add(layer):add(layer)
      local s = train.summary(net, torch.randn(3, 4))
      assert.same({ 20, 96, 2 }, { s.parameters, s.multiplyAdds, s.rows[1].calls })
   end)

   it('counts parameters that layers share once in the sum', function()
      local layer = nn.Linear(3, 3)
      local net = nn.Sequential():add(layer):add(layer:clone('weight', 'bias'))
      local s = train.summary(net, torch.randn(2, 3))
      assert.same({ 12, 12, 12 }, { s.parameters, s.rows[1].parameters, s.rows[2].parameters })
      local large, small = nn.Linear(3, 4), nn.Linear(3, 2)
      for place = 1, 3 do
         small.weight = large.weight:narrow(1, place, 2)
         small.gradWeight = large.gradWeight:narrow(1, place, 2)
         net = nn.ConcatTable():add(small):add(large)
         assert.equal(18, train.summary(net, torch.randn(1, 3)).parameters)
      end
   end)

   it('leaves statistics and errors as they come', function()
      local net = nn.Sequential():add(nn.BatchNormalization(3))
      train.summary(net, torch.randn(4, 3) + 7)
      assert.equal(0, net:get(1).running_mean:abs():max())
      raises('nn.Linear: input is 2x4', train.summary, nn.Sequential():add(nn.Linear(3, 1)),
         torch.ones(2, 4))
      assert.equal(0, #train.summary(nn.Sequential():add(nn.Tanh()), torch.ones(1)).rows - 1)
      raises('train.summary: input is missing', train.summary, net)
      raises('train.summary: expected a network, got 3', train.summary, 3)
   end)
end)
