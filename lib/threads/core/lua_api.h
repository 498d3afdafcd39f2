// What is used of Lua's C API, found in the process: the program `luajit` brings its own copy, as a
// program that embeds LuaJIT does, and no header or library has to be there for the build.
#pragma once

#include <cstddef>

struct lua_State;
struct lua_Debug;

namespace threads::lua {

inline constexpr int kMultipleResults = -1;
inline constexpr int kHookMask = 1 | 2 | 8;  // calls, returns, counts
inline constexpr size_t kDebugBytes = 256;   // more than lua_Debug has
enum Type { kNil, kBoolean, kLightUserdata, kNumber, kString, kTable, kCdata = 10 };
using Hook = void (*)(lua_State*, lua_Debug*);

struct Api {
  lua_State* (*newstate)();
  void (*openlibs)(lua_State*);
  void (*close)(lua_State*);
  int (*loadbuffer)(lua_State*, const char* code, size_t length, const char* name);
  int (*pcall)(lua_State*, int arguments, int results, int handler);
  void (*pushlightuserdata)(lua_State*, void*);
  void (*pushnumber)(lua_State*, double);
  void (*pushcclosure)(lua_State*, int (*)(lua_State*), int upvalues);
  const char* (*tolstring)(lua_State*, int index, size_t* length);
  void (*settop)(lua_State*, int);
  int (*gettop)(lua_State*);
  int (*checkstack)(lua_State*, int);
  int (*type)(lua_State*, int index);
  int (*toboolean)(lua_State*, int index);
  double (*tonumber)(lua_State*, int index);
  const void* (*topointer)(lua_State*, int index);
  void (*pushnil)(lua_State*);
  void (*pushboolean)(lua_State*, int);
  void (*pushlstring)(lua_State*, const char*, size_t);
  void (*pushvalue)(lua_State*, int index);
  void (*createtable)(lua_State*, int array, int hash);
  int (*getmetatable)(lua_State*, int index);
  void (*rawset)(lua_State*, int table);
  size_t (*objlen)(lua_State*, int index);
  int (*next)(lua_State*, int table);
  void (*call)(lua_State*, int arguments, int results);
  void (*traceback)(lua_State*, lua_State* of, const char* message, int level);
  int (*sethook)(lua_State*, Hook, int mask, int count);
  int (*getstack)(lua_State*, int level, lua_Debug*);
  int (*error)(lua_State*, const char* format, ...);
};

/// Fails, with a remedy, where there is no LuaJIT in the process.
const Api& api();

}  // namespace threads::lua
