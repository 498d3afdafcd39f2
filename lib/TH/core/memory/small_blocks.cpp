#include "core/memory/small_blocks.h"

#include <cstdlib>
#include <new>
#include <utility>

#include "core/memory/fault.h"
#include "core/runtime/thread_own.h"

namespace th {
namespace {

constexpr size_t kStep = 32, kClasses = 48;  // up to 1.5 kB
// Bytes that each list keeps: what Lua's collector gives back at once, but nothing where a
// sanitizer looks at each block.
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
TH_THREAD_OWN List* lists = nullptr;  // kClasses of them, once a block was given back
TH_THREAD_OWN bool closed = false;  // the thread ends: what it still has to free goes back at once

struct Closer {
  Closer() { lists = static_cast<List*>(std::calloc(kClasses, sizeof(List))); }
  ~Closer() {
    closed = true;
    drop_blocks();
    std::free(std::exchange(lists, nullptr));
  }
};

[[gnu::cold, gnu::noinline]] bool open() {
  static thread_local const Closer closer;
  return lists != nullptr;
}

}  // namespace

void* take_block(size_t bytes) {
  if (allocation_fails()) {
    throw std::bad_alloc();
  }
  const size_t n = (bytes + kStep - 1) / kStep;
  if (n < kClasses && lists != nullptr && lists[n].first != nullptr) {
    List& list = lists[n];
    Free* block = list.first;
    list.first = block->next;
    --list.count;
    // After a collection blocks are where they were left, in far caches: the next one shall be near
    // when its turn comes.
    const auto next =
        reinterpret_cast<uintptr_t>(list.first);  // 0 after the last: prefetched for nothing
    for (size_t line = 0; line < n * kStep; line += 64) {
      __builtin_prefetch(reinterpret_cast<const void*>(next + line), 1);
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
  if (n < kClasses && !closed && (lists != nullptr || open()) &&
      (lists[n].count + 1) * n * kStep <= kMost) {
    auto* entry = static_cast<Free*>(block);
    entry->next = lists[n].first;
    lists[n].first = entry;
    ++lists[n].count;
  } else {
    std::free(block);
  }
}

void drop_blocks() noexcept {
  for (size_t n = 0; lists != nullptr && n < kClasses; ++n) {
    while (lists[n].first != nullptr) {
      Free* next = lists[n].first->next;
      std::free(lists[n].first);
      lists[n].first = next;
    }
    lists[n].count = 0;
  }
}

}  // namespace th
