local torch = require 'torch'
local common = require 'torch.dataset.set.common'

--- Several datasets, one after the other.
-- @param list of datasets, or the datasets themselves
-- @usage dataset.Concat(a, b, ...)
-- @type dataset.Concat
-- @example
-- local dataset = require 'torch.dataset'
-- local both = dataset.Concat(dataset.List { 'a', 'b' }, dataset.List { 'c' })
-- both:size() --> 3
-- both:get(3) --> 'c'
local Concat = torch.class('dataset.Concat', require 'torch.dataset.module')

local NAME = 'dataset.Concat'

function Concat:__init(first, ...)
   local list = { first, ... }
   if type(first) == 'table' and first.get == nil and #list == 1 then
      list = first
   end
   self.parts, self.ends = {}, {}
   local total = 0
   for k, part in ipairs(list) do
      common.checkDataset(('%s: dataset %d'):format(NAME, k), part)
      total = total + part:size()
      self.parts[k], self.ends[k] = part, total
   end
   if #list == 0 then
      common.checkDataset(NAME, nil)
   end
   self.total, self.types = total, rawget(list[1], 'types')
end

--- Number of samples.
function Concat:size()
   return self.total
end

--- The part that has a sample, by bisection, and where it is in it.
-- @return number of the part, index in it
function Concat:locate(i)
   common.checkIndex(NAME, i, self.total)
   local low, high = 1, #self.ends
   while low < high do
      local middle = math.floor((low + high) / 2)
      if i <= self.ends[middle] then
         high = middle
      else
         low = middle + 1
      end
   end
   return low, i - (self.ends[low - 1] or 0)
end

--- A sample.
function Concat:get(i)
   local part, index = self:locate(i)
   return self.parts[part]:get(index)
end

return Concat
