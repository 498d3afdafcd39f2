-- Written by rocks/tools/write.lua.
rockspec_format = '3.0'
package = 'pth'
version = 'scm-1'
source = { url = '.' }
description = {
   summary = "PyTorch's files of tensors",
   license = 'BSD-3-Clause',
}
supported_platforms = { 'linux' }
dependencies = { 'lua >= 5.1, < 5.2', 'torch == scm', 'npy == scm' }
build = {
   type = 'command',
   copy_directories = {},
   build_command = 'bash rocks/tools/build.sh compile pth "$(PREFIX)"',
   install_command = [[
      bash rocks/tools/build.sh install pth "$(PREFIX)" "$(LUADIR)" "$(LIBDIR)" "$(BINDIR)"
   ]],
}
