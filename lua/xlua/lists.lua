--- Lists cut up and weeded (table.splice and table.prune).
-- @module xlua.lists
local M = {}

--- Take some elements out of a list.
-- @param list a table, which is not changed
-- @param start index of the first element to take (1)
-- @param length how many to take (1)
-- @return a list of the others, and a list of those taken
function M.splice(list, start, length)
   start, length = start or 1, length or 1
   local rest, taken = {}, {}
   for i, value in ipairs(list) do
      local into = (i >= start and i < start + length) and taken or rest
      into[#into + 1] = value
   end
   return rest, taken
end

--- A list without duplicates, each value where it first came.
-- @param list a table, which is not changed
-- @param hash function, optional: values of equal hash are duplicates (by default, equal values)
-- @param merge function, optional: merge(kept, duplicate) gives the value to keep
function M.prune(list, hash, merge)
   local pruned, position = {}, {}
   for _, value in ipairs(list) do
      local key = value
      if hash then
         key = hash(value)
      end
      local i = position[key]
      if not i then
         i = #pruned + 1
         pruned[i], position[key] = value, i
      elseif merge then
         pruned[i] = merge(pruned[i], value)
      end
   end
   return pruned
end

return M
