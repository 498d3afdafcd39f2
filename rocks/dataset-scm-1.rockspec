-- Written by rocks/tools/write.lua.
rockspec_format = '3.0'
package = 'dataset'
version = 'scm-1'
source = { url = '.' }
description = {
   summary = "Data sets, samplers, augmentation, tokenisers, a loader with worker threads",
   license = 'BSD-3-Clause',
}
supported_platforms = { 'linux' }
dependencies = { 'lua >= 5.1, < 5.2', 'torch == scm', 'threads == scm', 'image == scm', 'npy == scm', 'hdf5 == scm' }
build = {
   type = 'command',
   copy_directories = {},
   build_command = 'bash rocks/tools/build.sh compile dataset "$(PREFIX)"',
   install_command = [[
      bash rocks/tools/build.sh install dataset "$(PREFIX)" "$(LUADIR)" "$(LIBDIR)" "$(BINDIR)"
   ]],
}
