-- Written by rocks/tools/write.lua.
rockspec_format = '3.0'
package = 'torch'
version = 'scm-1'
source = { url = '.' }
description = {
   summary = "Tensors, and th: the prompt that runs Torch7 scripts",
   license = 'BSD-3-Clause',
}
supported_platforms = { 'linux' }
dependencies = { 'lua >= 5.1, < 5.2' }
build = {
   type = 'command',
   copy_directories = {},
   build_command = 'bash rocks/tools/build.sh compile torch "$(PREFIX)"',
   install_command = [[
      bash rocks/tools/build.sh install torch "$(PREFIX)" "$(LUADIR)" "$(LIBDIR)" "$(BINDIR)"
   ]],
}
hooks = { post_install = 'bash "$(PREFIX)/debian.sh" --check torch run || true' }
