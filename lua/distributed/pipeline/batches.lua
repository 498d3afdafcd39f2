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

local function narrowed(t, first, count, rows)
   local whole = rows and (t:dim() == 0 or t:size(1) ~= rows)
   return whole and t or t:narrow(1, first, count)
end

--- Views of a batch's parts.
-- @param batch
-- @tab ranges
-- @int[opt] rows cut only what has so many
function M.cut(batch, ranges, rows)
   local parts = {}
   for i, range in ipairs(ranges) do
      parts[i] = nested.map(narrowed, batch, range[1], range[2], rows)
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
