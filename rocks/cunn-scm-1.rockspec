-- Written by rocks/tools/write.lua.
rockspec_format = '3.0'
package = 'cunn'
version = 'scm-1'
source = { url = '.' }
description = {
   summary = "Networks on CUDA devices, several at a time",
   license = 'BSD-3-Clause',
}
supported_platforms = { 'linux' }
dependencies = { 'lua >= 5.1, < 5.2', 'torch == scm', 'nn == scm', 'cutorch == scm' }
build = {
   type = 'command',
   copy_directories = {},
   build_command = 'bash rocks/tools/build.sh compile cunn "$(PREFIX)"',
   install_command = [[
      bash rocks/tools/build.sh install cunn "$(PREFIX)" "$(LUADIR)" "$(LIBDIR)" "$(BINDIR)"
   ]],
}
