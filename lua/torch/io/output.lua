--- Writing a file as a whole: what was there before stays unless everything could be written.
-- @module torch.io.output
local class = require 'torch.class'
local errors = require 'torch.errors'
local reasons = require 'torch.io.reasons'
local replace = require 'torch.io.replace'

local M = {}

--- Write a file.
-- @string operation for messages
-- @string path
-- @param body function(stream): writes (torch.io.stdio); an error that it raises is raised again
function M.write(operation, path, body)
   if type(path) ~= 'string' then
      errors.raise(('%s: expected a file name, got %s'):format(operation,
         path == nil and 'nil' or 'a ' .. class.type(path)))
   end
   local stream, finish = replace.open(path)
   if not stream then
      reasons.cannotOpen(operation, path, 'w', finish)
   end
   local ok, message = pcall(body, stream)
   local failure = stream.failure
   local stored, reason = stream:close()
   local placed, obstacle = finish(ok and stored and not failure)
   if not ok then
      error(message, 0)
   elseif failure or not (stored and placed) then
      errors.raise(("%s: '%s': write error: %s"):format(operation, path,
         failure or reason or obstacle))
   end
end

return M
