--- Write the rockspecs.
--
--     luajit rocks/tools/write.lua                  rocks/NAME-scm-1.rockspec, for a checkout
--     luajit rocks/tools/write.lua FOLDER URL       FOLDER/NAME-VERSION-1.rockspec, for a release:
--                                                   its sources are the archive at URL
--
-- VERSION is that of CMakeLists.txt. The rocks of a release want each other in that version.
-- @script write
local here = arg[0]:match '^(.*)/[^/]*$' or '.'
local root = here .. '/../..'
local packages = dofile(here .. '/packages.lua')

local HEAD = [=[
-- Written by rocks/tools/write.lua.
rockspec_format = '3.0'
package = '%s'
version = '%s-1'
source = { %s }
description = {
   summary = %q,
   license = 'BSD-3-Clause',
}
supported_platforms = { 'linux' }
dependencies = { %s }
]=]

local FILES = [=[
build = {
   type = 'command',
   copy_directories = {},
   build_command = 'bash rocks/tools/build.sh compile %s "$(PREFIX)"',
   install_command = [[
      bash rocks/tools/build.sh install %s "$(PREFIX)" "$(LUADIR)" "$(LIBDIR)" "$(BINDIR)"
   ]],
}
]=]

local EMPTY = "build = { type = 'none', copy_directories = {} }\n"

-- Debian's packages are no dependencies of LuaRocks: after an installation, of a binary rock too, a
-- sentence says which are missing.
local HOOK = [=[
hooks = { post_install = 'bash "$(PREFIX)/debian.sh" --check torch run || true' }
]=]

local function read(path)
   local file = assert(io.open(path))
   local text = file:read '*a'
   file:close()
   return text
end

local function write(path, text)
   local file = assert(io.open(path, 'w'))
   assert(file:write(text))
   assert(file:close())
end

local function rockspec(package, version, source)
   local name, summary, needs = unpack(package)
   local dependencies = { "'lua >= 5.1, < 5.2'" }
   for _, need in ipairs(needs) do
      dependencies[#dependencies + 1] = ("'%s == %s'"):format(need, version)
   end
   local text = HEAD:format(name, version, source, summary, table.concat(dependencies, ', '))
   if package.empty then
      return text .. EMPTY
   end
   return text .. FILES:format(name, name) .. (name == 'torch' and HOOK or '')
end

local folder, url = arg[1], arg[2]
local version, source = 'scm', "url = '.'"
if folder then
   assert(url, 'usage: write.lua [FOLDER URL]')
   version = assert(read(root .. '/CMakeLists.txt'):match 'project%(LuaTorch VERSION ([%d.]+)')
   source = ("url = '%s', dir = 'luatorch-%s'"):format(url, version)
end
for _, package in ipairs(packages) do
   write(('%s/%s-%s-1.rockspec'):format(folder or here .. '/..', package[1], version),
      rockspec(package, version, source))
end
