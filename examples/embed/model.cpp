#include "model.h"

#include <cstring>

#include <lua.hpp>

namespace {

/// Runs in each state. What is prepared here is called with pointers, which the FFI makes of light
/// userdata: a row's numbers are copied once on the way in and once on the way out.
constexpr const char* kProgram = R"lua(
   local ffi = require 'ffi'
   local torch = require 'torch'
   require 'nn'

   local net, x, y

   local function load(path)
      net = torch.load(path):float()
      net:evaluate()
      x = torch.FloatTensor()
   end

   -- Returns how many numbers there are; `fetch` copies them.
   local function forward(numbers, rows, columns)
      x:resize(rows, columns)
      ffi.copy(x:data(), numbers, rows * columns * ffi.sizeof 'float')
      y = net:forward(x):contiguous()
      return y:nElement()
   end

   local function fetch(numbers)
      ffi.copy(numbers, y:data(), y:nElement() * ffi.sizeof 'float')
   end

   return load, forward, fetch
)lua";

/// Puts the traceback behind the message, where the error is raised.
int with_traceback(lua_State* state) {
  const char* message = lua_tostring(state, 1);
  luaL_traceback(state, state, message != nullptr ? message : "an error that is no text", 1);
  return 1;
}

/// Folders become templates of Lua's search path.
std::string search_path(std::string folders, const char* files) {
  std::string path;
  folders += ':';
  for (size_t begin = 0, end; (end = folders.find(':', begin)) != std::string::npos;
       begin = end + 1) {
    std::string text = files;
    for (size_t at; (at = text.find('@')) != std::string::npos;) {
      text.replace(at, 1, folders, begin, end - begin);
    }
    path += text + ";";
  }
  return path;
}

// What may raise an error of Lua's runs under lua_pcall, and so does all of this.
int open(lua_State* state) {
  luaL_openlibs(state);
  const std::string* paths = static_cast<const std::string*>(lua_touserdata(state, 1));
  lua_getglobal(state, "package");
  for (const char* field : {"path", "cpath"}) {
    lua_pushstring(state, (paths++)->c_str());
    lua_getfield(state, -2, field);
    lua_concat(state, 2);
    lua_setfield(state, -2, field);
  }
  lua_settop(state, 0);
  if (luaL_loadbuffer(state, kProgram, std::strlen(kProgram), "=model") != 0) {
    lua_error(state);
  }
  lua_call(state, 0, 3);
  return 3;
}

// Places in the stack of what is kept.
enum { kTraceback = 1, kLoad, kForward, kFetch };

}  // namespace

void Model::Close::operator()(lua_State* state) const { lua_close(state); }

Model::Model(const std::string& path) : state_(luaL_newstate()) {
  if (state_ == nullptr) {
    throw std::bad_alloc();
  }
  lua_State* state = state_.get();
  std::string paths[] = {search_path(LUATORCH_LUA_DIRS, "@/?.lua;@/?/init.lua"),
                         search_path(LUATORCH_LIB_DIR, "@/?.so")};
  lua_pushcfunction(state, with_traceback);
  lua_pushcfunction(state, open);
  lua_pushlightuserdata(state, paths);
  call(1, 3);
  lua_pushvalue(state, kLoad);
  lua_pushlstring(state, path.data(), path.size());
  call(1, 0);
}

std::vector<float> Model::forward(std::span<const float> x, int64_t columns) {
  if (columns <= 0 || x.empty() || static_cast<int64_t>(x.size()) % columns != 0) {
    throw std::invalid_argument("Model::forward: " + std::to_string(x.size()) +
                                " numbers are no rows of " + std::to_string(columns));
  }
  lua_State* state = state_.get();
  lua_pushvalue(state, kForward);
  lua_pushlightuserdata(state, const_cast<float*>(x.data()));
  lua_pushnumber(state, static_cast<double>(static_cast<int64_t>(x.size()) / columns));
  lua_pushnumber(state, static_cast<double>(columns));
  call(3, 1);
  std::vector<float> y(static_cast<size_t>(lua_tonumber(state, -1)));
  lua_pop(state, 1);
  lua_pushvalue(state, kFetch);
  lua_pushlightuserdata(state, y.data());
  call(1, 0);
  return y;
}

void Model::call(int arguments, int results) {
  lua_State* state = state_.get();
  if (lua_pcall(state, arguments, results, kTraceback) != 0) {
    size_t length = 0;
    const char* text = lua_tolstring(state, -1, &length);
    const std::string message(text != nullptr ? text : "out of memory", text ? length : 13);
    lua_settop(state, lua_gettop(state) - 1);
    throw LuaError(message);
  }
}
