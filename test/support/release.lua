--- A release of what is built (rocks/tools/release.sh), made once in a run of the specs, in the
-- folder `release` of the build; and commands that know nothing of sources and build.
local lfs = require 'lfs'
local shell = require 'test.support.shell'

local M = {}

M.build = assert(os.getenv 'TH_EXECUTABLE'):gsub('/bin/th$', '')

-- The programs without which there is nothing to try; lib/cmake/debian.sh pack installs them.
local function obstacle()
   if os.getenv 'LD_PRELOAD' then
      return "the sanitizers' libraries must be preloaded"
   elseif not lfs.attributes(M.build .. '/CPackConfig.cmake') then
      return 'not a build folder: ' .. M.build
   end
   for _, name in ipairs { 'luarocks', 'luarocks-admin', 'cpack', 'dpkg-shlibdeps' } do
      if os.execute(('command -v %s >/dev/null'):format(name)) ~= 0 then
         return name .. ' is not installed'
      end
   end
end

local why_not = obstacle()

--- What stands for busted's `it`, which is there in specs only: that, or pending with the reason.
function M.it(it, pending)
   return function(name, f)
      if why_not then
         pending(name .. ': ' .. why_not)
      else
         it(name, f)
      end
   end
end

local folder

--- The folder of the release; nil where none can be made.
function M.folder()
   if why_not or folder then
      return folder
   end
   local path = M.build .. '/release'
   local build, quoted = shell.quoted(M.build), shell.quoted(path)
   local output, status = shell.run(('rm -rf %s && env -i HOME=%s TH_BUILD=%s '
      .. 'PATH=/usr/sbin:/usr/bin:/sbin:/bin '
      .. "CPACK_OPTIONS='-D CPACK_DEBIAN_COMPRESSION_TYPE=gzip' "
      .. 'bash rocks/tools/release.sh %s'):format(quoted, build, build, quoted))
   assert(status == 0, output)
   folder = path
   return folder
end

--- Run a command with nothing in the environment, far from the sources.
-- @param home string: the folder for HOME and temporary files, and for programs, in `bin`, that
-- come before the system's
-- @return what it printed, its status
function M.alone(home, command)
   local path = home .. '/bin:/usr/sbin:/usr/bin:/sbin:/bin'
   return shell.run(('cd / && env -i HOME=%s TMPDIR=%s PATH=%s %s'):format(home, home, path,
      command))
end

return M
