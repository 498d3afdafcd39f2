--- The end of a message about a name that there is not: the names that are near, or else all.
-- @module torch.train.there

local near = require 'torch.near'
local sorted_keys = require 'xlua.sorted_keys'

local MOST = 12 -- names in a message

--- @string wanted
-- @tab names table that has the names that there are for keys
-- @return '; near: a, b', '; there are a, b, c', or nothing where there are none
return function(wanted, names)
   local hint, all = near.hint(tostring(wanted), names), sorted_keys(names)
   if hint ~= '' or #all == 0 then
      return hint
   end
   return ('; there are %s%s'):format(table.concat(all, ', ', 1, math.min(MOST, #all)),
      #all > MOST and ', ...' or '')
end
