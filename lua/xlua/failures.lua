--- Errors raised and caught.
-- @module xlua.failures
local errors = require 'torch.errors'

local M = {}

--- Raise an error at the user's line.
-- @param message string
-- @param domain string, optional: the part of a program that fails, shown in angle brackets
-- @param usage string, optional: shown below
function M.error(message, domain, usage)
   local text = tostring(message)
   if domain then
      text = ('<%s> %s'):format(domain, text)
   end
   if usage then
      text = text .. '\n' .. usage
   end
   errors.raise(text)
end

--- Call f(); if it raises an error, call catch(error).
-- @return what the function that ended it returns
function M.trycatch(f, catch)
   local results = { pcall(f) }
   if not results[1] then
      return catch and catch(results[2])
   end
   return unpack(results, 2, table.maxn(results))
end

return M
