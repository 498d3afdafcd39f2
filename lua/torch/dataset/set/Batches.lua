local torch = require 'torch'
local collate = require 'torch.dataset.collate'
local options = require 'torch.options'
local contract = require 'torch.dataset.loader.contract'
local common = require 'torch.dataset.set.common'

--- A dataset whose samples are batches of another one's: sample k has the samples
-- (k - 1) batchSize + 1 to k batchSize.
-- @param source dataset
-- @tparam table options batchSize; collate (dataset.collate.stack); dropLast (false)
-- @usage dataset.Batches(source, {batchSize = 32})
-- @type dataset.Batches
-- @example
-- local dataset = require 'torch.dataset'
-- local data = dataset.Tensors { input = torch.range(1, 5) }
-- dataset.Batches(data, { batchSize = 2 }):get(3).input --> { 5 }
local Batches = torch.class('dataset.Batches', require 'torch.dataset.module')

local NAME = 'dataset.Batches'

function Batches:__init(source, given)
   local read = options.read(NAME, given, {
      batchSize = { 'count', required = true }, collate = { 'call' },
      dropLast = { 'boolean', false },
   })
   self.source = common.checkDataset(NAME, source)
   self.batchSize, self.collate, self.dropLast = read.batchSize, read.collate, read.dropLast
end

--- Number of batches.
function Batches:size()
   local n = self.source:size() / self.batchSize
   return self.dropLast and math.floor(n) or math.ceil(n)
end

--- A batch.
function Batches:get(k)
   common.checkIndex(NAME, k, self:size())
   local first = (k - 1) * self.batchSize + 1
   local last = math.min(first + self.batchSize - 1, self.source:size())
   local indices = torch.range(torch.LongTensor(), first, last)
   local batch = not self.collate and common.batchOf(self.source, indices)
   if batch then
      return batch
   end
   local samples = {}
   for i = first, last do
      samples[#samples + 1] = contract.get(self.source, i)
   end
   return (self.collate or collate.stack)(samples, indices, rawget(self.source, 'types'))
end

return Batches
