// Who allocated what: the line of the script, and the latest events of a pool. Opt-in.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/memory/block_pool/backend.h"

#pragma GCC visibility push(default)  // for backends in libraries of their own
namespace th {

/// The line of the script this thread is at, e.g. "train.lua:41". The binding sets it before a call
/// while a history is kept; the core never asks the script for it. Empty: unknown.
void set_allocation_line(std::string_view line);
std::string_view allocation_line();

/// The latest events of a pool, the oldest dropping out. The pool's lock protects it.
class PoolHistory {
 public:
  enum class Kind : uint8_t { kAllocate, kFree, kUse, kReserve, kRelease, kOutOfMemory, kMark };
  struct Entry {
    double seconds;  ///< since the history was started
    Kind kind;
    uint32_t line;  ///< see line()
    void* ptr;      ///< kOutOfMemory, kMark: nullptr
    size_t bytes;
    Stream stream;
  };

  /// Keep the latest `entries` from now on; 0 stops and forgets.
  void start(size_t entries);
  bool is_on() const { return capacity_ != 0; }
  /// A number for this thread's line, 0 where it is unknown. Lines are remembered up to a bound.
  uint32_t current_line() noexcept;
  const std::string& line(uint32_t number) const { return lines_[number]; }
  /// Without memory for it an event is left out.
  void add(Kind kind, void* ptr, size_t bytes, Stream stream, uint32_t line) noexcept;
  const std::deque<Entry>& entries() const { return entries_; }

  static const char* name(Kind kind);

 private:
  using Clock = std::chrono::steady_clock;

  size_t capacity_ = 0;
  Clock::time_point start_;
  std::deque<Entry> entries_;
  std::vector<std::string> lines_{""};
  std::unordered_map<std::string, uint32_t> numbers_;
};

}  // namespace th

#pragma GCC visibility pop
