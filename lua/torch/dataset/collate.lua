--- Batches of samples: dataset.collate.
--
-- A collate function takes a list of samples and the list of their indices, and gives the batch. A
-- sample is a tensor, a number, or a table of these by name, such as {input = tensor, target = 3}.
-- @module torch.dataset.collate
local th = require 'torch.ffi'
local torch = require 'torch'
local class = require 'torch.class'
local describe = require('torch.options').describe

local C = th.C
local type = type -- torch puts its own in the global's place

local M = {}

-- 'input of sample 7', for messages.
local function name(field, index)
   return field and ('%s of sample %d'):format(field, index) or ('sample %d'):format(index)
end

local function kindOf(x)
   return th.isTensor(x) and class.type(x) or type(x)
end

-- All values are of the first one's kind.
local function checkKinds(values, indices, field)
   local kind = kindOf(values[1])
   for j = 2, #indices do
      if kindOf(values[j]) ~= kind then
         error(('%s is %s, %s is %s: the samples of a batch must agree'):format(
            name(field, indices[1]), describe(values[1]), name(field, indices[j]),
            describe(values[j])), 0)
      end
   end
   return kind
end

local function stackTensors(values, indices, field)
   local first, n = values[1], #indices
   local dim = first:dim()
   for j = 2, n do
      if not C.TH_isSameSize(values[j], first) then
         error(('%s is %s, %s is %s: a batch wants one size; collate = dataset.collate.pad() pads, '
            .. 'dataset.collate.list leaves them apart'):format(name(field, indices[1]),
            describe(first), name(field, indices[j]), describe(values[j])), 0)
      end
   end
   if dim == 0 then
      return first.new()
   end
   local sizes = { n }
   for d = 1, dim do
      sizes[d + 1] = first:size(d)
   end
   return torch.cat(values, 1):resize(torch.LongStorage(sizes))
end

