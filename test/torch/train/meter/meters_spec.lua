local torch = require 'torch'
local optim = require 'optim'
local train = require 'torch.train'
local raises = require 'test.support.raises'

describe('meters', function()
   it('average by how many samples a value stands for', function()
      local meter = train.Average()
      assert.is_true(meter:value() ~= meter:value())
      meter:add(1)
      meter:add(4, 2)
      assert.equal(3, meter:value())
      meter:reset()
      meter:add(7)
      assert.equal(7, meter:value())
   end)

   it('count as a table of counts does, over batches', function()
      torch.manualSeed(1)
      local accuracy, confusion = train.Accuracy(), optim.ConfusionMatrix(6)
      for _, n in ipairs { 5, 9, 1 } do
         local y, t = torch.randn(n, 6), torch.LongTensor(n):random(6)
         accuracy:add(y, t)
         confusion:batchAdd(y, t)
      end
      confusion:updateValids()
      assert.near(confusion.totalValid, accuracy:value(), 1e-7)
   end)

   it('count classes among the k highest scores as sorting does', function()
      torch.manualSeed(2)
      local y, t = torch.randn(40, 7), torch.LongTensor(40):random(7)
      for k = 1, 8 do
         local meter, right = train.Accuracy(k), 0
         meter:add(y, t)
         for i = 1, 40 do
            local above = y[i]:gt(y[i][t[i]]):sum()
            right = right + (above < k and 1 or 0)
         end
         assert.near(right / 40, meter:value(), 1e-12)
      end
   end)

   it('take one sample, and targets of any whole type', function()
      local meter = train.Accuracy()
      meter:add(torch.FloatTensor { 1, 5, 2 }, torch.DoubleTensor { 2 })
      meter:add(torch.FloatTensor { { 1, 5, 2 } }, torch.ByteTensor { 3 })
      assert.equal(0.5, meter:value())
   end)

   it('pass over the samples that criterions pass over', function()
      local meter = train.Accuracy()
      local y = torch.Tensor { { 1, 3 }, { 2, 1 }, { 0, 5 }, { 4, 1 } }
      meter:add(y, torch.LongTensor { 2, -100, 1, -100 })
      assert.equal(0.5, meter:value())
      meter:add(y, torch.LongTensor { 2, 1, 2, -100 })
      assert.equal(4 / 5, meter:value())
   end)

   it('name what does not fit', function()
      raises('train.Accuracy: output is 5x3, target 4: expected N x classes scores and N classes',
         train.Accuracy().add, train.Accuracy(), torch.ones(5, 3), torch.ones(4))
      raises('train.Accuracy: k is 0, expected a whole number from 1 on', train.Accuracy, 0)
      local y = torch.randn(4, 3)
      raises('train.Accuracy: target has class 0, expected classes from 1 to 3',
         train.Accuracy().add, train.Accuracy(), y, torch.LongTensor { 0, 1, 2, 1 })
      raises('target has class 4, expected classes from 1 to 3', train.Accuracy().add,
         train.Accuracy(), y, torch.LongTensor { 1, 1, 4, 1 })
      raises('output is 4x1, one score: expected one for each class', train.Accuracy().add,
         train.Accuracy(), torch.rand(4, 1), torch.ones(4))
      y[2]:fill(0 / 0)
      raises('a sample has scores that are NaN', train.Accuracy().add, train.Accuracy(), y,
         torch.ones(4))
      local map = train.MeanAveragePrecision()
      raises('output is 5x3, target 5x2: expected N x labels scores', map.add, map,
         torch.ones(5, 3), torch.ones(5, 2))
   end)

   it('average precision: the textbook ranking', function()
      -- Relevant ones on places 1, 3 and 6 of 6: (1/1 + 2/3 + 3/6) / 3. The second label comes
      -- last of all, 1/6; the third one nowhere, and does not count.
      local y = torch.Tensor { 6, 5, 4, 3, 2, 1 }:view(6, 1):repeatTensor(1, 3)
      local t = torch.Tensor { { 1, 0, 0 }, { 0, 0, 0 }, { 1, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 },
         { 1, 1, 0 } }
      local map = train.MeanAveragePrecision()
      map:add(y:narrow(1, 4, 3), t:narrow(1, 4, 3))
      map:add(y:narrow(1, 1, 3), t:narrow(1, 1, 3))
      assert.near(((1 + 2 / 3 + 3 / 6) / 3 + 1 / 6) / 2, map:value(), 1e-12)
   end)

   it('of time count seconds, in all or for each', function()
      local now = 10
      local function clock() return now end
      local all, each = train.TimeMeter(false, clock), train.TimeMeter(true, clock)
      now = 16
      all:add()
      each:add(3)
      assert.same({ 6, 2 }, { all:value(), each:value() })
      all:reset()
      now = 17
      assert.equal(1, all:value())
      assert.is_true(train.TimeMeter():value() >= 0)
   end)

   it('of a function are the mean over samples', function()
      local meter = train.FunctionMeter(function(y) return y:sum() / y:size(1) end)
      meter:add(torch.Tensor { 1, 3 })
      meter:add(torch.Tensor { 8 })
      assert.equal(4, meter:value())
   end)
end)
