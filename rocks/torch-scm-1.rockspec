rockspec_format = '3.0'
package = 'torch'
version = 'scm-1'

-- Built from a checkout: luarocks make rocks/torch-scm-1.rockspec
source = { url = '.' }

description = {
   summary = 'Tensors, neural networks and a REPL for LuaJIT',
   detailed = [[
      The Torch7 API on a new C++ core: the packages torch, nn, optim and trepl, libTH.so and the
      launcher th. Needs LuaJIT with LuaFileSystem, a C++20 compiler, CMake 3.25, oneDNN and
      OpenBLAS: lib/cmake/debian.sh names Debian's packages. They are not listed as dependencies,
      so that nothing has to be fetched from a rocks server.
   ]],
   license = 'BSD-3-Clause',
}

supported_platforms = { 'linux' }
dependencies = { 'lua >= 5.1, < 5.2' }

-- Not LuaRocks' own cmake type: that one compiles on a single core.
build = {
   type = 'command',
   build_command = [[
      cmake -S . -B build.luarocks -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF \
         -DCMAKE_INSTALL_PREFIX="$(PREFIX)" -DTH_INSTALL_BINDIR="$(BINDIR)" \
         -DTH_INSTALL_LUADIR="$(LUADIR)" -DTH_INSTALL_LIBDIR="$(LIBDIR)" &&
      cmake --build build.luarocks --parallel `nproc`
   ]],
   install_command = 'cmake --install build.luarocks',
}
