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

-- What LuaJIT has in package.loaded for a module that is being loaded. It stays there when that
-- fails, and the next require says no more than "loop or previous error".
local mark
do
   local name = 'torch.packages.mark'
   package.preload[name] = error
   pcall(require, name)
   mark, package.loaded[name], package.preload[name] = package.loaded[name], nil, nil
end

--- The modules that are being loaded, or failed to be.
-- @return set of names
function M.unfinished()
   local names = {}
   for name, value in pairs(package.loaded) do
      if rawequal(value, mark) then
         names[name] = true
      end
   end
   return names
end

--- Have modules that failed loaded anew by the next require, which says again why it fails.
-- @param before what unfinished() gave before they were required: those may still be loaded
function M.forgetFailed(before)
   for name in pairs(M.unfinished()) do
      if not before[name] then
         package.loaded[name] = nil
      end
   end
end

--- pcall(require, name), with the reason of a failure each time, and not the first time only.
function M.try(name)
   local before = M.unfinished()
   local ok, result = pcall(require, name)
   if not ok then
      M.forgetFailed(before)
   end
   return ok, result
end

return M
