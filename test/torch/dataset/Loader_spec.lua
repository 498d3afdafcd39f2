local torch = require 'torch'
local dataset = require 'torch.dataset'
local loaders = require 'test.support.loaders'
local raises = require 'test.support.raises'

local make, numbers, collect = loaders.make, loaders.numbers, loaders.collect

describe('dataset.Loader', function()
   after_each(loaders.stop)

   it('gives the batches of each epoch, the last one smaller', function()
      local loader = make { dataset = numbers(5), batchSize = 2 }
      assert.equal(3, loader:size())
      assert.same({ {
         { { { 1 }, { 2 } }, { 1, 2 } }, { { { 3 }, { 4 } }, { 3, 4 } }, { { { 5 } }, { 5 } },
      } }, collect(loader))
      assert.equal(2, make({ dataset = numbers(5), batchSize = 2, dropLast = true }):size())
   end)

   it('is no iterator itself', function()
      local ok, message = pcall(function()
         for _ in make { dataset = numbers(3) } do
            error 'took a loop for a batch'
         end
      end)
      assert.is_false(ok)
      assert.matches('Loader_spec.lua:%d+: dataset.Loader: for batch in loader%(%) do, with ',
         message)
   end)

   it('gives the same order and random numbers with 0, 1 and 3 workers', function()
      local results = {}
      for _, workers in ipairs { 0, 1, 3 } do
         results[#results + 1] = collect(make {
            dataset = numbers(23), batchSize = 4, shuffle = true, seed = 11, workers = workers,
            transform = function(sample)
               return { input = sample.input + torch.uniform(), target = sample.target }
            end,
            transformBatch = function(batch)
               batch.input:add(torch.normal())
               return batch
            end,
         }, 2)
      end
      assert.same(results[1], results[2])
      assert.same(results[1], results[3])
      assert.are_not.same(results[1][1], results[1][2])
      local seen = {}
      for _, batch in ipairs(results[3][1]) do
         for _, target in ipairs(batch[2]) do
            assert.is_nil(seen[target])
            seen[target] = true
         end
      end
      assert.equal(23, #seen)
   end)

   it("draws a sample's numbers anew in each epoch, whatever its place in the order", function()
      local function draws(shuffle)
         local loader = make { dataset = numbers(6), batchSize = 4, shuffle = shuffle, seed = 5,
            transform = function(sample)
               return { input = torch.Tensor { torch.uniform() }, target = sample.target }
            end }
         local drawn = {}
         for epoch = 1, 2 do
            drawn[epoch] = {}
            for batch in loader() do
               for j = 1, batch.target:size(1) do
                  drawn[epoch][batch.target[j]] = batch.input[j][1]
               end
            end
         end
         return drawn
      end
      local straight, shuffled = draws(false), draws(true)
      assert.same(straight, shuffled)
      for i = 1, 6 do
         assert.are_not.equal(straight[1][i], straight[2][i])
         assert.are_not.equal(straight[1][i], straight[1][i % 6 + 1])
      end
   end)

   it('draws anew for a sample that comes again in an epoch, however it is cut', function()
      local order = torch.LongTensor { 1, 2, 1, 1, 3, 2 }
      local function noise(options)
         options.dataset, options.seed = numbers(3), 5
         options.transform = function(sample)
            return { input = require('torch').uniform(), target = sample.target }
         end
         local values = {}
         local loader = make(options)
         for batch in loader() do
            for _, v in ipairs(batch.input:totable()) do
               values[#values + 1] = v
            end
         end
         loader:stop()
         return values
      end
      local function given() return order end
      local values, seen = noise { sampler = given, batchSize = 6 }, {}
      for _, v in ipairs(values) do
         assert.is_nil(seen[v])
         seen[v] = true
      end
      assert.same(values, noise { sampler = given, batchSize = 2 })
      assert.same(values, noise { sampler = given, batchSize = 4, workers = 2 })
      assert.same(values, noise { sampler = { batches = function()
         return { order:narrow(1, 1, 3):clone(), order:narrow(1, 4, 3):clone() }
      end } })
      -- Those that come for the first time are as without the others.
      local plain = noise { batchSize = 3 }
      assert.same({ plain[1], plain[2], plain[3] }, { values[1], values[2], values[5] })
   end)

   it('wants a seed where processes share an order that is drawn', function()
      local function sampler(options)
         options.rank, options.world = 1, 2
         return dataset.DistributedSampler(8, options)
      end
      raises('dataset.DistributedSampler wants a seed, the same in each process', make,
         { dataset = numbers(8), sampler = sampler { shuffle = true } })
      local seen = {}
      for rank = 1, 2 do
         for batch in make({ dataset = numbers(8), batchSize = 4, seed = 3,
            sampler = dataset.DistributedSampler(8, { rank = rank, world = 2, shuffle = true }) })()
            do
            for _, v in ipairs(batch.target:totable()) do
               seen[v] = (seen[v] or 0) + 1
            end
         end
      end
      assert.equal(8, #seen)
      assert.equal(4, make({ dataset = numbers(8), sampler = sampler {} }):size())
      raises('a dataset.LengthSampler makes batches, which cannot be shared out',
         dataset.DistributedSampler, dataset.LengthSampler({ 1, 2 }, { batchSize = 1 }),
         { rank = 1, world = 2 })
   end)

   it("leaves the loop's random numbers alone", function()
      torch.manualSeed(3)
      local expected = torch.uniform()
      torch.manualSeed(3)
      collect(make { dataset = numbers(4), seed = 1, transform = function(sample)
         torch.uniform()
         return sample
      end })
      assert.equal(expected, torch.uniform())
   end)

   it('makes a batch at once as it makes it of samples', function()
      local data = numbers(9)
      local whole = collect(make { dataset = data, batchSize = 4, shuffle = true, seed = 2 })
      local single = collect(make { dataset = data, batchSize = 4, shuffle = true, seed = 2,
         collate = dataset.collate.stack })
      assert.same(whole, single)
      local batch = make({ dataset = data, collate = dataset.collate.stack })()()
      assert.equal('torch.LongTensor', batch.target:type())
   end)

   it("takes others' datasets, whose method batch means something else", function()
      -- torchnet's datasets have one, which makes a dataset of batches.
      local data = { size = function() return 2 end, get = function(_, i) return { input = i } end,
         batch = function() error 'not asked for' end }
      assert.same({ 1, 2 }, make({ dataset = data, batchSize = 2 })()().input:totable())
   end)

   it('shares memory with its workers: a batch comes without a copy', function()
      local target = torch.zeros(1)
      local loader = make { dataset = { size = function() return 1 end, get = function()
         target:fill(7)
         return { input = 1 }
      end }, workers = 1 }
      collect(make { dataset = numbers(1) })
      for _ in loader() do
         assert.equal(7, target[1])
      end
   end)

   describe('state', function()
      for _, workers in ipairs { 0, 2 } do
         it(('goes on in an epoch as it would have; %d workers'):format(workers), function()
            local function new(seed)
               return make { dataset = numbers(13), batchSize = 3, shuffle = true, seed = seed,
                  workers = workers, transform = function(sample)
                     return { input = sample.input * torch.uniform(), target = sample.target }
                  end }
            end
            local whole, state = {}, nil
            local first = new(4)
            first:setEpoch(3)
            for batch in first() do
               whole[#whole + 1] = batch.input
               if #whole == 2 then
                  state = first:state()
               end
            end
            local second = new(99)
            second:restore(torch.deserialize(torch.serialize(state)))
            second:setEpoch(3) -- as a training loop says at each epoch
            local k = 2
            for batch in second() do
               k = k + 1
               assert.is_true(batch.input:equal(whole[k]))
            end
            assert.equal(5, k)
            -- The next epoch is the one after it in both.
            assert.same(collect(first), collect(second))
         end)
      end

      it('of a loop at its end gives nothing more of that epoch', function()
         local loader = make { dataset = numbers(4), batchSize = 2 }
         local state
         for _ in loader() do
            state = loader:state()
         end
         loader:restore(state)
         assert.same({ {} }, collect(loader))
         assert.equal(2, #collect(loader)[1])
      end)

      it('is refused by a loader of other batches', function()
         local loader = make { dataset = numbers(4), batchSize = 2 }
         make({ dataset = numbers(5), batchSize = 2 }):restore(loader:state()) -- nothing was read
         loader()()
         local state = loader:state()
         raises('the state is of 4 samples in batches of 2, this loader has 5 in batches of 2',
            function() make({ dataset = numbers(5), batchSize = 2 }):restore(state) end)
         raises("wanted what state() gave, got 'x'", function()
            make({ dataset = numbers(5) }):restore 'x'
         end)
      end)
   end)

   describe('streams', function()
      local function count(n)
         return function(epoch)
            local i = 0
            return function()
               i = i + 1
               return i <= n and { input = torch.Tensor { i + 100 * epoch }, target = i } or nil
            end
         end
      end

      it('are read in turn, whatever the number of workers', function()
         local results = {}
         for _, workers in ipairs { 0, 1, 3 } do
            local loader = make { dataset = count(11), batchSize = 3, workers = workers, seed = 1,
               transform = function(sample)
                  sample.input:add(torch.uniform(0, 0.5))
                  return sample
               end }
            assert.is_nil(loader:size())
            results[#results + 1] = collect(loader, 2)
         end
         assert.same(results[1], results[2])
         assert.same(results[1], results[3])
         assert.equal(4, #results[1][1])
         assert.same({ 10, 11 }, results[1][1][4][2])
         assert.is_true(results[1][2][1][1][1][1] >= 201)
      end)

      it('go on where a state was taken', function()
         local options = { dataset = dataset.ShuffledStream(count(10), 4), batchSize = 3, seed = 8 }
         local first = make(options)
         local all = collect(first)[1]
         first:setEpoch(1)
         first()()
         local second = make(options)
         second:restore(first:state())
         assert.same({ all[2], all[3], all[4] }, collect(second)[1])
      end)

      it('have no order', function()
         raises('a stream has no shuffle', make, { dataset = count(3), shuffle = true })
      end)
   end)
end)
