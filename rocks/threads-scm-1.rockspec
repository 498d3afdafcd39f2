-- Written by rocks/tools/write.lua.
rockspec_format = '3.0'
package = 'threads'
version = 'scm-1'
source = { url = '.' }
description = {
   summary = "Threads that each run a Lua state, and share tensors",
   license = 'BSD-3-Clause',
}
supported_platforms = { 'linux' }
dependencies = { 'lua >= 5.1, < 5.2', 'torch == scm' }
build = {
   type = 'command',
   copy_directories = {},
   build_command = 'bash rocks/tools/build.sh compile threads "$(PREFIX)"',
   install_command = [[
      bash rocks/tools/build.sh install threads "$(PREFIX)" "$(LUADIR)" "$(LIBDIR)" "$(BINDIR)"
   ]],
}
