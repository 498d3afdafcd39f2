--- Whether two values have the same contents, and if not, what differs.
--
-- Tensors and storages are read through their public methods only, so that this judges any
-- implementation of them.
-- @module torch.tester.compare
local class = require 'torch.class'

local M = {}

local function differing(what, difference, tolerance)
   return ('%sEQ(==) violation: max diff=%s, tolerance=%s'):format(
      what, tostring(difference), tostring(tolerance))
end

local function numbers(a, b, tolerance, what)
   if a == b then -- also infinities, whose difference is nan
      return true, what .. 's are equal'
   end
   local difference = math.abs(a - b)
   return difference <= tolerance, differing(what, difference, tolerance)
end

-- The largest difference of two sequences, element i being a[i] and b[i]; nan where one is nan and
-- nowhere else.
local function largestDifference(a, b, n)
   local largest = 0
   for i = 1, n do
      local x, y = a[i], b[i]
      if x ~= y then
         local difference = math.abs(x - y)
         if difference ~= difference then
            return difference
         end
         largest = math.max(largest, difference)
      end
   end
   return largest
end

local function sizes(tensor)
   local list = {}
   for dim = 1, tensor:dim() do
      list[dim] = tensor:size(dim)
   end
   return #list == 0 and 'empty' or table.concat(list, 'x')
end

--- Compare two tensors.
-- @param anyShape boolean: compare by position in row-major order, whatever the dimensions
-- @return equal, explanation, and whether only the dimensions differ
function M.tensors(a, b, tolerance, anyShape)
   local typeA, typeB = class.type(a), class.type(b)
   if typeA ~= typeB then
      return false, ('tensors of different types: %s and %s'):format(typeA, typeB)
   end
   local n = a:nElement()
   local reshaped = sizes(a) ~= sizes(b)
   if n ~= b:nElement() or reshaped and not anyShape then
      return false, ('tensors of different sizes: %s and %s'):format(sizes(a), sizes(b))
   elseif n == 0 then
      return true, 'both tensors are empty', reshaped
   end
   -- In double: differences of byte tensors wrap around, and half tensors have no arithmetic.
   local x, y = a:double():clone():resize(n), b:double():clone():resize(n)
   local difference = x:clone():add(-1, y):abs():max()
   if difference ~= difference then
      difference = largestDifference(x, y, n)
   end
   return difference <= tolerance, differing('Tensor', difference, tolerance), reshaped
end

local function storages(a, b, tolerance)
   local typeA, typeB = class.type(a), class.type(b)
   if typeA ~= typeB then
      return false, ('storages of different types: %s and %s'):format(typeA, typeB)
   elseif a:size() ~= b:size() then
      return false, ('storages of different sizes: %d and %d'):format(a:size(), b:size())
   end
   local difference = largestDifference(a, b, a:size())
   return difference <= tolerance, differing('Storage', difference, tolerance)
end

local compare

local function within(key, message)
   return ('at key %s: %s'):format(tostring(key), message)
end

-- `underway` holds the pairs of tables whose comparison has begun: met again inside itself, a pair
-- differs only if it does elsewhere.
local function tables(a, b, tolerance, underway)
   underway[a] = underway[a] or {}
   if rawequal(a, b) or underway[a][b] then
      return true, 'the tables are equal'
   end
   underway[a][b] = true
   for key, value in pairs(a) do
      local equal, message = compare(value, b[key], tolerance, underway)
      if not equal then
         return false, within(key, message)
      end
   end
   for key, value in pairs(b) do
      if a[key] == nil then
         return false, within(key, ('got nil, expected %s'):format(tostring(value)))
      end
   end
   return true, 'the tables are equal'
end

function compare(a, b, tolerance, underway)
   local kind = type(a)
   if kind ~= type(b) or class.isTensor(a) ~= class.isTensor(b)
      or class.isStorage(a) ~= class.isStorage(b) then
      return false, ('values of different types: got %s, expected %s'):format(
         class.type(a), class.type(b))
   elseif kind == 'number' then
      return numbers(a, b, tolerance, 'number')
   elseif class.isTensor(a) then
      return M.tensors(a, b, tolerance, false)
   elseif class.isStorage(a) then
      return storages(a, b, tolerance)
   elseif kind == 'table' then
      return tables(a, b, tolerance, underway)
   end
   return a == b, ('%sEQ(==) violation: val1=%s, val2=%s'):format(kind, tostring(a), tostring(b))
end

--- Compare any two values: numbers within the tolerance, tables by their contents, tensors and
-- storages element by element, everything else by `==`.
-- @return equal (boolean) and, in words, what differs
function M.values(a, b, tolerance)
   return compare(a, b, tolerance, {})
end

return M
