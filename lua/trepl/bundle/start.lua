-- The first file that a bundle (th --bundle) runs: from here on it is as if th had been started
-- with the script. The launcher, lib/bundle, has unpacked everything beside this file.
local ffi = require 'ffi'

ffi.cdef [[
int torch_bundle_setenv(const char *name, const char *value, int overwrite) __asm__("setenv");
int torch_bundle_unsetenv(const char *name) __asm__("unsetenv");
int torch_bundle_prctl(int option, const char *name) __asm__("prctl");
]]
local C = ffi.C
local SET_NAME = 15 -- PR_SET_NAME: what ps and top show

local folder = arg[0]:match '^(.*)/[^/]*$'
local about = dofile(folder .. '/bundle.lua')

-- The loader has read it, and keeps what it says; programs that the script starts get the user's.
local before = os.getenv 'TH_BUNDLE_LIBRARY_PATH'
if before then
   C.torch_bundle_setenv('LD_LIBRARY_PATH', before, 1)
else
   C.torch_bundle_unsetenv 'LD_LIBRARY_PATH'
end
C.torch_bundle_unsetenv 'TH_BUNDLE_LIBRARY_PATH'
if about.openblas then
   C.torch_bundle_setenv('TH_OPENBLAS', ('%s/lib/%s'):format(folder, about.openblas), 0)
end
C.torch_bundle_prctl(SET_NAME, os.getenv 'TH_EXECUTABLE':match '[^/]*$')

package.path = ('%s/lua/?.lua;%s/lua/?/init.lua'):format(folder, folder)
package.cpath = folder .. '/lib/?.so'
table.insert(package.loaders, function(name)
   return ("\n\tnot in this bundle, which was made without: th --bundle ... --add %s"):format(name)
end)

_G.arg = { [0] = arg[0], ('%s/app/%s'):format(folder, about.script), unpack(arg) }
dofile(folder .. '/lua/trepl/main.lua')
