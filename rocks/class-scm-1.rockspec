-- Written by rocks/tools/write.lua.
rockspec_format = '3.0'
package = 'class'
version = 'scm-1'
source = { url = '.' }
description = {
   summary = "Classes with single inheritance, by name",
   license = 'BSD-3-Clause',
}
supported_platforms = { 'linux' }
dependencies = { 'lua >= 5.1, < 5.2' }
build = {
   type = 'command',
   copy_directories = {},
   build_command = 'bash rocks/tools/build.sh compile class "$(PREFIX)"',
   install_command = [[
      bash rocks/tools/build.sh install class "$(PREFIX)" "$(LUADIR)" "$(LIBDIR)" "$(BINDIR)"
   ]],
}
