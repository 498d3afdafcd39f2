// What is computed on: compact tensors whose elements are not of 16 bits, whatever came.
#pragma once

#include <initializer_list>
#include <span>

#include "core/device_functions.h"
#include "core/tensor/aliasing.h"
#include "core/tensor/tensor.h"

namespace th::cpu {

/// t's elements without gaps, 16-bit types widened to float. compact() is t itself where it already
/// is that.
inline Tensor compact_copy(const TH_Tensor& t) {
  Tensor copy = Tensor::like(t, compute_dtype(t.dtype), sizes_of(t));
  th::copy(copy, t);
  return copy;
}
inline Tensor compact(const TH_Tensor& t) {
  return is_contiguous(t) && !is_half(t.dtype) ? Tensor(t) : compact_copy(t);
}

inline Tensor compact(const TH_Tensor* t) { return t == nullptr ? Tensor() : compact(*t); }

/// A result to be computed: compact, of the type that layers compute in.
class Output : public Result {
 public:
  Output(TH_Tensor* r, std::span<const int64_t> sizes,
         std::initializer_list<const TH_Tensor*> operands)
      : Result(r, sizes, Compact, operands, compute_dtype(r->dtype)) {}
};

}  // namespace th::cpu
