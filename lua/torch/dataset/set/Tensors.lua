local torch = require 'torch'
local th = require 'torch.ffi'
local class = require 'torch.class'
local errors = require 'torch.errors'
local options = require 'torch.options'
local common = require 'torch.dataset.set.common'

--- Samples of tensors in memory: field f of sample i is `fields[f][i]`, a number where the tensor
-- has one dimension. A whole batch is taken at once.
-- @tparam table fields name -> tensor, all of as many rows: {input = N x ..., target = N}
-- @raise "dataset.Tensors: input has 10 samples, target has 9"
-- @usage dataset.Tensors{input = x, target = t}
-- @type dataset.Tensors
-- @example
-- local dataset = require 'torch.dataset'
-- local data = dataset.Tensors { input = torch.eye(3), target = torch.LongTensor { 5, 6, 7 } }
-- data:size() --> 3
-- data:get(2).input --> { 0, 1, 0 }
-- data:get(2).target --> 6
local Tensors = torch.class('dataset.Tensors', require 'torch.dataset.module')

local NAME = 'dataset.Tensors'

function Tensors:__init(fields)
   if type(fields) ~= 'table' or next(fields) == nil then
      errors.raise(('%s: wanted a table of tensors such as {input = x, target = t}, got %s'):format(
         NAME, options.describe(fields)))
   end
   self.fields, self.types = {}, {}
   local names = {}
   for name in pairs(fields) do
      names[#names + 1] = name
   end
   table.sort(names, function(a, b)
      return tostring(a) < tostring(b)
   end)
   for _, name in ipairs(names) do
      local tensor = fields[name]
      if not th.isTensor(tensor) then
         errors.raise(('%s: %s must be a tensor, got %s'):format(NAME, tostring(name),
            options.describe(tensor)))
      end
      local count = tensor:dim() == 0 and 0 or tensor:size(1)
      if self.count and count ~= self.count then
         errors.raise(('%s: %s has %d samples, %s has %d'):format(NAME, tostring(names[1]),
            self.count, tostring(name), count))
      end
      self.count, self.fields[name] = count, tensor
      self.types[name] = class.type(tensor) -- of a batch's numbers
   end
end

--- Number of samples.
function Tensors:size()
   return self.count
end

--- A sample: tensors that share the dataset's memory, and numbers.
function Tensors:get(i)
   common.checkIndex(NAME, i, self.count)
   local sample = {}
   for name, tensor in pairs(self.fields) do
      sample[name] = tensor[i]
   end
   return sample
end

--- The samples of a LongTensor of indices, as one batch.
-- @usage data:getBatch(indices) -> table of tensors
function Tensors:getBatch(indices)
   local batch = {}
   for name, tensor in pairs(self.fields) do
      batch[name] = tensor:index(1, indices)
   end
   return batch
end

return Tensors
