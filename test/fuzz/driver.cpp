// Gives libFuzzer's inputs to a Lua module: `one(bytes)` of FUZZ_TARGET raises an error when the
// library does something that it must never do.
//
// Coverage of C++ comes from the instrumented libTH. Lua has none of its own: a hook at every line
// counts the steps from line to line, with LuaJIT's compiler switched off.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

extern "C" {
#include <lauxlib.h>
#include <lua.h>
#include <luajit.h>
#include <lualib.h>
}

#define PACKAGES(ROOT) ROOT "/lua/?.lua;" ROOT "/lua/?/init.lua"

namespace {

constexpr uint32_t kCounters = 1 << 16;
// libFuzzer finds the counters by the name of their section, and clears them before each input.
__attribute__((section("__libfuzzer_extra_counters"))) uint8_t counters[kCounters];

uint32_t previous_line = 0;

/// The same for the same text in every process, unlike its address.
uint32_t hash(const char* text) {
  uint32_t h = 2166136261u;
  for (; *text != '\0'; ++text) {
    h = (h ^ static_cast<uint8_t>(*text)) * 16777619u;
  }
  return h;
}

void count_line(lua_State* L, lua_Debug* record) {
  lua_getinfo(L, "S", record);
  const uint32_t line = hash(record->short_src) + 0x9e3779b1u * record->currentline;
  uint8_t& counter = counters[((previous_line >> 1) ^ line) % kCounters];
  if (counter < UINT8_MAX) {
    ++counter;
  }
  previous_line = line;
}

[[noreturn]] void die(lua_State* L, const char* doing) {
  std::fprintf(stderr, "fuzz: %s: %s\n", doing, lua_tostring(L, -1));
  std::abort();
}

void set_path(lua_State* L, const char* name, const char* ours) {
  lua_getglobal(L, "package");
  lua_getfield(L, -1, name);
  const char* theirs = lua_tostring(L, -1);
  lua_pushfstring(L, "%s;%s", ours, theirs);
  lua_setfield(L, -3, name);
  lua_pop(L, 2);
}

/// A state whose stack holds the function `one`.
lua_State* start() {
  setenv("OMP_NUM_THREADS", "1", 1);
  lua_State* L = luaL_newstate();
  luaL_openlibs(L);
  luaJIT_setmode(L, 0, LUAJIT_MODE_ENGINE | LUAJIT_MODE_OFF);
  set_path(L, "path", FUZZ_SOURCES "/?.lua;" PACKAGES(FUZZ_SOURCES) ";" PACKAGES(FUZZ_BUILD));
  set_path(L, "cpath", FUZZ_BUILD "/lib/?.so");
  lua_getglobal(L, "require");
  lua_pushstring(L, FUZZ_TARGET);
  if (lua_pcall(L, 1, 1, 0) != 0) {
    die(L, "loading " FUZZ_TARGET);
  }
  lua_getfield(L, -1, "one");
  return L;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static lua_State* const L = start();
  previous_line = 0;
  lua_pushvalue(L, -1);
  lua_pushlstring(L, reinterpret_cast<const char*>(data), size);
  lua_sethook(L, count_line, LUA_MASKLINE, 0);
  const int status = lua_pcall(L, 1, 0, 0);
  lua_sethook(L, nullptr, 0, 0);
  if (status != 0) {
    die(L, "finding");
  }
  return 0;
}
