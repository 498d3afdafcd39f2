// How work and the memory it needs are divided among threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>

#include "core/memory/host_allocator.h"
#include "cpu/kernels/linalg/gemm.h"
#include "cpu/parallel.h"

namespace th::cpu {

/// Bytes that a thread works on at a time: half of a second-level cache.
inline constexpr int64_t kWorkingSet = 256 * 1024;
/// Elements to which the tail of a row is rounded up: whole vectors.
inline constexpr int64_t kVector = 16;

inline int64_t round_up(int64_t n, int64_t multiple) {
  return (n + multiple - 1) / multiple * multiple;
}

/// A buffer for each of several threads, cache lines apart.
template <class T>
class Buffers {
 public:
  Buffers(int64_t count, int64_t each)
      : each_(round_up(each + kSlack, 64)), block_(take(count * each_)) {}
  Buffers(const Buffers&) = delete;
  ~Buffers() { HostAllocator::instance().free(block_); }
  T* operator[](int64_t i) const { return static_cast<T*>(block_->ptr) + i * each_; }

 private:
  static Block* take(int64_t count) {
    return HostAllocator::instance().allocate(static_cast<size_t>(count) * sizeof(T));
  }

  int64_t each_;
  Block* block_;
};

/// A buffer for each of several threads, or none where none is needed, as by most small products.
template <class T>
class Workspace {
 public:
  Workspace(int64_t count, int64_t each) : each_(each) {
    if (each > 0) {
      buffers_.emplace(count, each);
    }
  }
  std::span<T> operator[](int64_t i) const {
    return {buffers_ ? (*buffers_)[i] : nullptr, static_cast<size_t>(each_)};
  }

 private:
  int64_t each_;
  std::optional<Buffers<T>> buffers_;
};

/// A loop over items of which each thread has `each` elements of memory to work with: no more
/// buffers than there is work for threads, and of huge ones no more than kMostBuffered bytes.
template <class T>
class BufferedItems {
 public:
  static constexpr int64_t kMostBuffered = int64_t{1} << 28;

  BufferedItems(int64_t items, int64_t cost_per_item, int64_t each)
      : items_(items),
        cost_(cost_per_item),
        workers_(workers_for(items, cost_per_item, most(each))),
        count_(each > 0 ? workers_ : 0),
        buffers_(count_, each) {}

  /// f(first, last, memory) on several threads.
  template <class F>
  void run(const F& f) const {
    parallel_items(
        items_, cost_,
        [&](int64_t first, int64_t last) {
          f(first, last, buffers_[count_ > 1 ? threads::part() : 0]);
        },
        workers_);  // the thread's share may have grown
  }

 private:
  static int64_t most(int64_t each) {
    const auto bytes = each * static_cast<int64_t>(sizeof(T));
    return std::max<int64_t>(kMostBuffered / std::max<int64_t>(bytes, 1), 1);
  }

  int64_t items_, cost_, workers_, count_;
  Buffers<T> buffers_;
};

/// One thread's share of n items.
struct Share {
  int64_t begin, end;
  Share(int64_t n, int64_t slice, int64_t slices)
      : begin(n * slice / slices), end(n * (slice + 1) / slices) {}
};

inline int64_t slices_for(int64_t items, int64_t cost_per_item) {
  return std::clamp<int64_t>(items * std::max<int64_t>(cost_per_item / 8, 1) / kGrain, 1,
                             std::min<int64_t>(threads::share(), items));
}

}  // namespace th::cpu
