#include "core/memory/block_pool/history.h"

#include <new>

namespace th {
namespace {

thread_local std::string current_allocation_line;

/// Scripts have fewer lines that allocate; made-up ones must not fill the memory.
constexpr size_t kMaxLines = 1 << 16;

}  // namespace

void set_allocation_line(std::string_view line) { current_allocation_line = line; }
std::string_view allocation_line() { return current_allocation_line; }

void PoolHistory::start(size_t entries) {
  capacity_ = entries;
  entries_.clear();
  start_ = Clock::now();
}

uint32_t PoolHistory::current_line() noexcept try {
  if (current_allocation_line.empty()) {
    return 0;
  }
  const auto known = numbers_.find(current_allocation_line);
  if (known != numbers_.end()) {
    return known->second;
  }
  if (lines_.size() >= kMaxLines) {
    return 0;
  }
  const auto [added, _] = numbers_.emplace(current_allocation_line, 0);  // 0: should this be all
  lines_.push_back(current_allocation_line);
  return added->second = uint32_t(lines_.size() - 1);
} catch (const std::bad_alloc&) {
  return 0;
}

void PoolHistory::add(Kind kind, void* ptr, size_t bytes, Stream stream, uint32_t line) noexcept
    try {
  if (entries_.size() == capacity_) {
    entries_.pop_front();
  }
  const std::chrono::duration<double> seconds = Clock::now() - start_;
  entries_.push_back({seconds.count(), kind, line, ptr, bytes, stream});
} catch (const std::bad_alloc&) {
}

const char* PoolHistory::name(Kind kind) {
  switch (kind) {
    case Kind::kAllocate:
      return "allocate";
    case Kind::kFree:
      return "free";
    case Kind::kUse:
      return "use";
    case Kind::kReserve:
      return "reserve";
    case Kind::kRelease:
      return "release";
    case Kind::kOutOfMemory:
      return "out of memory";
    case Kind::kMark:
      return "mark";
  }
  return "";
}

}  // namespace th
