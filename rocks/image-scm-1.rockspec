-- Written by rocks/tools/write.lua.
rockspec_format = '3.0'
package = 'image'
version = 'scm-1'
source = { url = '.' }
description = {
   summary = "Pictures: files, changes of size and colour, filters",
   license = 'BSD-3-Clause',
}
supported_platforms = { 'linux' }
dependencies = { 'lua >= 5.1, < 5.2', 'torch == scm', 'dok == scm' }
build = {
   type = 'command',
   copy_directories = {},
   build_command = 'bash rocks/tools/build.sh compile image "$(PREFIX)"',
   install_command = [[
      bash rocks/tools/build.sh install image "$(PREFIX)" "$(LUADIR)" "$(LIBDIR)" "$(BINDIR)"
   ]],
}
