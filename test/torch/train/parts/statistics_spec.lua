local torch = require 'torch'
local nn = require 'nn'
local train = require 'torch.train'
local raises = require 'test.support.raises'

describe('train.refreshStatistics', function()
   it('makes them the means over the batches', function()
      torch.manualSeed(9)
      local x = torch.randn(12, 3) * 2 + 5
      local net = nn.Sequential():add(nn.Linear(3, 4)):add(nn.BatchNormalization(4))
      for _ = 1, 7 do
         net:forward(torch.randn(5, 3) * 100)
      end
      assert.equal(1, train.refreshStatistics(net, { input = x, batchSize = 4 }))
      local layer, y = net:get(2), nn.Sequential():add(net:get(1)):forward(x):clone()
      local mean, variance = torch.zeros(4), torch.zeros(4)
      for i = 1, 9, 4 do
         mean:add(1 / 3, y:narrow(1, i, 4):mean(1):view(-1))
         variance:add(1 / 3, y:narrow(1, i, 4):var(1):view(-1))
      end
      assert.is_true((layer.running_mean - mean):abs():max() < 1e-9)
      assert.is_true((layer.running_var - variance):abs():max() < 1e-9)
      assert.equal(0.1, layer.momentum)
      assert.is_false(layer.train)
   end)

   it('names what it cannot use, and leaves momentum alone', function()
      local net = nn.Sequential():add(nn.BatchNormalization(4))
      raises('train.refreshStatistics: batch 1 has no input', train.refreshStatistics, net,
         { x = torch.ones(2, 4) })
      raises('nn.BatchNormalization', train.refreshStatistics, net, { input = torch.ones(2, 3) })
      assert.equal(0.1, net:get(1).momentum)
      assert.equal(0, train.refreshStatistics(nn.Sequential():add(nn.Tanh()),
         { input = torch.ones(1) }))
   end)
end)
