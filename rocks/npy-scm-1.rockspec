-- Written by rocks/tools/write.lua.
rockspec_format = '3.0'
package = 'npy'
version = 'scm-1'
source = { url = '.' }
description = {
   summary = "NumPy's files",
   license = 'BSD-3-Clause',
}
supported_platforms = { 'linux' }
dependencies = { 'lua >= 5.1, < 5.2', 'torch == scm' }
build = {
   type = 'command',
   copy_directories = {},
   build_command = 'bash rocks/tools/build.sh compile npy "$(PREFIX)"',
   install_command = [[
      bash rocks/tools/build.sh install npy "$(PREFIX)" "$(LUADIR)" "$(LIBDIR)" "$(BINDIR)"
   ]],
}
