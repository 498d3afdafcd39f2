// Compact tensors whose elements layers see as the type that they compute in, a part at a time: of
// 16-bit types a part is widened, and rounded, while a thread's caches have it.
#pragma once

#include <cstdint>

#include "core/tensor/aliasing.h"
#include "core/tensor/dtype.h"
#include "core/tensor/tensor.h"
#include "cpu/kernels/kernels.h"
#include "cpu/work_buffers.h"

namespace th::cpu {

/// T: what `dtype` is computed in. Parts that are not of 16 bits are where the tensor has them.
template <class T>
class WidenedParts {
 public:
  explicit WidenedParts(const TH_Tensor& t) : elements_(bytes(t)), dtype_(t.dtype) {}
  WidenedParts(const Result& r, int dtype)
      : elements_(is_half(dtype) ? static_cast<void*>(r.data<uint16_t>()) : r.data<T>()),
        dtype_(dtype) {}

  /// The elements [first, first + count), which may lie in `memory`.
  const T* read(int64_t first, int64_t count, T* memory) const {
    if (!is_half(dtype_)) {
      return static_cast<const T*>(elements_) + first;
    }
    convert_kernels().convert[dtype_][TH_FLOAT](memory, halves() + first, count);
    return memory;
  }

  /// Where they are to be written. They are there with commit().
  T* place(int64_t first, T* memory) const {
    return is_half(dtype_) ? memory : static_cast<T*>(elements_) + first;
  }
  void commit(int64_t first, int64_t count, const T* memory) const {
    if (is_half(dtype_)) {
      convert_kernels().convert[TH_FLOAT][dtype_](halves() + first, memory, count);
    }
  }

 private:
  uint16_t* halves() const { return static_cast<uint16_t*>(elements_); }

  void* elements_;
  int dtype_;
};

/// A loop over items whose threads have `each` elements of memory, where parts of that type lie in
/// memory of their own.
template <class T>
BufferedItems<T> widened_items(int dtype, int64_t items, int64_t cost_per_item, int64_t each) {
  return {items, cost_per_item, is_half(dtype) ? each : 0};
}

}  // namespace th::cpu
