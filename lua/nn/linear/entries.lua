--- Products of sparse matrices, given as entries: rows, columns, values.
-- @module nn.linear.entries

local nn = require 'nn'
local check = require 'nn.check'
local ops = require 'nn.base.ops'

local M = {}

-- Elements that are gathered at a time: some megabytes, whatever the number of entries.
local AT_ONCE = 2 ^ 20

--- r[to[i]] += values[i] * t[from[i]] for each entry i, by rows of r and t.
-- @param layer for errors
-- @tparam Tensor r
-- @tparam LongTensor to
-- @tparam Tensor t
-- @tparam LongTensor from
-- @tparam Tensor values 1-D
function M.add(layer, r, to, t, from, values)
   local n, step = values:nElement(), math.max(1, math.floor(AT_ONCE / t:size(2)))
   local rows = t.new()
   for first = 1, n, step do
      local count = math.min(step, n - first + 1)
      ops.index(layer, rows, t, 0, from:narrow(1, first, count))
      local factors = nn.utils.addSingletonDimension(values:narrow(1, first, count), 2)
      rows:cmul(factors:expandAs(rows))
      ops.index_add(layer, r, 0, to:narrow(1, first, count), rows)
   end
   return r
end

--- a[i] . b[k] for each entry, by rows of a and b.
-- @param layer for errors
-- @tparam Tensor a
-- @tparam LongTensor i
-- @tparam Tensor b
-- @tparam LongTensor k
-- @treturn Tensor 1-D
function M.dots(layer, a, i, b, k)
   local n, step = i:nElement(), math.max(1, math.floor(AT_ONCE / a:size(2)))
   local r, left, right = a.new(n), a.new(), a.new()
   for first = 1, n, step do
      local count = math.min(step, n - first + 1)
      ops.index(layer, left, a, 0, i:narrow(1, first, count))
      ops.index(layer, right, b, 0, k:narrow(1, first, count))
      r:narrow(1, first, count):copy(left:cmul(right):sum(2))
   end
   return r
end

--- gradOutput as a batch: n x outputs.
-- @param layer for the error; keeps a copy where one is needed
-- @int n
-- @int outputs
-- @param g what the user gave: of that size, or that of one sample
function M.batch(layer, n, outputs, g)
   check.tensor(layer, layer.weight, g, 'gradOutput')
   if g:nElement() ~= n * outputs then
      check.fail(layer, 'gradOutput is %s, expected %dx%d', check.describe(g), n, outputs)
   end
   return check.contiguous(layer, '_gradOutput', g):view(n, outputs)
end

--- Which row each entry belongs to.
-- @tparam table counts the number of entries of each row
-- @param r LongTensor to write into
function M.rows(counts, r)
   local total = 0
   for _, count in ipairs(counts) do
      total = total + count
   end
   if total == 0 then
      return r:resize(0)
   end
   r:resize(total)
   local first = 1
   for i, count in ipairs(counts) do
      if count > 0 then
         r:narrow(1, first, count):fill(i)
         first = first + count
      end
   end
   return r
end

return M
