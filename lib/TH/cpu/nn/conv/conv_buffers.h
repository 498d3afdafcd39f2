// How a convolution's work and memory are divided among threads.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/memory/host_allocator.h"
#include "cpu/kernels/nn/conv.h"
#include "cpu/parallel.h"

namespace th::cpu {

/// Bytes of expanded input that a thread works on at a time: half of a second-level cache.
inline constexpr int64_t kWorkingSet = 256 * 1024;
/// Columns of the widest tile of table_gemm; the tail of a row of outputs is rounded up to vectors.
inline constexpr int64_t kStrip = 64;
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

/// Some rows of a plane with zeros where they reach beyond its H x W elements: `rows` of `width`
/// elements, the first at row `top`, column `left` of the plane.
template <class T>
struct PaddedRows {
  int64_t rows, width;
  int64_t H, W, top, left;

  /// plane: nullptr for one of zeros.
  void copy(const T* plane, T* to) const {
    if (plane == nullptr) {
      std::fill_n(to, rows * width, T(0));
      return;
    }
    if (left == 0 && width == W && top >= 0 && top + rows <= H) {
      std::copy_n(plane + top * W, rows * width, to);
      return;
    }
    const int64_t before = std::clamp<int64_t>(-left, 0, width);
    const int64_t from = std::max<int64_t>(left, 0);
    const int64_t inside = std::clamp<int64_t>(W - from, 0, width - before);
    for (int64_t row = top; row < top + rows; ++row, to += width) {
      if (row < 0 || row >= H) {
        std::fill_n(to, width, T(0));
        continue;
      }
      std::fill_n(to, before, T(0));
      std::copy_n(plane + row * W + from, inside, to + before);
      std::fill_n(to + before + inside, width - before - inside, T(0));
    }
  }
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
