// Work on several threads whose parts need memory and may be left undone.
#pragma once

#include <atomic>

#include "core/runtime/interrupt.h"
#include "cpu/work_buffers.h"

namespace th::cpu {

/// f(first, last, working memory) for ranges of `items` on several threads, each of which has that
/// many elements; f says whether all was done.
template <class T, class F>
void each_part(int64_t items, int64_t cost, int64_t memory, const F& f) {
  std::atomic<bool> undone = false;
  BufferedItems<T>(items, cost / 8, memory).run([&](int64_t first, int64_t last, T* own) {
    if (!f(first, last, own)) {
      undone.store(true, std::memory_order_relaxed);
    }
  });
  if (undone.load(std::memory_order_relaxed)) [[unlikely]] {
    interrupt::left_undone();
  }
}

}  // namespace th::cpu
