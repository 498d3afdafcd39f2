--- The machine, the user and the programs.
-- @module paths.system
local ffi = require 'ffi'
local lfs = require 'lfs'
local errors = require 'torch.errors'
local checkString = require('paths.arguments').checkString

local M = {}

-- Own names for libc's functions: a program may have declared these itself, with other types.
ffi.cdef [[
int paths_uname(void *) __asm__("uname");
int paths_access(const char *, int) __asm__("access");
long paths_readlink(const char *, char *, size_t) __asm__("readlink");
int paths_executable_path(char *, uint32_t *) __asm__("_NSGetExecutablePath");
]]
local C = ffi.C

local EXECUTABLE = 1 -- X_OK of <unistd.h>

--- The user's home directory.
M.home = os.getenv('HOME') or os.getenv('USERPROFILE') or '.'

--- Whether this is Windows.
function M.is_win()
   return ffi.os == 'Windows'
end

--- Whether this is macOS.
function M.is_mac()
   return ffi.os == 'OSX'
end

--- System, machine and processor.
-- @return strings: system name ('Linux', 'Darwin', ...), network name, processor ('x86_64', ...)
function M.uname()
   if M.is_win() then
      return 'Windows'
   end
   -- struct utsname: sysname, nodename, release, version, machine, each of a fixed width
   local width = M.is_mac() and 256 or 65
   local fields = ffi.new('char[?]', width * 6)
   if C.paths_uname(fields) ~= 0 then
      return ffi.os
   end
   return ffi.string(fields), ffi.string(fields + width), ffi.string(fields + 4 * width)
end

--- Directory of the running Lua executable; nil where the system does not tell.
function M.execdir()
   local size = 4096
   local buffer = ffi.new('char[?]', size)
   local path
   if M.is_mac() then
      if C.paths_executable_path(buffer, ffi.new('uint32_t[1]', size)) == 0 then
         path = ffi.string(buffer)
      end
   else
      local length = tonumber(C.paths_readlink('/proc/self/exe', buffer, size))
      if length > 0 then
         path = ffi.string(buffer, length)
      end
   end
   return path and path:match('^(.*)/[^/]*$')
end

local function isProgram(path)
   return lfs.attributes(path, 'mode') == 'file' and C.paths_access(path, EXECUTABLE) == 0
end

--- Full path of the first of the named programs that is found on PATH.
-- @param ... strings; a name with a slash is taken as a path
-- @return string or nil
-- @example paths.findprogram('sh') ~= nil --> true
function M.findprogram(...)
   for i = 1, select('#', ...) do
      local name = checkString('paths.findprogram', i, (select(i, ...)))
      if name:find('/', 1, true) then
         if isProgram(name) then
            return require('paths.names').concat(name)
         end
      else
         for directory in ((os.getenv('PATH') or '') .. ':'):gmatch('([^:]*):') do
            local path = (directory == '' and lfs.currentdir() or directory) .. '/' .. name
            if isProgram(path) then
               return path
            end
         end
      end
   end
   return nil
end

--- A value of the Windows registry; an error elsewhere.
function M.getregistryvalue()
   errors.raise('paths.getregistryvalue: there is a registry on Windows only')
end

--- Require a module, making the symbols of its shared library visible to libraries loaded later.
function M.require(name)
   checkString('paths.require', 1, name)
   local stem = name:gsub('%.', '/')
   for template in package.cpath:gmatch('[^;]+') do
      local file = template:gsub('%?', stem)
      if lfs.attributes(file, 'mode') == 'file' then
         ffi.load(file, true)
         break
      end
   end
   return require(name)
end

return M
