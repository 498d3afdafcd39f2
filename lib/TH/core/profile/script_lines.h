// Which lines of the script a call comes from, asked of Lua's debug interface. The core is built
// without Lua: the functions are found in the process, and where there are none, nothing is known.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "TH_profile.h"

namespace th::profile {

/// A frame of Lua's stack that stays until a range ends, and where the script was below it: no need
/// to look at those frames again.
struct Anchor {
  const void* coroutine = nullptr;
  int frame = 0;
  int32_t place = 0;
};

/// Places are stacks of lines: each knows its caller's. Compiled code has no stack that can be
/// looked at, so the caller sees to it that Lua is interpreted.
class ScriptLines {
 public:
  /// Code in files below the folder is passed over.
  void add_library(std::string_view folder);
  /// Of this thread: until TH_Profile_coroutine tells the next one, lines are unknown.
  static void forget_coroutine();
  /// Where the script is now, within the innermost range, if there is one; 0: unknown.
  int32_t here(const Anchor& range = {});
  /// For a range that the caller of Lua's calling function begins.
  Anchor anchor(int32_t place) const;
  const std::vector<TH_ProfilePlace>& places() const { return places_; }

 private:
  struct Source {
    std::string text;  // what it was called when it was looked at: addresses are used again
    const char* name;
    bool library;
  };
  struct Frame {
    const char* source;
    int line;
    bool operator==(const Frame&) const = default;
  };
  const Source& source_of(const char* source, const char* short_name);
  int32_t place_of(int32_t caller, const Frame& frame);

  std::vector<std::string> folders_;
  std::unordered_map<const char*, Source> sources_;
  std::unordered_map<std::string, int> names_;  // keys stay where they are
  std::vector<TH_ProfilePlace> places_;
  std::unordered_map<std::string, int32_t> numbers_;
  std::vector<Frame> frames_, last_;  // the innermost first
  int32_t last_base_ = 0, last_place_ = 0;
};

/// One spelling for the several that a search path can give the same file.
std::string normalized(std::string_view path);

}  // namespace th::profile
