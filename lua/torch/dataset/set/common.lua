--- What datasets share: checks of indices, and of the datasets that they are made of.
-- @module torch.dataset.set.common
local errors = require 'torch.errors'
local options = require 'torch.options'
local contract = require 'torch.dataset.loader.contract'

local M = {}

--- Raise unless i is a sample of a dataset.
-- @raise "dataset.Tensors: there is no sample 11; samples are 1 to 10"
function M.checkIndex(name, i, size)
   if type(i) ~= 'number' or i < 1 or i > size or i ~= math.floor(i) then
      errors.raise(('%s: there is no sample %s; samples are 1 to %d'):format(name, tostring(i),
         size))
   end
   return i
end

--- Raise unless something has samples.
-- @raise "dataset.Subset: wanted a dataset, an object with the methods size and get; got nil"
function M.checkDataset(name, x)
   if not contract.is_dataset(x) then
      errors.raise(('%s: wanted a dataset, an object with the methods size and get; got %s%s')
         :format(name, options.describe(x), contract.lack(x)))
   end
   contract.check_get(name, x)
   return x
end

--- A dataset's `getBatch(indices)` where it has one; nil where it cannot make one at once.
function M.batchOf(dataset, indices)
   return dataset.getBatch and dataset:getBatch(indices) or nil
end

return M
