--- File names taken apart and put together; nothing here looks at the disk.
-- @module paths.names
local lfs = require 'lfs'
local checkString = require('paths.arguments').checkString

local M = {}

--- The full path of the current directory.
-- @example paths.dirp(paths.cwd()) --> true
function M.cwd()
   return (lfs.currentdir())
end

-- '/a//b/' -> '/a//b'; '/' and '///' stay a root.
local function withoutTrailingSlashes(path)
   local bare = path:gsub('/+$', '')
   return (bare == '' and path ~= '') and '/' or bare
end

--- The last component of a path, as the shell command of this name gives it.
-- @param path string
-- @param suffix string, optional: stripped from the end, with or without its leading dot
-- @example paths.basename('/data/set.t7', 't7') --> 'set'
function M.basename(path, suffix)
   path = withoutTrailingSlashes(checkString('paths.basename', 1, path))
   local name = path:match('[^/]+$') or path
   if suffix ~= nil then
      suffix = '.' .. checkString('paths.basename', 2, suffix):gsub('^%.', '')
      if #name > #suffix and name:sub(-#suffix) == suffix then
         name = name:sub(1, -#suffix - 1)
      end
   end
   return name
end

--- The directory a path lies in, as the shell command of this name gives it: '/a' for '/a/b/'.
-- @example paths.dirname '/a/b.txt' --> '/a'
function M.dirname(path)
   path = withoutTrailingSlashes(checkString('paths.dirname', 1, path))
   if path == '/' then
      return '/'
   end
   local directory = path:match('^(.*)/[^/]*$')
   return directory and withoutTrailingSlashes(directory .. '/') or '.'
end

--- The extension of a path's last component, without its dot; nothing when there is none.
-- @example paths.extname 'b.txt' --> 'txt'
function M.extname(path)
   local name = M.basename(path)
   local extension = name:match('^.+%.([^.]+)$')
   if extension then
      return extension
   end
end

local function isAbsolute(path)
   return path:sub(1, 1) == '/'
end

-- Resolve '.', '..' and doubled slashes by the text alone.
local function normalize(path)
   local parts = {}
   for part in path:gmatch('[^/]+') do
      if part == '..' then
         parts[#parts] = nil
      elseif part ~= '.' then
         parts[#parts + 1] = part
      end
   end
   return '/' .. table.concat(parts, '/')
end

--- An absolute, normalised path: each argument is taken relative to what those before it give, and
-- the first relative to the current directory.
-- @example paths.concat('/home/me', 'data', '../train.t7') --> '/home/me/train.t7'
function M.concat(...)
   local path = M.cwd()
   for i = 1, select('#', ...) do
      local part = checkString('paths.concat', i, (select(i, ...)))
      path = isAbsolute(part) and part or path .. '/' .. part
   end
   return normalize(path)
end

return M
