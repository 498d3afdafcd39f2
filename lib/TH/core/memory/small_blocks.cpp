#include "core/memory/small_blocks.h"

#include <cstdlib>
#include <new>

#include "core/memory/fault.h"

namespace th {
namespace {

constexpr size_t kStep = 32, kClasses = 48;  // up to 1.5 kB
// Bytes that each list keeps: what Lua's collector gives back at once, but nothing where a sanitizer
// looks at each block.
#ifdef __SANITIZE_ADDRESS__
constexpr size_t kMost = 0;
#else
constexpr size_t kMost = size_t(4) << 20;
#endif

struct Free {
  Free* next;
};
struct List {
  Free* first;
  size_t count;
};
thread_local List lists[kClasses];
thread_local bool closed = false;  // the thread ends; what it still has to free goes back at once

struct Closer {
  bool used = false;
  ~Closer() {
    closed = true;
    drop_blocks();
  }
};
thread_local Closer closer;

}  // namespace

void* take_block(size_t bytes) {
  if (allocation_fails()) {
    throw std::bad_alloc();
  }
  const size_t n = (bytes + kStep - 1) / kStep;
  if (n < kClasses && lists[n].first != nullptr) {
    List& list = lists[n];
    Free* block = list.first;
    list.first = block->next;
    --list.count;
    // After a collection blocks are where they were left, in far caches: the next one shall be near
    // when its turn comes.
    for (size_t line = 0; line < n * kStep; line += 64) {
      __builtin_prefetch(reinterpret_cast<char*>(list.first) + line, 1);
    }
    return block;
  }
  void* block = std::malloc(n * kStep);
  if (block == nullptr) {
    drop_blocks();
    block = std::malloc(n * kStep);
  }
  if (block == nullptr) {
    throw std::bad_alloc();
  }
  return block;
}

void give_block(void* block, size_t bytes) {
  const size_t n = (bytes + kStep - 1) / kStep;
  if (n < kClasses && (lists[n].count + 1) * n * kStep <= kMost && !closed) {
    closer.used = true;  // makes the thread know it
    auto* entry = static_cast<Free*>(block);
    entry->next = lists[n].first;
    lists[n].first = entry;
    ++lists[n].count;
  } else {
    std::free(block);
  }
}

void drop_blocks() noexcept {
  for (List& list : lists) {
    while (list.first != nullptr) {
      Free* next = list.first->next;
      std::free(list.first);
      list.first = next;
    }
    list.count = 0;
  }
}

}  // namespace th
