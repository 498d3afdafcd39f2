--- Environment variables of this process, for a while.
local ffi = require 'ffi'
local paths = require 'paths'

local M = {}

ffi.cdef [[
int spec_environment_set(const char *name, const char *value, int overwrite) __asm__("setenv");
int spec_environment_unset(const char *name) __asm__("unsetenv");
]]

local before = {} -- variable -> { value }

--- Set one.
function M.set(name, value)
   before[name] = before[name] or { os.getenv(name) }
   ffi.C.spec_environment_set(name, value, 1)
end

--- What it was before.
function M.restore(name)
   if not before[name] then
      return
   end
   local value = before[name][1]
   before[name] = nil
   if value then
      ffi.C.spec_environment_set(name, value, 1)
   else
      ffi.C.spec_environment_unset(name)
   end
end

local folder

--- A cache of compiled code for these specs alone: `setup(environment.ownCache)`.
function M.ownCache()
   folder = os.tmpname()
   os.remove(folder)
   paths.mkdir(folder)
   M.set('XDG_CACHE_HOME', folder)
end

--- `teardown(environment.withoutOwnCache)`
function M.withoutOwnCache()
   M.restore 'XDG_CACHE_HOME'
   paths.rmall(folder, 'yes')
end

return M
