--- Which tensors of a list are one and the same memory: layers that share parameters name them
-- again, and what is added up, scaled or exchanged must be so once.
--
--    local firsts = require 'torch.firsts'
--    firsts.of { w, b, w } -- { 1, 2, 1 }
--    firsts.once { w, b, w } -- { w, b }
--
-- A tensor is an earlier one again that begins where that does and has no more elements.
-- @module torch.firsts

local ffi = require 'ffi'

local M = {}

--- @tab tensors
-- @treturn table for each tensor the number of the first one that it is
function M.of(tensors)
   local list, known = {}, {}
   for k, t in ipairs(tensors) do
      local memory, place = tonumber(ffi.cast('intptr_t', t.store)), tonumber(t.offset)
      local here = known[memory] or {}
      known[memory] = here
      local first, count = here[place], t:nElement()
      if not first or count == 0 or count > tensors[first]:nElement() then
         first = k
         here[place] = k
      end
      list[k] = first
   end
   return list
end

--- @tab tensors
-- @treturn table those of them that are no earlier one again
function M.once(tensors)
   local firsts, once = M.of(tensors), {}
   for k, t in ipairs(tensors) do
      once[#once + 1] = firsts[k] == k and t or nil
   end
   return once
end

return M
