local torch = require 'torch'
local th = require 'torch.ffi'
local errors = require 'torch.errors'
local options = require 'torch.options'
local common = require 'torch.dataset.set.common'

--- Some samples of a dataset, in an order of their own.
-- @param source dataset
-- @param indices list or LongTensor of indices of the dataset
-- @raise "dataset.Subset: there is no sample 11; samples are 1 to 10"
-- @usage dataset.Subset(source, indices)
-- @type dataset.Subset
-- @example
-- local dataset = require 'torch.dataset'
-- local some = dataset.Subset(dataset.List { 'a', 'b', 'c' }, { 3, 1 })
-- some:get(1) --> 'c'
local Subset = torch.class('dataset.Subset', require 'torch.dataset.module')

local NAME = 'dataset.Subset'

function Subset:__init(source, indices)
   self.source = common.checkDataset(NAME, source)
   if not th.isTensor(indices) and type(indices) ~= 'table' then
      errors.raise(('%s: wanted a list of indices, got %s'):format(NAME,
         options.describe(indices)))
   end
   self.indices = th.isTensor(indices) and indices:long()
      or (#indices == 0 and torch.LongTensor() or torch.LongTensor(indices))
   if self.indices:dim() > 0 then
      common.checkIndex(NAME, self.indices:min(), source:size())
      common.checkIndex(NAME, self.indices:max(), source:size())
   end
   self.types = rawget(source, 'types')
end

--- Number of samples.
function Subset:size()
   return self.indices:dim() == 0 and 0 or self.indices:size(1)
end

--- A sample.
function Subset:get(i)
   return self.source:get(self.indices[common.checkIndex(NAME, i, self:size())])
end

--- The samples of a LongTensor of indices as one batch; nil where the dataset behind cannot.
function Subset:getBatch(indices)
   return common.batchOf(self.source, self.indices:index(1, indices))
end

return Subset
