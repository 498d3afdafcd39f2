-- Written by rocks/tools/write.lua.
rockspec_format = '3.0'
package = 'hdf5'
version = 'scm-1'
source = { url = '.' }
description = {
   summary = "HDF5 files, by Debian's libhdf5",
   license = 'BSD-3-Clause',
}
supported_platforms = { 'linux' }
dependencies = { 'lua >= 5.1, < 5.2', 'torch == scm' }
build = {
   type = 'command',
   copy_directories = {},
   build_command = 'bash rocks/tools/build.sh compile hdf5 "$(PREFIX)"',
   install_command = [[
      bash rocks/tools/build.sh install hdf5 "$(PREFIX)" "$(LUADIR)" "$(LIBDIR)" "$(BINDIR)"
   ]],
}
