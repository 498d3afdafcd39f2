--- Arguments for the fuzz target of index expressions: sensible ones, and hostile ones.
local torch = require 'torch'

local M = {}

local INF = math.huge

local integers = {
   0, -1, -2, 2 ^ 31 - 1, 2 ^ 31, 2 ^ 31 + 1, -2 ^ 31, 2 ^ 32, 2 ^ 32 + 1, 2 ^ 53, 2 ^ 62, 2 ^ 63,
   -2 ^ 63, -2 ^ 32 + 2, 2 ^ 64, 2 ^ 64 + 2 ^ 12, 1e300, -1e300,
}
-- What is no integer: refused, or cut off, but nothing worse.
local odd = { 0.5, 1.5, -0.5, 1 - 1e-9, INF, -INF, 0 / 0 }
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
      return odd[b % #odd + 1], true
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

return M
