-- Written by rocks/tools/write.lua.
rockspec_format = '3.0'
package = 'env'
version = 'scm-1'
source = { url = '.' }
description = {
   summary = "The globals that Torch7's th set up",
   license = 'BSD-3-Clause',
}
supported_platforms = { 'linux' }
dependencies = { 'lua >= 5.1, < 5.2', 'torch == scm', 'dok == scm' }
build = {
   type = 'command',
   copy_directories = {},
   build_command = 'bash rocks/tools/build.sh compile env "$(PREFIX)"',
   install_command = [[
      bash rocks/tools/build.sh install env "$(PREFIX)" "$(LUADIR)" "$(LIBDIR)" "$(BINDIR)"
   ]],
}
