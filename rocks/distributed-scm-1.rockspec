-- Written by rocks/tools/write.lua.
rockspec_format = '3.0'
package = 'distributed'
version = 'scm-1'
source = { url = '.' }
description = {
   summary = "Processes that train together, by MPI",
   license = 'BSD-3-Clause',
}
supported_platforms = { 'linux' }
dependencies = { 'lua >= 5.1, < 5.2', 'torch == scm', 'nn == scm', 'optim == scm' }
build = {
   type = 'command',
   copy_directories = {},
   build_command = 'bash rocks/tools/build.sh compile distributed "$(PREFIX)"',
   install_command = [[
      bash rocks/tools/build.sh install distributed "$(PREFIX)" "$(LUADIR)" "$(LIBDIR)" "$(BINDIR)"
   ]],
}
