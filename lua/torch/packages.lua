--- Files of packages: where they lie, and running them.
-- @module torch.packages
local lfs = require 'lfs'
local paths = require 'paths'
local class = require 'torch.class'
local errors = require 'torch.errors'

local M = {}

--- Directory of a package's Lua sources, found as `require` finds the package.
-- @param name string, optional; without it, the directory that holds torch's own
-- @raise "torch.packageLuaPath: no package ..."
-- @example torch.packageLuaPath('torch'):match '[^/]+$' --> 'torch'
function M.packageLuaPath(name)
   if name == nil then
      return (paths.dirname(M.packageLuaPath('torch')))
   elseif type(name) ~= 'string' then
      errors.raise('torch.packageLuaPath: expected a package name, got ' .. type(name))
   end
   local stem = name:gsub('%.', '/')
   for template in package.path:gmatch('[^;]+') do
      local file = template:gsub('%?', (stem:gsub('%%', '%%%%')))
      if lfs.attributes(file, 'mode') == 'file' then
         return (paths.dirname(file))
      end
   end
   errors.raise(('torch.packageLuaPath: no package %s on package.path'):format(name))
end

-- What a file gives, after what its text says it defines has been put back where it did not.
local function done(restore, ...)
   restore()
   return ...
end

-- Before a file runs that may define classes whose names ours give way to.
local function vacate(path)
   local handle = io.open(path)
   if not handle then
      return function() end -- whoever runs it says so
   end
   local text = handle:read '*a'
   handle:close()
   return class.vacate(text or '') -- nil: a directory
end

--- Run a file of a package (torch.include).
-- @return what the file returns
-- @usage torch.include(package, file)
function M.include(package, file)
   local path = M.packageLuaPath(package) .. '/' .. file
   return done(vacate(path), dofile(path))
end

--- Run a file whose name is relative to the calling file's directory (the global `include`).
-- @param file string
-- @param depth number, optional: this many callers further up
-- @return the file's first value
function M.includeHere(file, depth)
   depth = 3 + (depth or 0)
   local path = type(file) == 'string' and paths.thisfile(file, depth) or ''
   -- In parentheses, for a tail call would take this frame off the stack that paths.dofile counts.
   return (done(vacate(path), paths.dofile(file, depth)))
end

return M
