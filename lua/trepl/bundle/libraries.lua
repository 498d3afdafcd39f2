--- Shared libraries of a bundle: those of LuaTorch, and what they are linked with, but for glibc.
-- @module trepl.bundle.libraries
local ffi = require 'ffi'

local M = {}

-- glibc's own, which work with the kernel's and the loader's of one machine only.
local GLIBC = { 'ld%-linux', 'libc', 'libm', 'libmvec', 'libdl', 'libpthread', 'librt', 'libutil',
   'libresolv', 'libanl', 'libnsl', 'libthread_db', 'libBrokenLocale', 'linux%-vdso',
   'linux%-gate' }

local function is_glibc(name)
   for _, stem in ipairs(GLIBC) do
      if name:find('^' .. stem .. '[%.%-]') then
         return true
      end
   end
   return false
end

local function quoted(text)
   return "'" .. text:gsub("'", "'\\''") .. "'"
end

local function lines_of(command)
   local pipe = assert(io.popen(command))
   local text = pipe:read '*a'
   pipe:close()
   return text:gmatch '[^\n]+'
end

--- Name -> path of all that a program or library is linked with, directly or not, as the loader
-- finds it here.
function M.linked(path)
   local found = {}
   for line in lines_of('LC_ALL=C ldd ' .. quoted(path) .. ' 2>/dev/null') do
      local name, target = line:match '^%s*(%S+) => (.-)%s*%(0x%x+%)$'
      local missing = line:match '^%s*(%S+) => not found'
      if missing then
         error(('%s is linked with %s, which is not installed here'):format(path, missing), 0)
      elseif name and not is_glibc(name:match '[^/]*$') then
         found[name] = target
      end
   end
   return found
end

--- Where a library lies that the loader finds by its name; nil: nowhere.
function M.find(name)
   if not pcall(ffi.load, name) then
      return nil
   end
   for line in io.lines '/proc/self/maps' do
      local path = line:match '%s(/%S+)$'
      if path and path:match '[^/]*$' == name then
         return path
      end
   end
   for line in lines_of 'PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null' do
      local known, path = line:match '^%s*(%S+) .-=> (/.+)$' -- mapped by another name: a link's
      if known == name then
         return path
      end
   end
   return nil
end

return M
