// Memory for nodes and their kin, which come and go by the million: lists of blocks by size, one
// set for each thread. A block that backward has given back is in the cache still when the next
// call takes it.
#pragma once

#include <cstddef>

namespace th::gradient {

/// bad_alloc where there is none.
void* take_block(size_t bytes);
/// With the same number of bytes.
void give_block(void* block, size_t bytes);

/// Lets `new` and `delete` of a class use them.
struct InBlocks {
  static void* operator new(size_t bytes) { return take_block(bytes); }
  static void operator delete(void* block, size_t bytes) { give_block(block, bytes); }
};

}  // namespace th::gradient
