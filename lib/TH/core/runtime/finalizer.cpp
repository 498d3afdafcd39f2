// What Lua's collector calls for a tensor that nobody can reach any more. A C function of Lua's is
// called some 50 ns sooner than one of the FFI, whose call is interpreted there; a collection calls
// thousands. Lua's interface is found in the process by name, as the core is built without Lua.
#include <dlfcn.h>

#include "TH_account.h"

struct lua_State;

namespace {

const void* (*to_pointer)(lua_State*, int index) = nullptr;

}  // namespace

extern "C" {

bool TH_findLua() {
  to_pointer = reinterpret_cast<decltype(to_pointer)>(dlsym(RTLD_DEFAULT, "lua_topointer"));
  return to_pointer != nullptr;
}

/// For package.loadlib, once TH_findLua has found it.
[[gnu::visibility("default")]] int TH_Tensor_finalize(lua_State* lua) {
  TH_Tensor_release(static_cast<TH_Tensor*>(const_cast<void*>(to_pointer(lua, 1))));
  return 0;
}

}  // extern "C"