local function stackNumbers(values, indices, kind)
   local result = torch.factory(kind or torch.getdefaulttensortype())():resize(#indices)
   for j = 1, #indices do
      result[j] = values[j]
   end
   return result
end

local merge

-- Tables by name: each field is a batch of its own.
local function mergeTables(values, indices, types, join)
   local result = {}
   for key in pairs(values[1]) do
      local field, column = tostring(key), {}
      for j = 1, #indices do
         column[j] = values[j][key]
         if column[j] == nil then
            error(('sample %d has no %s, sample %d has one'):format(indices[j], field, indices[1]),
               0)
         end
      end
      result[key] = merge(column, indices, field, types, join)
   end
   for j = 2, #indices do
      for key in pairs(values[j]) do
         if values[1][key] == nil then
            error(('sample %d has no %s, sample %d has one'):format(indices[1], tostring(key),
               indices[j]), 0)
         end
      end
   end
   return result
end

function merge(values, indices, field, types, join)
   local kind = checkKinds(values, indices, field)
   if th.isTensor(values[1]) then
      return join(values, indices, field)
   elseif kind == 'number' then
      return stackNumbers(values, indices, types and types[field or ''])
   elseif kind == 'table' and not class.typename(values[1]) then
      return mergeTables(values, indices, types, join)
   end
   return values
end

-- A list of numbers, of a list or a LongTensor.
local function listed(indices, n)
   if type(indices) == 'table' then
      return indices
   elseif indices == nil then
      local list = {}
      for j = 1, n do
         list[j] = j
      end
      return list
   end
   return indices:totable()
end

local function checkSamples(operation, samples)
   if type(samples) ~= 'table' or #samples == 0 then
      error(('%s: wanted a list of samples, got %s'):format(operation,
         type(samples) == 'table' and 'an empty one' or describe(samples)), 0)
   end
end

--- Tensors of one size on top of each other: a field of n samples C x H x W becomes n x C x H x W,
-- numbers a tensor of n elements (of the type that `types` names for the field, else of the default
-- type), tables tables of batches; strings and other things stay a list.
-- @param samples list
-- @param[opt] indices of the samples, for messages: a list or a LongTensor
-- @tparam[opt] table types field -> name of a type of tensors, for numbers
-- @return the batch
-- @raise "input of sample 7 is 3x32x32 FloatTensor, input of sample 9 is 3x32x30 FloatTensor: ..."
-- @usage dataset.collate.stack(samples [, indices [, types]]) -> batch
-- @example
-- local dataset = require 'torch.dataset'
-- local batch = dataset.collate.stack { { input = torch.zeros(2), target = 1 },
--    { input = torch.ones(2), target = 5 } }
-- batch.input --> { { 0, 0 }, { 1, 1 } }
-- batch.target --> { 1, 5 }
function M.stack(samples, indices, types)
   checkSamples('dataset.collate.stack', samples)
   return merge(samples, listed(indices, #samples), nil, types, stackTensors)
end

--- The samples as they are: field -> list of n values, for sizes that cannot be batched.
-- @param samples list
-- @return table of lists; of samples that are no tables, the list itself
-- @usage dataset.collate.list(samples) -> batch
-- @example
-- local dataset = require 'torch.dataset'
-- local batch = dataset.collate.list { { input = torch.ones(2) }, { input = torch.ones(3) } }
-- batch.input[2]:size(1) --> 3
function M.list(samples, indices)
   checkSamples('dataset.collate.list', samples)
   if type(samples[1]) ~= 'table' or class.typename(samples[1]) then
      return samples
   end
   local result = {}
   for key in pairs(samples[1]) do
      result[key] = {}
   end
   for j, sample in ipairs(samples) do
      for key in pairs(result) do
         if sample[key] == nil then
            error(('sample %d has no %s'):format(listed(indices, #samples)[j], tostring(key)), 0)
         end
         result[key][j] = sample[key]
      end
   end
   return result
end

-- --- padding -------------------------------------------------------------------------------------

local function padTensors(values, indices, field, value, lengths)
   local first, n = values[1], #indices
   local longest, counts = 0, torch.LongTensor(n)
   for j = 1, n do
      local x = values[j]
      local same = x:dim() == first:dim() or x:dim() == 0
      for d = 2, x:dim() do
         same = same and x:size(d) == first:size(d)
      end
      if not same then
         error(('%s is %s, %s is %s: only the first dimension can be padded'):format(
            name(field, indices[1]), describe(first), name(field, indices[j]), describe(x)), 0)
      end
      counts[j] = x:dim() == 0 and 0 or x:size(1)
      longest = math.max(longest, counts[j])
   end
   local sizes = { n, longest }
   for d = 2, first:dim() do
      sizes[d + 1] = first:size(d)
   end
   lengths[field or 'samples'] = counts
   local result = first.new()
   if longest == 0 then
      return result
   end
   result:resize(torch.LongStorage(sizes)):fill(value)
   for j = 1, n do
      if counts[j] > 0 then
         result[j]:narrow(1, 1, counts[j]):copy(values[j])
      end
   end
   return result
end

--- A collate function that pads tensors along their first dimension to the longest of the batch:
-- fields of T_j x D become n x max T x D, and `batch.lengths[field]` is the LongTensor of the T_j.
-- Fields whose samples all have one size are stacked like the others, with their lengths as well.
-- @tparam[opt] table options value: what to pad with (0); values = {target = -100}: by field
-- @return the function
-- @usage dataset.collate.pad([options]) -> function(samples, indices)
-- @example
-- local dataset = require 'torch.dataset'
-- local pad = dataset.collate.pad { value = -1 }
-- local batch = pad { { input = torch.Tensor { 1, 2, 3 } }, { input = torch.Tensor { 4 } } }
-- batch.input --> { { 1, 2, 3 }, { 4, -1, -1 } }
-- batch.lengths.input --> { 3, 1 }
function M.pad(options)
   options = require('torch.options').read('dataset.collate.pad', options, {
      value = { 'number', 0 }, values = { 'list', {} },
   })
   local default, values = options.value, options.values
   return function(samples, indices, types)
      checkSamples('dataset.collate.pad', samples)
      local lengths = {}
      local function join(column, rows, field)
         return padTensors(column, rows, field, values[field] or default, lengths)
      end
      local batch = merge(samples, listed(indices, #samples), nil, types, join)
      if type(batch) == 'table' and next(lengths) ~= nil then
         batch.lengths = lengths
      elseif th.isTensor(batch) then
         return batch, lengths.samples
      end
      return batch
   end
end

return M
