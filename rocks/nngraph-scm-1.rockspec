-- Written by rocks/tools/write.lua.
rockspec_format = '3.0'
package = 'nngraph'
version = 'scm-1'
source = { url = '.' }
description = {
   summary = "Networks written as graphs of calls",
   license = 'BSD-3-Clause',
}
supported_platforms = { 'linux' }
dependencies = { 'lua >= 5.1, < 5.2', 'torch == scm', 'nn == scm', 'graph == scm' }
build = {
   type = 'command',
   copy_directories = {},
   build_command = 'bash rocks/tools/build.sh compile nngraph "$(PREFIX)"',
   install_command = [[
      bash rocks/tools/build.sh install nngraph "$(PREFIX)" "$(LUADIR)" "$(LIBDIR)" "$(BINDIR)"
   ]],
}
