-- What loaders refuse, and how errors of datasets and workers are told.
local torch = require 'torch'
local sys = require 'sys'
local dataset = require 'torch.dataset'
local loaders = require 'test.support.loaders'
local raises = require 'test.support.raises'

local make, numbers = loaders.make, loaders.numbers
local collect, failing = loaders.collect, loaders.failing

describe('errors of a dataset.Loader', function()
   after_each(loaders.stop)

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
         assert.matches('errors_spec.lua:%d+: dataset.Loader', message)
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

   it('of a collate function that gives nothing are not the end of the epoch', function()
      for _, workers in ipairs { 0, 1 } do
         local loader = make { dataset = numbers(2), workers = workers, collate = function() end }
         raises('batch 1 of epoch 1 (samples 1): the collate function gave nil; it must return the '
            .. 'batch', loader())
         loader:stop()
      end
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

   it('refuse types that are none', function()
      for _, name in ipairs { 'Long', 'torch.LongStorage', 3, 'nn.Linear', 'torch.DiskFile' } do
         raises('dataset.Loader: types: target is ', make, { dataset = numbers(2),
            types = { target = name } })
      end
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

   it('refuses places that are none', function()
      local loader = make { dataset = numbers(6), seed = 1 }
      for _, place in ipairs { { 1.5, 0 }, { 1, -3 }, { 1, 0.5 }, { 0 / 0, 1 } } do
         local state = loader:state()
         state.epoch, state.position = unpack(place)
         raises('dataset.Loader: restore: wanted what state() gave', loader.restore, loader, state)
      end
   end)
end)
