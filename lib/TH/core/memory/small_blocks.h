// Memory for what comes and goes by the million (storages of small tensors, nodes of the record and
// their kin): lists of blocks by size, one set for each thread. A block that was given back is in
// the cache still when the next call takes it, and a collection of Lua's, which gives back hundreds
// at once, overflows no list as it does malloc's (seven of each size).
#pragma once

#include <cstddef>

namespace th {

/// bad_alloc where there is none.
void* take_block(size_t bytes);
/// With the same number of bytes, by any thread.
void give_block(void* block, size_t bytes);

/// Those of this thread that nobody uses go back to the system.
void drop_blocks() noexcept;

/// Lets `new` and `delete` of a class use them.
struct InBlocks {
  static void* operator new(size_t bytes) { return take_block(bytes); }
  static void operator delete(void* block, size_t bytes) { give_block(block, bytes); }
};

}  // namespace th
