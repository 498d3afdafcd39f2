--- Errors blamed on the user's line.
--
-- A library function may raise from any depth of library code. The position put before the message
-- is that of the innermost Lua frame that belongs to no registered library: the line a user wrote.
-- @module torch.errors
local M = {}

local prefixes = {} -- directories of library sources, each ending in '/'
local told -- who wants to know of them
local known = {} -- chunk source -> is it a library's? (one stack walk meets few distinct sources)

-- One spelling for the several that a search path can give the same directory.
local function normalize(path)
   path = path:gsub('//+', '/')
   local before
   repeat
      before = path
      path = path:gsub('/%./', '/')
   until path == before
   return (path:gsub('^%./', ''))
end

--- Register a directory (with all below it) as library code.
-- @param dir string, optional: a directory, or a chunk source such as '@/usr/share/x/init.lua',
-- whose directory is taken. By default the directory of the calling file.
-- @usage require('torch.errors').library() -- first line of a package's init.lua
function M.library(dir)
   dir = dir or debug.getinfo(2, 'S').source
   if dir:sub(1, 1) == '@' then
      dir = dir:sub(2):match('^(.*)/[^/]*$') or '.'
   end
   dir = normalize(dir .. '/')
   if dir == '' then -- the current directory: only a name without directory is meant
      return
   end
   for _, prefix in ipairs(prefixes) do
      if prefix == dir then
         return
      end
   end
   prefixes[#prefixes + 1] = dir
   known = {}
   if told then
      told(dir)
   end
end

--- The directories of libraries, as they are compared with the paths of sources.
-- @param[opt] f function(directory): called for each now, and, until another takes its place, for
-- those that are registered later
function M.libraries(f)
   told = f
   for _, prefix in ipairs(f and prefixes or {}) do
      f(prefix)
   end
end

-- Only files can be library code: chunks given as strings are what users type or generate.
local function isLibrary(source)
   if source:sub(1, 1) ~= '@' then
      return false
   end
   local path = normalize(source:sub(2))
   for _, prefix in ipairs(prefixes) do
      if path:sub(1, #prefix) == prefix then
         return true
      end
   end
   return false
end

--- Whether code is a library's.
-- @param source string: a function's, as debug.getinfo gives it
function M.isLibrary(source)
   local library = known[source]
   if library == nil then
      library = isLibrary(source)
      known[source] = library
   end
   return library
end

--- The user's position.
-- @return 'file:line: ' of the innermost Lua frame outside the registered libraries, or '' if the
-- stack holds none. C frames (pcall, table.sort, ...) have no line and are passed over.
function M.where()
   local level = 2
   while true do
      local frame = debug.getinfo(level, 'Sl')
      if not frame then
         return ''
      end
      if frame.currentline > 0 then
         if not M.isLibrary(frame.source) then
            return frame.short_src .. ':' .. frame.currentline .. ': '
         end
      end
      level = level + 1
   end
end

local name_of -- of objects whose methods are named in messages

--- Let errors that come out of an object's methods, within libraries, name it.
-- @param f function(object): its name, or nil; asked for the `self` of calls that led to an error
function M.name(f)
   name_of = f
end

-- The innermost object in whose methods the library is; nil where the user's own code is reached
-- first.
local function subject()
   local level = 3
   while true do
      local frame = debug.getinfo(level, 'S')
      if not frame or (frame.what ~= 'C' and not M.isLibrary(frame.source)) then
         return nil
      elseif frame.what ~= 'C' then
         local variable, object = debug.getlocal(level, 1)
         local name = variable == 'self' and name_of(object)
         if name then
            return name
         end
      end
      level = level + 1
   end
end

--- Raise an error at the user's line.
-- A message that tells of an operation alone gets the name of the layer, or whatever object a
-- library has told of (M.name), that called it; one that begins with a class, such as nn.Linear,
-- is left alone.
-- @param message string, prefixed with M.where(); any other value is raised as it is
function M.raise(message)
   if type(message) == 'string' then
      local name = name_of and subject()
      if name and not message:find(name, 1, true) and not message:find '^%a+%.%a%w*:' then
         message = ('%s: %s'):format(name, message)
      end
      message = M.where() .. message
   end
   error(message, 0)
end

--- The pointer that an object holds; an error where there is none, because a method was called on
-- something else: v.insert('x') for v:insert('x'). As NULL, C would read it.
-- @param pointer the field of `self`
-- @param typename string: the class of the method
-- @return pointer
function M.held(pointer, typename)
   if not pointer then
      M.raise(('%s: a method was called on something else; it is called with a colon: '
         .. 'object:method(...)'):format(typename))
   end
   return pointer
end

M.library()

return M
