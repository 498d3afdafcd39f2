local torch = require 'torch'
local dataset = require 'torch.dataset'
local raises = require 'test.support.raises'
local shell = require 'test.support.shell'

local function tensors(n)
   return dataset.Tensors { input = torch.range(1, n):view(n, 1), target = torch.range(1, n):int() }
end

describe('datasets of torch.dataset', function()
   it('refuse sources whose get has no self, or gives pairs', function()
      local x = torch.ones(2, 3)
      local function source(get)
         return { size = function() return 2 end, get = get }
      end
      local function same(s) return s end
      raises("dataset.Map: the dataset's get has one argument, i, which is the dataset itself",
         dataset.Map, source(function(i) return x[i] end), same)
      raises('got a table, which has no get; wanted size =', dataset.Map, { size = same }, same)
      local pair = source(function(_, i) return x[i], i end)
      for _, made in ipairs { dataset.Map(pair, same), dataset.Batches(pair, { batchSize = 2 }) } do
         raises('dataset:get gave two values', made.get, made, 1)
      end
   end)

   it('Tensors gives rows, and batches of them', function()
      local data = tensors(4)
      assert.equal(4, data:size())
      assert.same({ 3 }, data:get(3).input:totable())
      assert.equal(3, data:get(3).target)
      local batch = data:getBatch(torch.LongTensor { 4, 1 })
      assert.same({ { 4 }, { 1 } }, batch.input:totable())
      assert.equal('torch.IntTensor', batch.target:type())
      raises('dataset.Tensors: there is no sample 5; samples are 1 to 4', data.get, data, 5)
      raises('input has 2 samples, target has 3', dataset.Tensors,
         { input = torch.zeros(2), target = torch.zeros(3) })
      raises('input must be a tensor, got 3', dataset.Tensors, { input = 3 })
   end)

   it('List loads elements of tables, tensors and vectors', function()
      local tds = require 'tds'
      for _, list in ipairs { { 1, 2, 3 }, torch.Tensor { 1, 2, 3 }, tds.Vec { 1, 2, 3 } } do
         local data = dataset.List(list, function(x, i) return 10 * x + i end)
         assert.equal(3, data:size())
         assert.equal(22, data:get(2))
         raises('there is no sample 4', data.get, data, 4)
      end
      raises('wanted a list, got 3', dataset.List, 3)
   end)

   it('Concat finds samples in its parts', function()
      local data = dataset.Concat(dataset.List { 'a' }, dataset.List {}, dataset.List { 'b', 'c' })
      assert.equal(3, data:size())
      assert.same({ 'a', 'b', 'c' }, { data:get(1), data:get(2), data:get(3) })
      assert.equal(2, dataset.Concat({ tensors(1), tensors(1) }):size())
      raises('dataset.Concat: there is no sample 4', data.get, data, 4)
      raises('dataset 2: wanted a dataset', dataset.Concat, tensors(1), 3)
   end)

   it('Subset takes some samples, and batches of them at once', function()
      local data = dataset.Subset(tensors(5), { 5, 2, 2 })
      assert.equal(3, data:size())
      assert.equal(5, data:get(1).target)
      assert.same({ 2, 5 }, data:getBatch(torch.LongTensor { 3, 1 }).target:totable())
      assert.is_nil(dataset.Subset(dataset.List { 1, 2 }, { 1 }):getBatch(torch.LongTensor { 1 }))
      raises('there is no sample 6; samples are 1 to 5', dataset.Subset, tensors(5), { 6 })
   end)

   it('split cuts without a common sample', function()
      local a, b, c = dataset.split(tensors(10), { 0.5, 0.25, 0.25 })
      assert.same({ 5, 3, 2 }, { a:size(), b:size(), c:size() })
      for _, case in ipairs { -- by the method of largest remainders, worked by hand
         { 3, { 0.5, 0.5 }, { 2, 1 } }, { 7, { 0.25, 0.25, 0.25, 0.25 }, { 2, 2, 2, 1 } },
         { 2, { 0.1, 0.1, 0.8 }, { 0, 0, 2 } }, { 10, { 0.33, 0.33, 0.34 }, { 3, 3, 4 } },
         { 5, { 0.3, 0.3, 0.4 }, { 2, 1, 2 } }, { 10, { 0.1, 0.2 }, { 1, 2 } },
         { 3, { 1 / 6, 1 / 6, 1 / 6, 1 / 2 }, { 1, 1, 0, 1 } },
      } do
         local sizes = { dataset.split(tensors(case[1]), case[2]) }
         for k, part in ipairs(sizes) do
            sizes[k] = part:size()
         end
         assert.same(case[3], sizes)
      end
      local all = {}
      for _, part in ipairs { a, b, c } do
         for i = 1, part:size() do
            all[#all + 1] = part:get(i).target
         end
      end
      table.sort(all)
      assert.same(torch.range(1, 10):totable(), all)
      local first = dataset.split(tensors(10), { 3, 4 }, { shuffle = false })
      assert.same({ 1, 2, 3 }, { first:get(1).target, first:get(2).target, first:get(3).target })
      raises('parts of 8, 4 make 12 samples, but there are 10', dataset.split, tensors(10),
         { 8, 4 })
   end)

   it('Map changes samples or fields', function()
      local data = dataset.Map(tensors(3), { target = function(t, i) return t * 10 + i end })
      assert.equal(22, data:get(2).target)
      assert.same({ 2 }, data:get(2).input:totable())
      assert.equal(3, dataset.Map(tensors(3), function(s) return s.target end):get(3))
      raises("sample 1 has no field 'inputs'", function()
         dataset.Map(tensors(1), { inputs = function(x) return x end }):get(1)
      end)
      raises('wanted a function', dataset.Map, tensors(1), {})
   end)

   it('Batches makes batches its samples', function()
      local data = dataset.Batches(tensors(5), { batchSize = 2 })
      assert.equal(3, data:size())
      assert.same({ 3, 4 }, data:get(2).target:totable())
      assert.same({ 5 }, data:get(3).target:totable())
      local mapped = dataset.Batches(dataset.Map(tensors(5), function(s) return s end),
         { batchSize = 2, dropLast = true })
      assert.equal(2, mapped:size())
      assert.same({ 3, 4 }, mapped:get(2).target:totable())
      assert.equal('torch.IntTensor', mapped:get(2).target:type())
   end)

   it('ShuffledStream mixes neighbours and loses nothing', function()
      local function count(epoch)
         local i = 0
         return function()
            i = i + 1
            return i <= 20 and i + 100 * epoch or nil
         end
      end
      local got = {}
      for x in dataset.ShuffledStream(count, 5):stream(1, 2) do
         got[#got + 1] = x
         assert.is_true(x <= 100 + #got + 4)
      end
      local inOrder = torch.range(101, 120):totable()
      assert.are_not.same(inOrder, got)
      table.sort(got)
      assert.same(inOrder, got)
   end)

   it('say in a program without torch.dataset what to load', function()
      local path = os.tmpname()
      torch.save(path, tensors(2))
      local output = shell.run(("'%s' -e 'torch.load [[%s]]'"):format(os.getenv 'TH_EXECUTABLE',
         path))
      os.remove(path)
      assert.matches("class <dataset.Tensors>: require 'torch.dataset' before", output, 1, true)
   end)

   it('reach workers, and come back from files', function()
      local data = dataset.Concat(dataset.Subset(tensors(6), { 6, 1, 2 }),
         dataset.Map(tensors(2), function(s) return s end))
      local again = torch.deserialize(torch.serialize(data))
      local loader = dataset.Loader { dataset = again, batchSize = 5, workers = 1 }
      assert.same({ 6, 1, 2, 1, 2 }, loader()().target:totable())
      loader:stop()
   end)
end)
