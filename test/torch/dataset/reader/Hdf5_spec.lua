local torch = require 'torch'
local dataset = require 'torch.dataset'
local raises = require 'test.support.raises'
local scratch = require 'test.support.scratch'

describe('readers of torch.dataset', function()
   before_each(scratch.make)
   after_each(scratch.remove)

   it('Hdf5 reads rows as they are asked for, also on workers', function()
      local hdf5 = require 'hdf5'
      local path = scratch.folder .. '/x.h5'
      local file = hdf5.open(path, 'w')
      file:write('/x', torch.range(1, 20):view(10, 2))
      file:write('/y', torch.range(1, 10):long())
      file:write('/few', torch.range(1, 9))
      file:close()
      local set = dataset.Hdf5 { path = path, fields = { input = '/x', target = '/y' } }
      assert.equal(10, set:size())
      assert.same({ 5, 6 }, set:get(3).input:totable())
      assert.equal(3, set:get(3).target)
      local batch = set:getBatch(torch.LongTensor { 4, 5, 1 })
      assert.same({ { 7, 8 }, { 9, 10 }, { 1, 2 } }, batch.input:totable())
      local function all(workers)
         local loader = dataset.Loader { dataset = set, batchSize = 3, shuffle = true, seed = 1,
            workers = workers }
         local list = {}
         for b in loader() do
            list[#list + 1] = { b.input:totable(), b.target:totable(), b.target:type() }
         end
         loader:stop()
         return list
      end
      assert.same(all(0), all(2))
      raises('has 9', dataset.Hdf5, { path = path, fields = { a = '/few', b = '/x' } })
   end)
end)
