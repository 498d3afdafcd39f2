-- Batches that several processes make together: their rows, put one after the other, are the batch.
local torch = require 'torch'
local dataset = require 'torch.dataset'
local train = require 'torch.train'
local raises = require 'test.support.raises'

local function collected(loader)
   local batches = {}
   for batch in loader() do
      batches[#batches + 1] = { rows = loader.rows and loader:rows(), list = batch.x:totable() }
   end
   return batches
end

-- The rows of three processes joined, where they count; `n` of each batch.
local function joined(make, wanted)
   local all = {}
   for rank = 1, 3 do
      local loader = make()
      assert.is_true(loader:share(rank, 3))
      all[rank] = collected(loader)
   end
   for k, batch in ipairs(wanted) do
      local n, list = #batch.list, {}
      for rank = 1, 3 do
         local own = all[rank][k]
         assert.equal(n, own.rows)
         local count = math.floor(n * rank / 3) - math.floor(n * (rank - 1) / 3)
         assert.equal(math.max(count, 1), #own.list)
         for i = 1, count do
            list[#list + 1] = own.list[i]
         end
      end
      assert.same(batch.list, list)
   end
   assert.equal(#wanted, #all[1])
end

describe('dataset.Loader: share', function()
   local data = dataset.Tensors { x = torch.range(1, 22) }
   for name, row in pairs {
      ['in order'] = { batchSize = 5 },
      ['shuffled, with workers'] = { batchSize = 5, shuffle = true, workers = 2, seed = 3 },
      ['augmented'] = { batchSize = 7, seed = 4, transform = function(sample)
         return { x = sample.x + torch.uniform() }
      end },
      ['of a stream'] = { batchSize = 10, seed = 1, stream = true },
   } do
      it('makes the rows of one process, ' .. name, function()
         local function make()
            local options = { dataset = data }
            for key, value in pairs(row) do
               options[key] = value
            end
            if row.stream then
               options.stream = nil
               options.dataset = function()
                  local i = 0
                  return function()
                     i = i + 1
                     return i <= 22 and { x = i } or nil
                  end
               end
            end
            return dataset.Loader(options)
         end
         joined(make, collected(make()))
      end)
   end

   it('goes on from a state, and is declined where batches are mixed whole', function()
      local function make()
         local loader = dataset.Loader { dataset = data, batchSize = 6, shuffle = true, seed = 2 }
         loader:share(2, 2)
         return loader
      end
      local first, states, lists = make(), {}, {}
      for batch in first() do
         states[#states + 1], lists[#lists + 1] = first:state(), batch.x:totable()
      end
      local second = make():restore(states[2])
      assert.same({ lists[3], lists[4] }, { collected(second)[1].list, lists[4] })
      assert.is_false(dataset.Loader({ dataset = data,
         transformBatch = function(b) return b end }):share(1, 2))
      raises('dataset.Loader: share: rank 3 of 2', second.share, second, 3, 2)
   end)

   it('is known to train.Batches', function()
      local function make()
         return train.Batches({ x = torch.range(1, 22) }, { batchSize = 10 })
      end
      joined(make, collected(make()))
   end)
end)
