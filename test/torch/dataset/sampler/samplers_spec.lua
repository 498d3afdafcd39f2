local torch = require 'torch'
local dataset = require 'torch.dataset'
local raises = require 'test.support.raises'

local function sorted(order)
   local list = order:totable()
   table.sort(list)
   return list
end

local function upTo(n)
   return torch.range(1, n):totable()
end

describe('samplers of torch.dataset', function()
   it('RandomSampler gives permutations by seed and epoch', function()
      local sampler = dataset.RandomSampler(50)
      assert.equal(50, sampler:size())
      assert.same(upTo(50), sorted(sampler:order(1, 7)))
      assert.same(sampler:order(1, 7):totable(), sampler:order(1, 7):totable())
      assert.are_not.same(sampler:order(1, 7):totable(), sampler:order(2, 7):totable())
      assert.are_not.same(sampler:order(1, 7):totable(), sampler:order(1, 8):totable())
   end)

   it('RandomSampler draws with replacement, or part of the whole', function()
      local some = dataset.RandomSampler(50, { count = 20 }):order(1, 1)
      assert.equal(20, some:size(1))
      local seen = {}
      for _, i in ipairs(some:totable()) do
         assert.is_nil(seen[i])
         seen[i] = true
      end
      local order = dataset.RandomSampler(3, { replacement = true, count = 3000 }):order(1, 1)
      for i = 1, 3 do -- 1000 expected, deviation 26
         assert.is_true(math.abs(order:eq(i):sum() - 1000) < 130)
      end
      raises('4 of 3 samples can only be drawn with replacement', dataset.RandomSampler, 3,
         { count = 4 })
   end)

   it('WeightedSampler draws by its odds', function()
      local sampler = dataset.WeightedSampler({ 1, 0, 3 }, { count = 8000 })
      local order = sampler:order(1, 3)
      assert.equal(0, order:eq(2):sum())
      assert.is_true(math.abs(order:eq(3):sum() - 6000) < 200) -- deviation 39
      assert.same(order:totable(), sampler:order(1, 3):totable())
   end)

   it('WeightedSampler without replacement prefers the heavy ones first', function()
      local sampler = dataset.WeightedSampler({ 1, 0, 9 }, { count = 2, replacement = false })
      local heavy = 0
      for epoch = 1, 1000 do
         local order = sampler:order(epoch, 1)
         assert.same({ 1, 3 }, sorted(order))
         heavy = heavy + (order[1] == 3 and 1 or 0)
      end
      assert.is_true(math.abs(heavy - 900) < 50) -- P(3 first) = 9 / 10, deviation 9.5
      raises('3 samples without replacement, but only 2 weights above 0', dataset.WeightedSampler,
         { 1, 0, 9 }, { count = 3, replacement = false })
      raises('numbers from 0 on, not all 0', dataset.WeightedSampler, { 0, 0 })
      raises('numbers from 0 on, not all 0; got -1 for sample 2', dataset.WeightedSampler,
         { 1, -1 })
      raises('got nan for sample 2', dataset.WeightedSampler, torch.Tensor { 1, 0 / 0 })
      raises('got inf for sample 1', dataset.WeightedSampler, { math.huge })
   end)

   it('balanced weights make classes equally likely', function()
      local weights = dataset.WeightedSampler.balanced(torch.LongTensor { 2, 2, 2, 1 })
      local order = dataset.WeightedSampler(weights, { count = 4000 }):order(1, 1)
      assert.is_true(math.abs(order:eq(4):sum() - 2000) < 160) -- deviation 32
   end)

   it('StratifiedSampler keeps proportions in every stretch', function()
      local targets = {}
      for i = 1, 60 do
         targets[i] = i <= 40 and 'a' or 'b'
      end
      local order = dataset.StratifiedSampler(targets):order(1, 9)
      assert.same(upTo(60), sorted(order))
      for first = 1, 60, 15 do
         local few = 0
         for k = first, first + 14 do
            few = few + (order[k] > 40 and 1 or 0)
         end
         assert.is_true(few >= 3 and few <= 7, few) -- 5, and at most one from either neighbour
      end
   end)

   it('DistributedSampler shares out the same order', function()
      local function shares(world, options)
         local all = {}
         for rank = 1, world do
            local sampler = dataset.DistributedSampler(10, { rank = rank, world = world,
               shuffle = true, dropLast = options })
            local order = sampler:order(2, 5)
            assert.equal(sampler:size(), order:size(1))
            for _, i in ipairs(order:totable()) do
               all[#all + 1] = i
            end
         end
         table.sort(all)
         return all
      end
      assert.same(upTo(10), shares(2))
      assert.equal(12, #shares(3))
      local nine, seen = shares(3, true), {}
      assert.equal(9, #nine)
      for _, i in ipairs(nine) do
         assert.is_nil(seen[i])
         seen[i] = true
      end
      local inner = dataset.WeightedSampler({ 0, 1 }, { count = 4 })
      assert.same({ 2, 2 }, dataset.DistributedSampler(inner, { rank = 1, world = 2 })
         :order(1, 1):totable())
      raises('rank 3 of a world of 2', dataset.DistributedSampler, 4, { rank = 3, world = 2 })
   end)

   it('LengthSampler puts similar lengths together', function()
      local lengths = {}
      for i = 1, 100 do
         lengths[i] = (i * 37) % 101
      end
      local sampler = dataset.LengthSampler(lengths, { batchSize = 10 })
      local batches, all = sampler:batches(1, 3), {}
      assert.equal(10, #batches)
      for _, batch in ipairs(batches) do
         local least, most = math.huge, 0
         for _, i in ipairs(batch:totable()) do
            least, most = math.min(least, lengths[i]), math.max(most, lengths[i])
            all[#all + 1] = i
         end
         assert.equal(9, most - least) -- lengths are 1..100, each once, and one pool holds all
      end
      table.sort(all)
      assert.same(upTo(100), all)
      assert.are_not.same(batches[1]:totable(), sampler:batches(2, 3)[1]:totable())
   end)

   it('LengthSampler fills batches up to a number of tokens', function()
      local lengths = torch.LongTensor { 5, 1, 4, 2, 3 }
      local sampler = dataset.LengthSampler(lengths, { tokens = 6, shuffle = false })
      local got = {}
      for k, batch in ipairs(sampler:batches()) do
         got[k] = batch:totable()
      end
      assert.same({ { 2, 4 }, { 5 }, { 3 }, { 1 } }, got)
      raises('sample 1 has 5 tokens, more than the 4 of a batch', dataset.LengthSampler, lengths,
         { tokens = 4 })
      raises('give batchSize, or tokens', dataset.LengthSampler, lengths, {})
      local data = dataset.List({ 5, 1, 4, 2, 3 }, function(n) return torch.ones(n) end)
      local loader = dataset.Loader { dataset = data, collate = dataset.collate.pad(),
         sampler = dataset.LengthSampler(lengths, { batchSize = 2, shuffle = false }) }
      assert.equal(3, loader:size())
      assert.same({ { 1, 0 }, { 1, 1 } }, loader()():totable())
   end)

   it('want a dataset or a number', function()
      raises("wanted a dataset or a number of samples, got 'x'", dataset.SequentialSampler, 'x')
      raises("got a table, whose size() is '3'", dataset.SequentialSampler,
         { size = function() return '3' end })
   end)
end)
