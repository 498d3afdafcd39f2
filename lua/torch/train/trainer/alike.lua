--- Whether several processes have the same data: they divide batches that each of them has whole.
--
-- What is compared are sizes and sums of a first sample, or batch: enough for tensors that each
-- process has drawn for itself, which is the common mistake.
-- @module torch.train.trainer.alike

local torch = require 'torch'
local nested = require 'nn.nested'
local options = require 'torch.options'
local random = require 'torch.generators'

local M = {}

local ROWS = 8

local function described(x)
   if torch.isTensor(x) then
      return x:nElement() == 0 and 'empty'
         or ('%s %.17g'):format(table.concat(x:size():totable(), 'x'), x:double():sum())
   end
   return type(x) == 'number' and ('%.17g'):format(x) or type(x) == 'string' and x or type(x)
end

local function described_all(nest)
   local texts = {}
   local function walk(x)
      if nested.is_table(x) then
         local keys = {}
         for key in pairs(x) do
            keys[#keys + 1] = key
         end
         table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
         for _, key in ipairs(keys) do
            walk(x[key])
         end
      else
         texts[#texts + 1] = described(x)
      end
   end
   walk(nest)
   return table.concat(texts, ', ')
end

--- Raise an error in all processes where they differ.
-- @tab distributed the package
-- @string what it is
-- @param nest
function M.check(distributed, what, nest)
   local all = distributed.gatherObjects(described_all(nest))
   for r = 2, #all do
      if all[r] ~= all[1] then
         options.fail('train.Trainer: workers: the processes have other data: %s is (sizes, sums) '
            .. '%s in process 1, %s in process %d. Each has to have all of them: seed before you '
            .. 'draw (torch.manualSeed), or give the first one\'s to all (distributed.broadcast); '
            .. 'workers = false trains in each process alone', what, all[1]:sub(1, 100),
            all[r]:sub(1, 100), r)
      end
   end
end

-- The first of what a loader reads; nil where it cannot be asked.
local function first_of(loader)
   local data = type(loader) == 'table' and (loader.dataset or loader.data)
   if type(data) ~= 'table' then
      return nil
   elseif type(data.get) == 'function' and options.callable(data.size) then
      local generators = random.get()
      random.seed(1) -- transforms draw the same everywhere
      local sample = data:size() > 0 and data:get(1) or nil
      random.set(generators)
      return sample
   end
   return nested.map(function(x)
      return torch.isTensor(x) and x:dim() > 0 and x:narrow(1, 1, math.min(ROWS, x:size(1))) or x
   end, data)
end

--- The same of what a loader makes batches of.
function M.check_loader(distributed, loader)
   M.check(distributed, 'the first sample', first_of(loader))
end

return M
