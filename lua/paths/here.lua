--- Files found from where the calling file lies.
--
-- A depth is a level of the call stack as in debug.getinfo: 2 (the default) is the code that calls
-- the function, 3 its caller, and so on.
-- @module paths.here
local errors = require 'torch.errors'
local names = require 'paths.names'
local checkString = require('paths.arguments').checkString

local M = {}

-- Full path of the file whose code runs at a level of the caller's stack.
local function fileAt(level)
   local frame = debug.getinfo(level + 1, 'S')
   local source = frame and frame.source
   if source and source:sub(1, 1) == '@' then
      return names.concat(source:sub(2))
   end
   return nil
end

--- Full path of the calling file, or of `name` beside it.
-- @param name string, optional: a path relative to the calling file's directory
-- @param depth number, optional
-- @return string; nil when the caller is no file (typed at a prompt), or, with a name, the name
-- relative to the current directory
function M.thisfile(name, depth)
   local file = fileAt(depth or 2)
   if name == nil then
      return file
   end
   checkString('paths.thisfile', 1, name)
   return names.concat(file and names.dirname(file) or names.cwd(), name)
end

--- Run a Lua file whose name is relative to the calling file's directory.
-- @param name string
-- @param depth number, optional
-- @return what the file returns
-- @raise "paths.dofile: ..." when the file cannot be read or compiled
function M.dofile(name, depth)
   checkString('paths.dofile', 1, name)
   local file = fileAt(depth or 2)
   local chunk, message = loadfile(
      names.concat(file and names.dirname(file) or names.cwd(), name))
   if not chunk then
      errors.raise('paths.dofile: ' .. message)
   end
   return chunk()
end

return M
