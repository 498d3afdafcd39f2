--- Names near to one that does not exist: what a message proposes. Called on failure only.
-- @module torch.near
local M = {}

local MOST = 3

-- Insertions, removals, replacements and exchanges of neighbours that make one text of the other
-- (optimal string alignment); nil for more than `limit`.
local function distance(a, b, limit)
   if math.abs(#a - #b) > limit then
      return nil
   end
   local before, last, row = {}, {}, {}
   for j = 0, #b do
      last[j] = j
   end
   for i = 1, #a do
      row[0] = i
      local least = i
      for j = 1, #b do
         local same = a:byte(i) == b:byte(j)
         local d = math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (same and 0 or 1))
         if i > 1 and j > 1 and a:byte(i) == b:byte(j - 1) and a:byte(i - 1) == b:byte(j) then
            d = math.min(d, before[j - 2] + 1)
         end
         row[j], least = d, math.min(least, d)
      end
      if least > limit then
         return nil
      end
      before, last, row = last, row, before
   end
   return last[#b] <= limit and last[#b] or nil
end

local function plain(name)
   return (name:lower():gsub('_', ''))
end

--- The nearest of some names, the best first: at most three; empty if none is near.
-- Case and underscores count for little: index_select is near to indexSelect.
-- @param wanted string
-- @param names list of strings
-- @usage near.names('tranpose', { 'transpose', 't' }) --> { 'transpose' }
function M.names(wanted, names)
   local limit = math.max(1, math.floor(#wanted / 3))
   local target = plain(wanted)
   local found = {}
   for _, name in ipairs(names) do
      local d = name ~= wanted and distance(target, plain(name), limit)
      -- Of short names nothing is left when all their letters may differ.
      if d and (d == 0 or d < math.max(#wanted, #name) / 2) then
         found[#found + 1] = { name, d + (name:sub(1, 1) == wanted:sub(1, 1) and 0 or 0.5) }
      end
   end
   table.sort(found, function(a, b)
      return a[2] < b[2] or (a[2] == b[2] and a[1] < b[1])
   end)
   local best = {}
   for i = 1, math.min(MOST, #found) do
      if found[i][2] > found[1][2] + 1 then
         break
      end
      best[i] = found[i][1]
   end
   return best
end

--- The end of a message about a name that does not exist: '; near: a, b', or nothing.
-- @param wanted string
-- @param names table that has the names that exist for keys
function M.hint(wanted, names)
   local list = {}
   for name in pairs(names) do
      if type(name) == 'string' then
         list[#list + 1] = name
      end
   end
   local found = M.names(tostring(wanted), list)
   return #found > 0 and '; near: ' .. table.concat(found, ', ') or ''
end

return M
