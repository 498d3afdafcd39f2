--- Shared libraries that may be there: opened as a program would, asked for their versions.
-- @module torch.doctor.library
local ffi = require 'ffi'

local M = {}

--- Declare functions; again, or otherwise than somebody else, does nothing.
function M.declare(text)
   pcall(ffi.cdef, text)
end

--- Open a library.
-- @tab names file names, in the order in which they are tried
-- @return the library and its name; or nil and why the first one failed
function M.open(names)
   local reason
   for _, name in ipairs(names) do
      local ok, library = pcall(ffi.load, name)
      if ok then
         return library, name
      end
      reason = reason or library
   end
   return nil, reason
end

--- Where a library that is loaded lies.
-- @string part of its name: 'libopenblas'
function M.path(part)
   local file = io.open '/proc/self/maps'
   if not file then
      return nil
   end
   local found
   for line in file:lines() do
      local path = line:match '%s(/%S+)$'
      if path and path:match('[^/]*$'):find(part, 1, true) then
         found = path
         break
      end
   end
   file:close()
   return found
end

--- What a function of a library, or a library without it, gives.
-- @return what f returns; nil where the library lacks the function
function M.ask(f, ...)
   local ok, value = pcall(f, ...)
   return ok and value or nil
end

--- Whether a program is on the PATH.
function M.program(name)
   for folder in (os.getenv 'PATH' or ''):gmatch '[^:]+' do
      local file = io.open(folder .. '/' .. name)
      if file then
         file:close()
         return folder .. '/' .. name
      end
   end
end

--- The first line that a program prints.
function M.says(command)
   local pipe = io.popen(command .. ' 2>&1')
   local line = pipe and pipe:read '*l'
   if pipe then
      pipe:close()
   end
   return line
end

return M
