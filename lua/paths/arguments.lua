--- Checks of what the user passed.
-- @module paths.arguments
local errors = require 'torch.errors'

local M = {}

--- Raise unless `value` is a string (numbers count, as in Lua's own library).
-- @return the string
function M.checkString(operation, position, value)
   if type(value) == 'number' then
      return tostring(value)
   elseif type(value) ~= 'string' then
      errors.raise(('%s: argument %d should be a string, got %s'):format(
         operation, position, type(value)))
   end
   return value
end

return M
