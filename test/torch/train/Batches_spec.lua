local torch = require 'torch'
local train = require 'torch.train'
local raises = require 'test.support.raises'

local function all(loader, key)
   local values = {}
   for batch in loader() do
      for _, v in ipairs(batch[key or 'input']:totable()) do
         values[#values + 1] = v
      end
   end
   return values
end

describe('train.Batches', function()
   local x = torch.range(1, 10)

   it('gives every sample once an epoch, each epoch in an order of its own', function()
      local batches = train.Batches({ input = x, target = x * 2 }, { batchSize = 3 })
      local orders = {}
      for epoch = 1, 3 do
         batches:setEpoch(epoch)
         orders[epoch] = all(batches)
         local sorted = { unpack(orders[epoch]) }
         table.sort(sorted)
         assert.same(x:totable(), sorted)
      end
      assert.not_same(orders[1], orders[2])
      batches:setEpoch(2)
      assert.same(orders[2], all(batches))
      assert.equal(4, batches:size())
   end)

   it('keeps inputs and targets together, nested ones too', function()
      local batches = train.Batches({ input = { x, { x + 100 } }, target = x * 2 },
         { batchSize = 4 })
      for batch in batches() do
         assert.is_true(torch.equal(batch.input[1] * 2, batch.target))
         assert.is_true(torch.equal(batch.input[1] + 100, batch.input[2][1]))
      end
   end)

   it('does not draw from the default generator', function()
      torch.manualSeed(3)
      local wanted = torch.random()
      torch.manualSeed(3)
      all(train.Batches({ input = x }, { batchSize = 3 }))
      assert.equal(wanted, torch.random())
   end)

   it('goes on within an epoch from its state', function()
      for done = 0, 4 do
         local one = train.Batches({ input = x }, { batchSize = 3, seed = 9 })
         one:setEpoch(5)
         local following = one()
         for _ = 1, done do
            following()
         end
         local other = train.Batches({ input = x }, { batchSize = 3, seed = 9 })
         other:restore(one:state())
         assert.same(all(function() return following end), all(other))
      end
   end)

   it('leaves out what fills no batch where it is asked to', function()
      local batches = train.Batches({ input = x },
         { batchSize = 4, shuffle = false, dropLast = true })
      assert.same({ 1, 2, 3, 4, 5, 6, 7, 8 }, all(batches))
      assert.equal(2, batches:size())
   end)

   it('puts samples of a dataset together', function()
      local dataset = {}
      function dataset.size() return 5 end
      function dataset.get(_, i)
         return { input = torch.Tensor { i, i }, target = i, weight = i / 2 }
      end
      local batch = train.Batches(dataset, { batchSize = 3, shuffle = false })()()
      assert.same({ { 1, 1 }, { 2, 2 }, { 3, 3 } }, batch.input:totable())
      assert.equal('torch.LongTensor', torch.type(batch.target))
      assert.same({ 0.5, 1, 1.5 }, batch.weight:totable())
   end)

   it('names samples of different sizes', function()
      local dataset = {
         size = function() return 3 end, get = function(_, i) return { input = torch.ones(i) } end,
      }
      raises('input of sample 2 is 2, that of sample 1 1: samples of a batch have one size',
         train.Batches(dataset, { shuffle = false })())
   end)

   it('refuses what has no samples', function()
      raises('train.Batches: the table of data is empty', train.Batches, {})
      raises('there are no samples', train.Batches, { size = function() return 0 end,
         get = function() end })
      raises('input is 3, expected a tensor', train.Batches, { input = 3 })
      raises('there is no option batchsize; near: batchSize', train.Batches, { input = x },
         { batchsize = 3 })
   end)
end)
