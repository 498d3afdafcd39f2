-- Written by rocks/tools/write.lua.
rockspec_format = '3.0'
package = 'tds'
version = 'scm-1'
source = { url = '.' }
description = {
   summary = "Hash tables and vectors outside of Lua's memory",
   license = 'BSD-3-Clause',
}
supported_platforms = { 'linux' }
dependencies = { 'lua >= 5.1, < 5.2', 'torch == scm' }
build = {
   type = 'command',
   copy_directories = {},
   build_command = 'bash rocks/tools/build.sh compile tds "$(PREFIX)"',
   install_command = [[
      bash rocks/tools/build.sh install tds "$(PREFIX)" "$(LUADIR)" "$(LIBDIR)" "$(BINDIR)"
   ]],
}
