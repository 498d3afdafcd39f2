--- Which tensors of a list are one and the same memory: layers that share parameters name them
-- again, and what is added up, scaled or exchanged must be so once.
--
--    local firsts = require 'torch.firsts'
--    firsts { w, b, w } -- { 1, 2, 1 }
--
-- A tensor is an earlier one again that begins where that does and has no more elements.
-- @module torch.firsts

local ffi = require 'ffi'

--- @tab tensors
-- @treturn table for each tensor the number of the first one that it is
return function(tensors)
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
