--- Arguments for the fuzz target of index expressions: sensible ones, and hostile ones.
local torch = require 'torch'
local model = require 'test.fuzz.model'

local M = {}

local INF = math.huge

local integers = {
   0, -1, -2, 2 ^ 31 - 1, 2 ^ 31, 2 ^ 31 + 1, -2 ^ 31, 2 ^ 32, 2 ^ 32 + 1, 2 ^ 53, 2 ^ 62, 2 ^ 63,
   -2 ^ 63, -2 ^ 32 + 2, 2 ^ 64, 2 ^ 64 + 2 ^ 12, 1e300, -1e300,
}
-- What is no integer: refused, or cut off, but nothing worse.
local fractions = { 0.5, 1.5, -0.5, 1 - 1e-9, INF, -INF, 0 / 0 }
-- What is no number: refused.
local others = { false, 'x', {}, function() end, 3LL, '1' }

--- A number for an argument whose sensible values are 1 .. n.
-- @return number, and whether it is outside of what the model says something about
function M.number(take, n)
   local b = take.byte()
   if b < 160 then
      return b % math.max(n, 1) + 1, false
   elseif b < 200 then
      return ({ 0, -1, -n, -n - 1, n + 1, -n + 1, n, 1 })[b % 8 + 1], false
   elseif b < 230 then
      local x = integers[b % #integers + 1]
      return x, math.abs(x) >= 2 ^ 63 -- which C's integers do not hold
   elseif b < 250 then
      return fractions[b % #fractions + 1], true
   end
   return others[b % #others + 1], true
end

--- A list of positions as a LongTensor: contiguous, or every second element of another.
-- @param sizes list
-- @return tensor, list of values (row-major)
function M.positions(take, n, sizes)
   local count = 1
   for _, size in ipairs(sizes) do
      count = count * size
   end
   local values = {}
   for i = 1, count do
      local b = take.byte()
      values[i] = b < 240 and b % n + 1 or integers[b % 13 + 1] -- those below 2^63
   end
   if count == 0 then
      return torch.LongTensor(), values
   end
   local step = take.upTo(2) + 1
   local storage = torch.LongStorage(step * count):fill(1)
   for i = 1, count do
      storage.store.long_data[step * (i - 1)] = values[i]
   end
   local strides = {}
   local stride = step
   for d = #sizes, 1, -1 do
      strides[d] = stride
      stride = stride * sizes[d]
   end
   return torch.LongTensor(storage, 1, torch.LongStorage(sizes), torch.LongStorage(strides)), values
end

--- A mask of n elements; at times of one more, or with a 2 in it.
-- @return ByteTensor, list of values
function M.mask(take, n)
   local b = take.byte()
   local count = b < 230 and n or b < 240 and n + 1 or math.max(n - 1, 0)
   local values, bits = {}, 0
   for i = 1, count do
      if i % 8 == 1 then
         bits = take.byte()
      end
      values[i] = bits % 2
      bits = math.floor(bits / 2)
   end
   if b == 229 and count > 0 then
      values[count] = 2
   end
   return count > 0 and torch.ByteTensor(values) or torch.ByteTensor(), values
end

--- A list of numbers, and whether the model is silent about any of them.
function M.numbers(take, m, count, n)
   local list, open = {}, false
   for i = 1, count do
      local odd
      list[i], odd = M.number(take, n or m.sizes[i] or 1)
      open = open or odd
   end
   return list, open
end

--- A dimension of m.
function M.dimension(take, m)
   return M.number(take, #m.sizes)
end

--- Values for a description.
function M.text(...)
   local list = { ... }
   for i = 1, select('#', ...) do
      list[i] = tostring(list[i])
   end
   return table.concat(list, ', ')
end

-- An entry of x[{...}].
local function entry(take, size)
   local kind = take.upTo(8)
   if kind < 3 then
      return M.number(take, size)
   elseif kind == 3 then
      return {}, false
   elseif kind == 4 then
      local i, odd = M.number(take, size)
      return { i }, odd or i == nil
   end
   local i, odd = M.number(take, size)
   local j, odd2 = M.number(take, size)
   return { i, j }, odd or odd2
end

--- A list for x[{...}].
function M.region(take, m)
   local list, open = {}, false
   local count = take.upTo(8) == 7 and #m.sizes + 1 or take.upTo(#m.sizes + 1)
   for d = 1, count do
      local odd
      list[d], odd = entry(take, m.sizes[d] or 2)
      open = open or odd
   end
   return list, open
end

--- Positions for gather and scatter; at times of other sizes than they should have.
function M.spread(take, m, dim)
   local sizes = {}
   for d, size in ipairs(m.sizes) do
      sizes[d] = d == dim and take.upTo(4) + 1 or size
      if sizes[d] > 16 then
         return nil
      end
   end
   if take.byte() > 240 then
      sizes[take.upTo(#sizes + 1) + 1] = take.upTo(3) + 1
   end
   local positions, values = M.positions(take, m.sizes[dim] or 1, sizes)
   if #sizes == 0 then
      return nil
   end
   return positions, model.fresh(values, sizes)
end

return M
