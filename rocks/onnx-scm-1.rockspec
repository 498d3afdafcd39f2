-- Written by rocks/tools/write.lua.
rockspec_format = '3.0'
package = 'onnx'
version = 'scm-1'
source = { url = '.' }
description = {
   summary = "Nets for other runtimes, and nets from them",
   license = 'BSD-3-Clause',
}
supported_platforms = { 'linux' }
dependencies = { 'lua >= 5.1, < 5.2', 'torch == scm', 'nn == scm', 'graph == scm', 'nngraph == scm' }
build = {
   type = 'command',
   copy_directories = {},
   build_command = 'bash rocks/tools/build.sh compile onnx "$(PREFIX)"',
   install_command = [[
      bash rocks/tools/build.sh install onnx "$(PREFIX)" "$(LUADIR)" "$(LIBDIR)" "$(BINDIR)"
   ]],
}
