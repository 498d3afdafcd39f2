// Compact tensors whose elements layers see as the type that they compute in, a part at a time: of
// 16-bit types a part is widened, and rounded, while a thread's caches have it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "core/tensor/dtype.h"
#include "core/tensor/tensor.h"
#include "cpu/kernels/kernels.h"
#include "cpu/work_buffers.h"

namespace th::cpu {

/// `count` lines of `each` elements, `step` elements apart, from element `first` on.
struct Lines {
  int64_t first, count, each, step;

  static Lines one(int64_t first, int64_t each) { return {first, 1, each, each}; }
  int64_t size() const { return count * each; }
};

/// f(a line's first element, its first one where lines have no gaps, elements) for all lines, or
/// once for lines that have none.
template <class F>
void each_line(const Lines& lines, const F& f) {
  if (lines.step == lines.each) {
    f(lines.first, int64_t{0}, lines.size());
    return;
  }
  for (int64_t i = 0; i < lines.count; ++i) {
    f(lines.first + i * lines.step, i * lines.each, lines.each);
  }
}

/// Lines of 16-bit elements as floats without gaps, and back.
inline void widen(int dtype, const uint16_t* from, const Lines& lines, float* to) {
  const auto convert = convert_kernels().convert[dtype][TH_FLOAT];
  each_line(lines, [&](int64_t i, int64_t j, int64_t n) { convert(to + j, from + i, n); });
}
inline void round(int dtype, const float* from, const Lines& lines, uint16_t* to) {
  const auto convert = convert_kernels().convert[TH_FLOAT][dtype];
  each_line(lines, [&](int64_t i, int64_t j, int64_t n) { convert(to + i, from + j, n); });
}

/// T: what `dtype` is computed in. Parts that are not of 16 bits are where the tensor has them.
template <class T>
class WidenedParts {
 public:
  WidenedParts() = default;
  explicit WidenedParts(const TH_Tensor& t) : elements_(bytes(t)), dtype_(t.dtype) {}
  /// Of a Result or one of its kin.
  template <class R>
  WidenedParts(const R& r, int dtype)
      : elements_(is_half(dtype) ? static_cast<void*>(r.template data<uint16_t>())
                                 : r.template data<T>()),
        dtype_(dtype) {}

  /// How far apart lines are where they are read and written.
  int64_t step(const Lines& lines) const { return is_half(dtype_) ? lines.each : lines.step; }

  /// The lines' elements, which may lie in `memory`.
  const T* read(const Lines& lines, T* memory) const {
    if constexpr (std::is_same_v<T, float>) {
      if (is_half(dtype_)) {
        widen(dtype_, halves(), lines, memory);
        return memory;
      }
    }
    return static_cast<const T*>(elements_) + lines.first;
  }
  const T* read(int64_t first, int64_t count, T* memory) const {
    return read(Lines::one(first, count), memory);
  }

  /// The lines' elements in `memory`, or else all there are, from the first on.
  const T* whole(const Lines& lines, T* memory) const {
    return is_half(dtype_) ? read(lines, memory) : static_cast<const T*>(elements_);
  }

  /// Where elements from the first on are to be written. They are there with commit().
  T* place(int64_t first, T* memory) const {
    return is_half(dtype_) ? memory : static_cast<T*>(elements_) + first;
  }
  void commit(const Lines& lines, const T* memory) const {
    if constexpr (std::is_same_v<T, float>) {
      if (is_half(dtype_)) {
        round(dtype_, memory, lines, halves());
      }
    }
  }
  void commit(int64_t first, int64_t count, const T* memory) const {
    commit(Lines::one(first, count), memory);
  }

 private:
  uint16_t* halves() const { return static_cast<uint16_t*>(elements_); }

  void* elements_ = nullptr;
  int dtype_ = 0;
};

/// How many of `all` rows of so many elements are worked on at a time: of 16 bits as many as a near
/// cache has once they are widened.
inline int64_t rows_at_once(int dtype, int64_t length, int64_t all) {
  constexpr int64_t kElements = 4096;
  return std::max<int64_t>(is_half(dtype) ? kElements / std::max<int64_t>(length, 1) : all, 1);
}

/// A loop over items whose threads have `each` elements of memory, where parts of that type lie in
/// memory of their own.
template <class T>
BufferedItems<T> widened_items(int dtype, int64_t items, int64_t cost_per_item, int64_t each) {
  return {items, cost_per_item, is_half(dtype) ? each : 0};
}

}  // namespace th::cpu
