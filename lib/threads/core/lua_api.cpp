#include "core/lua_api.h"

#include <dlfcn.h>

#include "core/runtime/error.h"

namespace threads::lua {
namespace {

template <class F>
void find(void* library, const char* name, F& function) {
  void* address = dlsym(RTLD_DEFAULT, name);
  if (address == nullptr && library != nullptr) {
    address = dlsym(library, name);
  }
  TH_CHECK(
      address != nullptr, "Lua's function ", name,
      " is not in this process: the program that runs Lua hides it; start scripts with `th` or "
      "`luajit`, or link the program with -rdynamic");
  function = reinterpret_cast<F>(address);
}

Api load() {
  // Both of Debian's LuaJITs have this name. Only where the program itself does not show Lua.
  void* library = dlsym(RTLD_DEFAULT, "luaL_newstate") != nullptr
                      ? nullptr
                      : dlopen("libluajit-5.1.so.2", RTLD_NOW | RTLD_LOCAL);
  Api a{};
  find(library, "luaL_newstate", a.newstate);
  find(library, "luaL_openlibs", a.openlibs);
  find(library, "lua_close", a.close);
  find(library, "luaL_loadbuffer", a.loadbuffer);
  find(library, "lua_pcall", a.pcall);
  find(library, "lua_pushlightuserdata", a.pushlightuserdata);
  find(library, "lua_pushnumber", a.pushnumber);
  find(library, "lua_pushcclosure", a.pushcclosure);
  find(library, "lua_tolstring", a.tolstring);
  find(library, "lua_settop", a.settop);
  find(library, "lua_gettop", a.gettop);
  find(library, "lua_checkstack", a.checkstack);
  find(library, "lua_type", a.type);
  find(library, "lua_toboolean", a.toboolean);
  find(library, "lua_tonumber", a.tonumber);
  find(library, "lua_topointer", a.topointer);
  find(library, "lua_pushnil", a.pushnil);
  find(library, "lua_pushboolean", a.pushboolean);
  find(library, "lua_pushlstring", a.pushlstring);
  find(library, "lua_pushvalue", a.pushvalue);
  find(library, "lua_createtable", a.createtable);
  find(library, "lua_getmetatable", a.getmetatable);
  find(library, "lua_rawset", a.rawset);
  find(library, "lua_objlen", a.objlen);
  find(library, "lua_next", a.next);
  find(library, "lua_call", a.call);
  find(library, "luaL_traceback", a.traceback);
  find(library, "lua_sethook", a.sethook);
  find(library, "lua_getstack", a.getstack);
  find(library, "luaL_error", a.error);
  return a;
}

}  // namespace

const Api& api() {
  static const Api instance = load();
  return instance;
}

}  // namespace threads::lua
