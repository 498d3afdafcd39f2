// A run of memory as the pool and its users see it.
#pragma once

#include <cstdint>
#include <forward_list>

#include "core/memory/block_pool/backend.h"

namespace th {

struct Segment;

/// A stream other than the owner's that a block was used on, and since the block was freed the
/// event its use ends with.
struct StreamUse {
  Stream stream;
  Event event;
  uint64_t order;  // of two events of one stream the later covers the earlier
};

/// A run of memory, live or free. Whoever allocated it reads ptr and bytes; the rest is the pool's.
struct Block {
  enum class State : uint8_t { kLive, kFree, kUnmapped };

  void* ptr;         ///< aligned to the pool's granule
  size_t bytes;      ///< at least what was asked for
  size_t requested;  ///< what was asked for
  Segment* segment;
  Block* previous;  // neighbours by address within the segment
  Block* next;
  Block* previous_free;  // neighbours in the bin, or among the unmapped
  Block* next_free;
  std::forward_list<StreamUse> uses;  // a list, so that merging blocks takes no memory
  uint32_t line;                      // see PoolHistory
  State state;

  bool is_free() const { return state == State::kFree; }
  char* begin() const { return static_cast<char*>(ptr); }
  char* end() const { return begin() + bytes; }
};

}  // namespace th
