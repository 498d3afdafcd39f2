--- Byte pairs merged: neighbours by the rank of their pair, the lowest first, of equal ones the
-- leftmost.
-- @module torch.dataset.text.merges
local M = {}

-- A heap of (rank, place), as one number each: ranks and places are below 2^26.
local SHIFT = 2 ^ 26

local function push(heap, value)
   local k = #heap + 1
   while k > 1 do
      local parent = math.floor(k / 2)
      if heap[parent] <= value then
         break
      end
      heap[k], k = heap[parent], parent
   end
   heap[k] = value
end

local function pop(heap)
   local least, last = heap[1], heap[#heap]
   heap[#heap] = nil
   local n, k = #heap, 1
   while 2 * k <= n do
      local child = 2 * k
      if child < n and heap[child + 1] < heap[child] then
         child = child + 1
      end
      if heap[child] >= last then
         break
      end
      heap[k], k = heap[child], child
   end
   if n > 0 then
      heap[k] = last
   end
   return least
end

--- Merge the pieces of a word.
-- @tparam table pieces list of strings; what is left of it is the result
-- @tparam table ranks left piece -> right piece -> rank, from 1
-- @return list of strings
function M.merge(pieces, ranks)
   local n = #pieces
   if n < 2 then
      return pieces
   end
   local before, after, heap = {}, {}, {}
   for k = 1, n do
      before[k], after[k] = k - 1, k < n and k + 1 or 0
   end
   local function consider(k)
      local following = after[k]
      local row = following ~= 0 and ranks[pieces[k]]
      local rank = row and row[pieces[following]]
      if rank then
         push(heap, rank * SHIFT + k)
      end
   end
   for k = 1, n - 1 do
      consider(k)
   end
   while #heap > 0 do
      local value = pop(heap)
      local rank = math.floor(value / SHIFT)
      local k = value - rank * SHIFT
      local following = after[k]
      -- What was considered may have been merged with others since.
      local row = following ~= nil and following ~= 0 and ranks[pieces[k]]
      if row and row[pieces[following]] == rank then
         pieces[k] = pieces[k] .. pieces[following]
         local beyond = after[following]
         after[k], after[following], pieces[following] = beyond, nil, nil
         if beyond ~= 0 then
            before[beyond] = k
         end
         consider(k)
         if before[k] ~= 0 then
            consider(before[k])
         end
      end
   end
   local result, k = {}, 1
   while k ~= 0 do
      result[#result + 1], k = pieces[k], after[k]
   end
   return result
end

return M
