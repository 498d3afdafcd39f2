#include "core/profile/script_lines.h"

#include <cstring>

#include <dlfcn.h>

struct lua_State;

namespace th::profile {
namespace {

/// As in Lua 5.1's manual, "The Debug Interface"; LuaJIT's is the same.
struct Debug {
  int event;
  const char *name, *namewhat, *what, *source;
  int currentline, nups, linedefined, lastlinedefined;
  char short_src[60];
  int i_ci;
};

struct Lua {
  int (*getstack)(lua_State*, int level, Debug*);
  int (*getinfo)(lua_State*, const char* what, Debug*);
  lua_State* (*tothread)(lua_State*, int index);
};

template <class F>
void find(const char* name, F& function) {
  function = reinterpret_cast<F>(dlsym(RTLD_DEFAULT, name));
}

const Lua& lua() {
  static const Lua functions = [] {
    Lua f{};
    find("lua_getstack", f.getstack);
    find("lua_getinfo", f.getinfo);
    find("lua_tothread", f.tothread);
    return f;
  }();
  return functions;
}

/// The coroutine whose lines this thread's are.
constinit thread_local lua_State* running = nullptr;

/// Where on the stack a frame begins; the other bits tell where the next one does.
int position_of(const Debug& frame) { return frame.i_ci & 0xffff; }

constexpr int kMostLevels = 250;  // of an endless recursion the innermost are enough

}  // namespace

std::string normalized(std::string_view path) {
  std::string r;
  for (size_t i = 0; i < path.size(); ++i) {
    const bool begins = r.empty() || r.back() == '/';
    if (path[i] == '/' && begins && !r.empty()) {
      continue;
    }
    if (path[i] == '.' && begins && i + 1 < path.size() && path[i + 1] == '/') {
      ++i;
      continue;
    }
    r += path[i];
  }
  return r;
}

void ScriptLines::add_library(std::string_view folder) {
  folders_.push_back(normalized(folder));
  sources_.clear();
}

const ScriptLines::Source& ScriptLines::source_of(const char* source, const char* short_name) {
  const auto found = sources_.find(source);
  if (found != sources_.end() && found->second.text == short_name) {
    return found->second;
  }
  bool library = false;
  if (source[0] == '@') {  // only files can be a library's: chunks of text are what users write
    const std::string path = normalized(source + 1);
    for (const std::string& folder : folders_) {
      library = library || path.compare(0, folder.size(), folder) == 0;
    }
  }
  const char* name = names_.try_emplace(short_name, 0).first->first.c_str();
  return sources_[source] = {short_name, name, library};
}

int32_t ScriptLines::place_of(int32_t caller, const Frame& frame) {
  std::string key(reinterpret_cast<const char*>(&caller), sizeof caller);
  key.append(reinterpret_cast<const char*>(&frame.line), sizeof frame.line);
  key.append(frame.source);
  const auto [entry, fresh] = numbers_.try_emplace(std::move(key), 0);
  if (fresh) {
    places_.push_back({frame.source, frame.line, caller});
    entry->second = static_cast<int32_t>(places_.size());
  }
  return entry->second;
}

void ScriptLines::forget_coroutine() { running = nullptr; }

int32_t ScriptLines::here(const Anchor& range) {
  const Lua& l = lua();
  if (running == nullptr || l.getstack == nullptr || l.getinfo == nullptr) {
    return 0;
  }
  frames_.clear();
  int32_t base = 0;
  Debug frame;
  for (int level = 0; level < kMostLevels && l.getstack(running, level, &frame) != 0; ++level) {
    if (range.coroutine == running && position_of(frame) == range.frame) {
      base = range.place;
      break;
    }
    l.getinfo(running, "Sl", &frame);
    if (frame.currentline > 0) {
      const Source& source = source_of(frame.source, frame.short_src);
      if (!source.library) {
        frames_.push_back({source.name, frame.currentline});
      }
    }
  }
  if (frames_ != last_ || base != last_base_) {
    int32_t place = base;
    for (size_t i = frames_.size(); i-- > 0;) {
      place = place_of(place, frames_[i]);
    }
    last_place_ = place;
    last_base_ = base;
    last_ = frames_;
  }
  return last_place_;
}

Anchor ScriptLines::anchor(int32_t place) const {
  constexpr int kCaller = 2;  // 0: the core's function, 1: the function of Lua that calls it
  Debug frame;
  if (running == nullptr || lua().getstack == nullptr ||
      lua().getstack(running, kCaller, &frame) == 0) {
    return {};
  }
  return {running, position_of(frame), place};
}

}  // namespace th::profile

int TH_Profile_coroutine(lua_State* L) {
  const auto tothread = th::profile::lua().tothread;
  lua_State* const given = tothread == nullptr ? nullptr : tothread(L, 1);
  th::profile::running = given != nullptr ? given : L;
  return 0;
}
