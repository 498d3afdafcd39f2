local torch = require 'torch'
local sys = require 'sys'
local dataset = require 'torch.dataset'
local raises = require 'test.support.raises'
local shell = require 'test.support.shell'

local th = os.getenv 'TH_EXECUTABLE'

local function numbers(n)
   local x = torch.range(1, n)
   return dataset.Tensors { input = x:view(n, 1), target = x:long() }
end

-- Every batch of some epochs, as tables.
local function collect(loader, epochs)
   local all = {}
   for epoch = 1, epochs or 1 do
      all[epoch] = {}
      for batch in loader() do
         table.insert(all[epoch], { batch.input:totable(), batch.target:totable() })
      end
   end
   return all
end

-- An object of somebody else's: nothing of ours but the two methods.
local function failing(bad, f)
   return {
      size = function() return 6 end,
      get = function(_, i)
         if i == bad then
            f()
         end
         return { input = torch.Tensor { i }, target = i }
      end,
   }
end

describe('dataset.Loader', function()
   local loaders = {}

   local function make(options)
      local loader = dataset.Loader(options)
      loaders[#loaders + 1] = loader
      return loader
   end

   after_each(function()
      for _, loader in ipairs(loaders) do
         loader:stop()
      end
      loaders = {}
   end)

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

   it('refuses places that are none', function()
      local loader = make { dataset = numbers(6), seed = 1 }
      for _, place in ipairs { { 1.5, 0 }, { 1, -3 }, { 1, 0.5 }, { 0 / 0, 1 } } do
         local state = loader:state()
         state.epoch, state.position = unpack(place)
         raises('dataset.Loader: restore: wanted what state() gave', loader.restore, loader, state)
      end
   end)

   it('refuses methods of a metatable, which workers would not get', function()
      local meta = { __index = { size = function() return 2 end,
         get = function(_, i) return { input = torch.Tensor { i } } end } }
      local data = setmetatable({}, meta)
      raises('workers do not get: write both into the table itself', make,
         { dataset = data, workers = 1 })
      local count = 0
      for _ in make { dataset = data }() do
         count = count + 1
      end
      assert.equal(2, count)
   end)

   it('shows what an error that is a table says', function()
      for _, workers in ipairs { 0, 1 } do
         local loader = make { dataset = numbers(2), seed = 1, workers = workers,
            transform = function() error { message = 'no such colour' } end }
         raises('no such colour', loader())
         loader:stop()
      end
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
         local state = make({ dataset = numbers(4), batchSize = 2 }):state()
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

   describe('errors', function()
      for _, workers in ipairs { 0, 2 } do
         it(('name the sample, with the stack there; %d workers'):format(workers), function()
            local loader = make { dataset = failing(5, function() error 'a torn page' end),
               batchSize = 2, workers = workers }
            local good = 0
            local message = raises('dataset.Loader: sample 5 (batch 3 of epoch 1): ', function()
               for _ in loader() do
                  good = good + 1
               end
            end)
            assert.equal(2, good)
            assert.matches('Loader_spec.lua:%d+: dataset.Loader', message)
            assert.matches('a torn page\nstack traceback:', message, 1, true)
            assert.matches("in function 'get'", message, 1, true)
            assert.equal(1, #collect(make { dataset = numbers(1) }))
         end)

         it(('of sizes that differ name both samples; %d workers'):format(workers), function()
            local loader = make { workers = workers, batchSize = 4, dataset = dataset.List(
               { 1, 1, 2, 1 }, function(n) return { input = torch.zeros(n) } end) }
            raises('input of sample 1 is 1 DoubleTensor, input of sample 3 is 2 DoubleTensor',
               loader())
         end)
      end

      it('may speak of interruptions', function()
         raises('sample 2 (batch 2 of epoch 1)', function()
            for _ in make { dataset = failing(2, function()
               error 'download interrupted'
            end) }() do end -- luacheck: ignore 542
         end)
      end)

      it('go by: the next loop works', function()
         local trouble = torch.ones(1)
         local loader = make { workers = 2, dataset = failing(2, function()
            assert(trouble[1] == 0, 'once')
         end) }
         raises('sample 2', function()
            for _ in loader() do end -- luacheck: ignore 542
         end)
         trouble[1] = 0
         assert.equal(6, #collect(loader)[1])
      end)

      it('of a transform that gives nothing say so', function()
         raises('the transform gave nil', make({ dataset = numbers(2),
            transform = function() end })())
         raises('dataset:get gave nil', make({ dataset = { size = function() return 1 end,
            get = function() end } })())
      end)

      it('are raised when a worker dies', function()
         local loader = make { workers = 2, dataset = failing(3, function()
            require('ffi').cdef 'void pthread_exit(void *);'
            require('ffi').C.pthread_exit(nil)
         end) }
         local message = raises('did not come', function()
            for _ in loader() do end -- luacheck: ignore 542
         end)
         assert.matches('has ended', message, 1, true)
      end)

      it('are raised at the batch that did not come, not before', function()
         local loader = make { workers = 1, prefetch = 3, dataset = failing(4, function()
            require('ffi').cdef 'void pthread_exit(void *);'
            require('ffi').C.pthread_exit(nil)
         end) }
         local following = loader()
         assert.equal(1, following().target[1])
         sys.sleep(0.1) -- for two batches and the end of the worker, which come at once
         assert.equal(2, following().target[1])
         assert.equal(3, following().target[1])
         raises('dataset.Loader: batch 4, 5, 6 did not come: ', following)
      end)

      it('of workers that cannot start say how to help', function()
         local Mine = torch.class('LoaderSpecMine', {})
         function Mine.size() return 1 end
         function Mine.get() return { input = 1 } end
         local object = setmetatable({}, Mine)
         raises('do not know the class LoaderSpecMine: they run no code of this script; put the '
            .. "class into a file, say mydata.lua, and give init = function() require 'mydata' end",
            make({ dataset = object, workers = 1 })())
         local loader = make { dataset = object, workers = 1, init = function()
            local There = require('torch').class('LoaderSpecMine', {})
            function There.size() return 1 end
            function There.get() return { input = 5 } end
         end }
         assert.equal(5, loader()().input[1])
      end)

      it('refuse a get that takes the dataset for the index', function()
         local x = torch.ones(2, 3)
         raises("the dataset's get has one argument, i, which is the dataset itself", make,
            { dataset = { size = function() return 2 end, get = function(i) return x[i] end } })
         local random = { size = function() return 2 end }
         function random:get() return { input = torch.ones(self.size()) } end
         make { dataset = random } -- its one argument is self
      end)

      for _, workers in ipairs { 0, 1 } do
         it(('refuse pairs for samples; %d workers'):format(workers), function()
            local pairs_of = { size = function() return 2 end }
            function pairs_of.get(_, i) return require('torch').ones(2), i end
            local message = raises('dataset:get gave two values, and the second would be lost; a '
               .. 'sample is one: return { input = x, target = y }',
               make({ dataset = pairs_of, workers = workers })())
            assert.is_nil(message:find('stack traceback', 1, true)) -- it had our own calls alone
            raises('the transform gave two values', make({ dataset = numbers(2), workers = workers,
               transform = function(s) return s.input, s.target end })())
         end)
      end

      it('say how a loop is written', function()
         raises('loader[1]: batches come in a loop alone: for batch in loader() do', function()
            return make { dataset = numbers(2) }[1]
         end)
      end)

      it('refuse unknown options, and say what is near', function()
         raises("there is no option 'batchsize'; near: batchSize", make,
            { dataset = numbers(2), batchsize = 3 })
         raises('batchSize is 0, expected a whole number from 1 on', make,
            { dataset = numbers(2), batchSize = 0 })
         raises("the option 'dataset' is missing", make, {})
         raises('dataset must be an object with the methods size and get', make, { dataset = 3 })
         raises('the options are named: dataset.Loader { dataset = data', make,
            { numbers(2), batchSize = 3 })
         raises('the options are named: dataset.Loader { dataset = data', make, numbers(2))
         raises('got a table, which has no size and has 3 as its get; wanted size = function(self)',
            make, { dataset = { get = 3 } })
         raises('got a table, which has 10 as its size; wanted', make,
            { dataset = { size = 10, get = numbers(2).get } })
         raises('give a sampler or shuffle, not both', make,
            { dataset = numbers(2), shuffle = true, sampler = dataset.RandomSampler(2) })
         raises('the dataset is empty', make { dataset = dataset.List {} })
         raises('the sampler gave the index 3; the dataset has 2 samples', make {
            dataset = numbers(2), sampler = function() return { 1, 3 } end })
      end)
   end)

   describe('loops', function()
      it('are so many batches ahead as they prefetch, or at the end', function()
         local made = torch.zeros(200)
         for _, stream in ipairs { false, true } do
            local loader = make { workers = 2, prefetch = 5, batchSize = 2, seed = 1,
               dataset = stream and function()
                  local i = 0
                  return function()
                     i = i + 1
                     return i <= 200 and { target = i } or nil
                  end
               end or numbers(200), collate = function(samples)
                  made[samples[1].target / 2 + 0.5] = 1
                  return samples
               end }
            made:zero()
            local following = loader()
            for k = 1, 100 do
               following()
               if k % 30 == 0 then
                  sys.sleep(0.05)
                  assert.equal(math.min(k + 5, 100), made:sum())
               end
            end
            assert.is_nil(following())
         end
      end)

      it('begin anew though jobs of the last one are still held back', function()
         local loader = make { dataset = numbers(300), batchSize = 2, workers = 2, seed = 3 }
         assert.equal(1, loader()().target[1])
         loader:restore(loader:state())
         local count, last = 0, nil
         for batch in loader() do
            count, last = count + 1, batch.target[2]
         end
         assert.same({ 149, 300 }, { count, last })
      end)

      it('that are left do not disturb the next one', function()
         local loader = make { dataset = numbers(40), batchSize = 2, workers = 2 }
         for _ = 1, 3 do
            loader()()
         end
         pcall(function()
            for _ in loader() do
               error 'in the body'
            end
         end)
         assert.equal(20, #collect(loader)[1])
      end)

      it('that another one has ended say so', function()
         local loader = make { dataset = numbers(4) }
         local first = loader()
         first()
         loader()
         raises('another loop over the loader has begun', first)
      end)

      it('end with Ctrl-C, workers and all', function()
         local file, marker = os.tmpname(), os.tmpname()
         os.remove(marker)
         local script = io.open(file, 'w')
         script:write(([[
            local dataset = require 'torch.dataset'
            local loader = dataset.Loader { workers = 2, dataset = {
               size = function() return 8 end,
               get = function()
                  io.open('%s', 'w'):close()
                  while true do end
               end } }
            for _ in loader() do end
         ]]):format(marker))
         script:close()
         -- A shell's background job ignores Ctrl-C, unless job control is on.
         local output, status = shell.run(("set -m; '%s' '%s' & pid=$!; until [ -e '%s' ]; do "
            .. 'sleep 0.1; done; kill -INT $pid; wait $pid'):format(th, file, marker))
         os.remove(file)
         os.remove(marker)
         assert.matches('interrupted', output)
         assert.are_not.equal(0, status)
      end)

      it('leave no thread behind when the loader is collected', function()
         local function tasks()
            local pipe = io.popen 'ls /proc/$PPID/task | wc -l'
            local count = tonumber(pipe:read '*a')
            pipe:close()
            return count
         end
         collectgarbage()
         local before = tasks()
         do
            local loader = dataset.Loader { dataset = numbers(8), workers = 3 }
            loader()()
            assert.equal(before + 3, tasks())
         end
         collectgarbage()
         collectgarbage()
         assert.equal(before, tasks())
      end)
   end)

   it('leaves no message behind, whether loops end or are left', function()
      local C = require('threads.ffi').C
      collectgarbage()
      local before = C.threads_parcel_count()
      local loader = make { dataset = numbers(60), batchSize = 3, workers = 2 }
      for _ = 1, 5 do
         loader()()
         collect(loader)
      end
      assert.equal(before, C.threads_parcel_count())
      loader()()
      loader:stop()
      assert.equal(before, C.threads_parcel_count())
   end)

   it('keeps memory in bounds: batches of workers are collected', function()
      local function resident()
         local file = io.open '/proc/self/statm'
         local pages = file:read('*a'):match '^%d+ (%d+)'
         file:close()
         return tonumber(pages) * 4096 / 2 ^ 20
      end
      local loader = make { workers = 1, dataset = { size = function() return 200 end,
         get = function() return { input = torch.FloatTensor(2 ^ 20):fill(1) } end } }
      local start, most = resident(), 0
      for _ in loader() do
         most = math.max(most, resident() - start)
      end
      assert.is_true(most < 400, most) -- of 800 MiB that were made
   end)
end)
