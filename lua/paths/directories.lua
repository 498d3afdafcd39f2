--- What is on the disk: files, directories, and making and removing them.
-- @module paths.directories
local ffi = require 'ffi'
local lfs = require 'lfs'
local errors = require 'torch.errors'
local checkString = require('paths.arguments').checkString

local M = {}

--- Whether a path names an existing file (anything but a directory).
-- @example paths.filep '/etc/hostname', paths.filep '/etc' --> true, false
function M.filep(path)
   local mode = lfs.attributes(checkString('paths.filep', 1, path), 'mode')
   return mode ~= nil and mode ~= 'directory'
end

--- Whether a path names an existing directory.
-- @example paths.dirp '/etc' --> true
function M.dirp(path)
   return lfs.attributes(checkString('paths.dirp', 1, path), 'mode') == 'directory'
end

local function list(path)
   if lfs.attributes(path, 'mode') ~= 'directory' then
      return nil
   end
   local readable, iterate, handle = pcall(lfs.dir, path)
   if not readable then
      return nil
   end
   local names = {}
   for name in iterate, handle do
      names[#names + 1] = name
   end
   return names
end

--- The names in a directory, '.' and '..' among them, in the file system's order.
-- @return table; nothing when there is no such directory
function M.dir(path)
   local names = list(checkString('paths.dir', 1, path))
   if names then
      return names
   end
end

-- An iterator over the names in a directory that `include` accepts.
local function each(operation, path, include)
   checkString(operation, 1, path)
   local names = list(path)
   if not names then
      errors.raise(('%s: cannot read directory %s'):format(operation, path))
   end
   local i = 0
   return function()
      repeat
         i = i + 1
      until names[i] == nil or include(names[i])
      return names[i]
   end
end

--- Iterate over the names in a directory, '.' and '..' among them.
-- @param path string
-- @param include optional: a Lua pattern to find in the name, or a function of the name
-- @raise "paths.files: cannot read directory ..."
-- @example
-- io.open('listed.txt', 'w'):close()
-- local found
-- for name in paths.files('.', 'listed%.txt') do found = name end
-- found --> 'listed.txt'
function M.files(path, include)
   if include == nil then
      return each('paths.files', path, function()
         return true
      end)
   elseif type(include) == 'string' then
      return each('paths.files', path, function(name)
         return name:find(include)
      end)
   elseif type(include) ~= 'function' then
      errors.raise('paths.files: argument 2 should be a pattern or a function, got '
         .. type(include))
   end
   return each('paths.files', path, include)
end

--- Iterate over the directories in a directory, without '.' and '..'.
function M.iterdirs(path)
   return each('paths.iterdirs', path, function(name)
      return name ~= '.' and name ~= '..' and M.dirp(path .. '/' .. name)
   end)
end

--- Iterate over the files (all but directories) in a directory.
function M.iterfiles(path)
   return each('paths.iterfiles', path, function(name)
      return M.filep(path .. '/' .. name)
   end)
end

--- Make a directory.
-- @return true; nothing when it cannot be made (it exists, its parent does not, ...)
-- @example
-- paths.mkdir 'made'
-- paths.dirp 'made' --> true
function M.mkdir(path)
   if lfs.mkdir(checkString('paths.mkdir', 1, path)) then
      return true
   end
end

--- Remove an empty directory.
-- @return true, or nothing
function M.rmdir(path)
   if lfs.rmdir(checkString('paths.rmdir', 1, path)) then
      return true
   end
end

-- A symbolic link is removed, what it points to is not.
local function removeTree(path)
   if lfs.symlinkattributes(path, 'mode') ~= 'directory' then
      return os.remove(path)
   end
   for _, name in ipairs(list(path) or {}) do
      if name ~= '.' and name ~= '..' and not removeTree(path .. '/' .. name) then
         return nil
      end
   end
   return lfs.rmdir(path)
end

--- Remove a file, or a directory with all that is in it.
-- @param path string
-- @param really the string 'yes': there is no way back
-- @return true; nothing when something could not be removed
function M.rmall(path, really)
   checkString('paths.rmall', 1, path)
   if really ~= 'yes' then
      errors.raise("paths.rmall: the second argument should be the string 'yes'; nothing removed")
   end
   if removeTree(path) then
      return true
   end
end

ffi.cdef 'int paths_getpid(void) __asm__("getpid");'

local temporary = {} -- names given out, removed when the Lua state is closed
local sentinel, maker -- a child of fork leaves them to its parent

--- A name for a temporary file, which is removed when Lua exits.
-- @raise "paths.tmpname: ..." when the system gives no name
function M.tmpname()
   if not sentinel then
      sentinel = newproxy(true)
      getmetatable(sentinel).__gc = function()
         for _, name in ipairs(maker == ffi.C.paths_getpid() and temporary or {}) do
            os.remove(name)
         end
      end
   end
   local made, name = pcall(os.tmpname)
   if not made then
      errors.raise('paths.tmpname: ' .. name)
   end
   local process = ffi.C.paths_getpid()
   if process ~= maker then
      temporary, maker = {}, process
   end
   temporary[#temporary + 1] = name
   return name
end

return M
