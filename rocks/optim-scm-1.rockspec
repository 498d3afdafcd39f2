-- Written by rocks/tools/write.lua.
rockspec_format = '3.0'
package = 'optim'
version = 'scm-1'
source = { url = '.' }
description = {
   summary = "Optimisers, schedules, confusion matrices, logs",
   license = 'BSD-3-Clause',
}
supported_platforms = { 'linux' }
dependencies = { 'lua >= 5.1, < 5.2', 'torch == scm', 'nn == scm' }
build = {
   type = 'command',
   copy_directories = {},
   build_command = 'bash rocks/tools/build.sh compile optim "$(PREFIX)"',
   install_command = [[
      bash rocks/tools/build.sh install optim "$(PREFIX)" "$(LUADIR)" "$(LIBDIR)" "$(BINDIR)"
   ]],
}
