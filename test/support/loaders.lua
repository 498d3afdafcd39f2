-- Loaders for specs, and datasets for them.
local torch = require 'torch'
local dataset = require 'torch.dataset'

local M = {}

function M.numbers(n)
   local x = torch.range(1, n)
   return dataset.Tensors { input = x:view(n, 1), target = x:long() }
end

-- Every batch of some epochs, as tables.
function M.collect(loader, epochs)
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
function M.failing(bad, f)
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

local made = {}

-- A loader, which `stop` ends.
function M.make(options)
   local loader = dataset.Loader(options)
   made[#made + 1] = loader
   return loader
end

-- After each test.
function M.stop()
   for _, loader in ipairs(made) do
      loader:stop()
   end
   made = {}
end

return M
