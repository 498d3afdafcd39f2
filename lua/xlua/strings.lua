--- Strings cut up and looked up (string.split and string.tosymbol).
-- @module xlua.strings
local M = {}

--- Split a string at every match of a Lua pattern; empty pieces at its ends are left out.
-- @function string.split
-- @example ('a:b'):split(':') --> { 'a', 'b' }
M.split = require('sys').split

--- The value a dotted name stands for, from the globals on; nil when there is none.
-- @example ('math.pi'):tosymbol() --> 3.1415926535898
function M.tosymbol(name)
   local value = _G
   for part in name:gmatch('[^.]+') do
      if type(value) ~= 'table' then
         return nil
      end
      value = value[part]
   end
   return value
end

return M
