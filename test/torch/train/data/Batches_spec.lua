local torch = require 'torch'
local data = require 'torch.dataset'
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

   it('has the order of a dataset.Loader of the same seed', function()
      local batches = train.Batches({ input = x }, { batchSize = 3, seed = 7 })
      local loader = data.Loader { dataset = data.Tensors { input = x }, batchSize = 3,
         shuffle = true, seed = 7 }
      batches:setEpoch(4)
      assert.same(all(loader:setEpoch(4)), all(batches))
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
      local dataset = { types = { target = 'torch.LongTensor' } }
      function dataset.size() return 5 end
      function dataset.get(_, i)
         return { input = torch.Tensor { i, i }, target = i, weight = i / 2,
            place = torch.LongTensor { i } }
      end
      local batch = train.Batches(dataset, { batchSize = 3, shuffle = false })()()
      assert.same({ { 1, 1 }, { 2, 2 }, { 3, 3 } }, batch.input:totable())
      assert.equal('torch.LongTensor', torch.type(batch.target))
      assert.same({ 0.5, 1, 1.5 }, batch.weight:totable())
      assert.same({ { 1 }, { 2 }, { 3 } }, batch.place:totable())
   end)

   it('names samples of different sizes', function()
      local dataset = {
         size = function() return 3 end, get = function(_, i) return { input = torch.ones(i) } end,
      }
      raises('train.Batches: input of sample 1 is 1 DoubleTensor, input of sample 2 is 2 '
         .. 'DoubleTensor: a batch wants one size', train.Batches(dataset, { shuffle = false })())
      local seen = {}
      local function get(_, i)
         seen[#seen + 1] = i
         return { input = torch.ones(#seen) }
      end
      local ok, message = pcall(train.Batches({ size = dataset.size, get = get }, { seed = 4 })())
      assert.is_false(ok)
      assert.matches(('input of sample %d is 1 .*input of sample %d is 2 '):format(seen[1],
         seen[2]), message)
   end)

   it('has one type for the numbers of all batches, and misses no field', function()
      local values = { 0, 0.5, 1, 2 }
      local dataset = { size = function() return 4 end, get = function(_, i)
         return { input = torch.ones(1), target = values[i] }
      end }
      for batch in train.Batches(dataset, { batchSize = 2, shuffle = false })() do
         assert.equal(torch.getdefaulttensortype(), torch.type(batch.target))
      end
      local partly = { size = dataset.size, get = function(_, i)
         return { a = i == 1 and 1 or nil, t = i }
      end }
      raises('sample 2 has no a, sample 1 has one', train.Batches(partly, { shuffle = false })())
   end)

   it('begins anew each time that it is called', function()
      local batches = train.Batches({ input = x }, { batchSize = 5, shuffle = false })
      assert.same(x:totable(), all(batches))
      assert.same(x:totable(), all(batches))
      batches()() -- left early
      assert.same(x:totable(), all(batches))
      local one, two = batches(), batches() -- two loops at a time
      one()
      assert.equal(1, two().input[1])
      assert.equal(6, one().input[1])
      batches:restore { epoch = 1, position = 5, samples = 10, batchSize = 5 }
      assert.same({ 6, 7, 8, 9, 10 }, all(batches))
      assert.same(x:totable(), all(batches))
   end)

   it('refuses the place of other data, and of another order', function()
      local batches = train.Batches({ input = x }, { batchSize = 3, seed = 2 })
      local beginning = batches:state()
      batches()()
      local state = batches:state()
      for _, case in ipairs { { x, 4, 2 }, { x, 3, 5 }, { x:narrow(1, 1, 9), 3, 2 } } do
         raises('restore: the state is of 10 samples in batches of 3 with seed 2', function()
            train.Batches({ input = case[1] }, { batchSize = case[2], seed = case[3] })
               :restore(state)
         end)
         train.Batches({ input = case[1] }, { batchSize = case[2], seed = case[3] })
            :restore(beginning) -- which is no place in an order
      end
   end)

   it('refuses what has no samples', function()
      raises('train.Batches: the table of data is empty', train.Batches, {})
      raises('there are no samples', train.Batches, { size = function() return 0 end,
         get = function() end })
      raises('input is 3, expected a tensor', train.Batches, { input = 3 })
      raises("there is no option 'batchsize'; near: batchSize", train.Batches, { input = x },
         { batchsize = 3 })
   end)
end)
