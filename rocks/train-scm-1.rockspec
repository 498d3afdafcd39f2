-- Written by rocks/tools/write.lua.
rockspec_format = '3.0'
package = 'train'
version = 'scm-1'
source = { url = '.' }
description = {
   summary = "Training: a loop, checkpoints, logs, mixed precision",
   license = 'BSD-3-Clause',
}
supported_platforms = { 'linux' }
dependencies = { 'lua >= 5.1, < 5.2', 'torch == scm', 'nn == scm', 'optim == scm', 'dataset == scm', 'distributed == scm' }
build = {
   type = 'command',
   copy_directories = {},
   build_command = 'bash rocks/tools/build.sh compile train "$(PREFIX)"',
   install_command = [[
      bash rocks/tools/build.sh install train "$(PREFIX)" "$(LUADIR)" "$(LIBDIR)" "$(BINDIR)"
   ]],
}
