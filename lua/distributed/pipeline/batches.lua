--- Batches cut into micro-batches, and put together again.
-- @module distributed.pipeline.batches

local torch = require 'torch'
local nested = require 'nn.nested'
local options = require 'torch.options'

local M = {}

--- The rows of a batch: a tensor, or a table of tensors with as many rows each.
-- @string name what it is, for the error
function M.rows(name, batch)
   local rows
   for _, t in ipairs(nested.tensors(batch)) do
      local n = t:dim() > 0 and t:size(1) or 0
      if n == 0 or (rows or n) ~= n then
         options.fail('distributed.Pipeline: %s has %s, expected tensors of as many rows each',
            name, n == 0 and 'an empty tensor' or ('tensors of %d and %d rows'):format(rows, n))
      end
      rows = n
   end
   return rows or options.fail('distributed.Pipeline: %s is %s, expected a tensor or a table of '
      .. 'tensors', name, options.describe(batch))
end

--- First row and number of rows of each part; the last ones may be a row shorter.
function M.ranges(rows, count)
   local list, first = {}, 1
   for i = 1, count do
      local n = math.floor(rows / count) + (i <= rows % count and 1 or 0)
      list[i] = { first, n }
      first = first + n
   end
   return list
end

local function has_rows(t, rows)
   return t:dim() > 0 and t:size(1) == rows
end

-- Whether a list has an entry for each row, such as a name. Tensors in it that have all rows are
-- cut each by itself, so it is none then.
local function is_of_rows(list, rows)
   local entries = 0
   for _ in pairs(list) do
      entries = entries + 1
   end
   if #list ~= rows or entries ~= rows then
      return false
   end
   local tensors = nested.tensors(list)
   for _, t in ipairs(tensors) do
      if not has_rows(t, rows) then
         return true
      end
   end
   return #tensors == 0
end

--- Some rows of a batch: views.
-- @param batch
-- @int first
-- @int count
-- @int[opt] rows cut only tensors that have so many, and lists with an entry for each; nil: all
-- tensors
function M.part(batch, first, count, rows)
   if torch.isTensor(batch) then
      return (not rows or has_rows(batch, rows)) and batch:narrow(1, first, count) or batch
   elseif not nested.is_table(batch) then
      return batch
   end
   local part = {}
   if rows and is_of_rows(batch, rows) then
      for i = 1, count do
         part[i] = batch[first + i - 1]
      end
   else
      for key, value in pairs(batch) do
         part[key] = M.part(value, first, count, rows)
      end
   end
   return part
end

--- A batch's parts.
-- @param batch
-- @tab ranges
-- @int[opt] rows as of `part`
function M.cut(batch, ranges, rows)
   local parts = {}
   for i, range in ipairs(ranges) do
      parts[i] = M.part(batch, range[1], range[2], rows)
   end
   return parts
end

--- Parts one below the other.
function M.join(parts)
   return nested.zip(function(_, list)
      return torch.isTensor(list[1]) and torch.cat(list, 1) or list[1]
   end, nil, parts)
end

return M
