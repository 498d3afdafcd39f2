-- Written by rocks/tools/write.lua.
rockspec_format = '3.0'
package = 'cudnn'
version = 'scm-1'
source = { url = '.' }
description = {
   summary = "nn's layers under cuDNN's names",
   license = 'BSD-3-Clause',
}
supported_platforms = { 'linux' }
dependencies = { 'lua >= 5.1, < 5.2', 'torch == scm', 'nn == scm', 'cutorch == scm', 'cunn == scm' }
build = {
   type = 'command',
   copy_directories = {},
   build_command = 'bash rocks/tools/build.sh compile cudnn "$(PREFIX)"',
   install_command = [[
      bash rocks/tools/build.sh install cudnn "$(PREFIX)" "$(LUADIR)" "$(LIBDIR)" "$(BINDIR)"
   ]],
}
