// Who is told of memory that storages take and give back.
#pragma once

#include "core/memory/storage.h"
#include "core/runtime/thread_own.h"

namespace th {

/// Of one thread. `bytes` is less than 0 when the memory at `block` goes.
struct MemoryWatcher {
  void (*changed)(void* context, const Storage& s, const void* block, int64_t bytes) noexcept;
  void* context;
};

TH_THREAD_OWN inline MemoryWatcher memory_watcher{};

inline void tell_memory(const Storage& s, const void* block, int64_t bytes) {
  if (memory_watcher.changed != nullptr) [[unlikely]] {
    memory_watcher.changed(memory_watcher.context, s, block, bytes);
  }
}

}  // namespace th
