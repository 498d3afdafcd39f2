// The engine of element-wise operations: it walks tensors of any strides, shape and type, and
// hands contiguous blocks to a kernel.
#pragma once

#include <initializer_list>

#include "TH_core.h"
#include "cpu/kernels/kernels.h"

namespace th::cpu {

/// A tensor and the element type in which the kernel wants to see it.
struct Operand {
  const TH_Tensor* tensor;
  int dtype;
};

inline constexpr int kMaxOperands = 5;

/// Run `kernel` over all elements, in row-major order of each operand (their shapes may differ, the
/// counts must not). operands[0] is written, the others are read. `cost` is a rough number of
/// cheap operations per element; it decides from what size on threads help.
void elementwise(Kernel kernel, const Operand* operands, int count, const double* scalars,
                 int cost);

/// The same where all operands but operands[1] are read and written, as in an optimiser's step.
/// None of those meets another in memory, and operands[1] no elements of theirs but the one at the
/// same position: the caller has seen to it.
void elementwise_in_place(Kernel kernel, const Operand* operands, int count, const double* scalars,
                          int cost);

/// Fewer elements than this go to a kernel in one call, if nothing stands against it.
inline constexpr int64_t kSmall = 4096;

/// How many elements the operands have when a kernel can take them as they lie: up to kSmall, of
/// equal sizes, contiguous, each the same memory as the result or apart from it. Otherwise 0; the
/// caller then asks what is wrong. All have the element type `size` bytes wide.
template <class... Rest>
int64_t small_and_plain(int64_t size, const TH_Tensor& r, const Rest&... operands) {
  int64_t n = 1;
  if (r.store == nullptr || ((operands.store == nullptr || operands.ndim != r.ndim) || ...)) {
    return 0;
  }
  for (int d = r.ndim - 1; d >= 0; --d) {
    if (r.strides[d] != n ||
        ((operands.sizes[d] != r.sizes[d] || operands.strides[d] != n) || ...)) {
      return 0;
    }
    n *= r.sizes[d];
  }
  const auto begin = [size](const TH_Tensor& t) {
    return static_cast<const char*>(t.store->data) + t.offset * size;
  };
  const auto meets = [&](const TH_Tensor& t) {
    const int64_t distance = begin(t) - begin(r);
    return distance != 0 && distance < n * size && -distance < n * size;
  };
  return r.ndim == 0 || n > kSmall || (meets(operands) || ...) ? 0 : n;
}

}  // namespace th::cpu
