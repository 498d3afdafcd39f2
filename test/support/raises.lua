--- Assertion: a call raises an error with this text. Errors are told apart by what they say.
local assert = require 'luassert'

--- Raise unless f(...) raises an error whose message contains `text`.
-- @string text part of the message, as it is (no pattern)
-- @func f
-- @param ... f's arguments
-- @return the message
local function raises(text, f, ...)
   local ok, message = pcall(f, ...)
   assert.is_false(ok, ('no error; wanted "%s"'):format(text))
   assert.matches(text, tostring(message), 1, true)
   return message
end

return raises
