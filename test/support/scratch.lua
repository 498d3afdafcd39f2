--- A folder for the files of a test: `before_each(scratch.make)`, `after_each(scratch.remove)`.
local paths = require 'paths'

local M = {}

--- Make it; its path is in `folder`.
function M.make()
   M.folder = os.tmpname()
   os.remove(M.folder)
   paths.mkdir(M.folder)
end

--- Remove it, with all in it.
function M.remove()
   paths.rmall(M.folder, 'yes')
end

--- Write a file into it, in folders that are made.
-- @return its path
function M.write(name, text)
   local path = M.folder .. '/' .. name
   paths.mkdir(paths.dirname(path))
   local file = assert(io.open(path, 'wb'))
   file:write(text)
   file:close()
   return path
end

return M
