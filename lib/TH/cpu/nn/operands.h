// What layers compute on: compact tensors of float or double, whatever came.
#pragma once

#include <initializer_list>
#include <span>

#include "core/aliasing.h"
#include "core/backend.h"
#include "core/tensor.h"

namespace th::cpu {

/// The types that layers compute in.
using RealTypes = TypeSet<float, double>;

/// t's elements without gaps, 16-bit types widened to float. t itself where it already is that.
inline Tensor compact(const TH_Tensor& t) {
  if (is_contiguous(t) && !is_half(t.dtype)) {
    return Tensor(t);
  }
  Tensor copy = Tensor::like(t, compute_dtype(t.dtype), sizes_of(t));
  th::copy(copy, t);
  return copy;
}

inline Tensor compact(const TH_Tensor* t) { return t == nullptr ? Tensor() : compact(*t); }

/// A result to be computed: tensor() is compact, of the type that layers compute in, and shares no
/// memory with the operands; finish() brings it to r. The operands must be held as th::Tensor: r
/// may be one of them.
class Output {
 public:
  Output(TH_Tensor* r,
         std::span<const int64_t> sizes,
         std::initializer_list<const TH_Tensor*> operands)
      : r_(r) {
    bool shares = is_half(r->dtype);
    for (const TH_Tensor* t : operands) {
      shares = shares || shares_memory(*r, *t);
    }
    if (!shares) {
      resize(*r, sizes);
    }
    if (shares || !is_contiguous(*r)) {
      own_ = Tensor::like(*r, compute_dtype(r->dtype), sizes);
    }
  }

  TH_Tensor& tensor() { return own_.ndim > 0 ? own_ : *r_; }
  template <class T>
  T* data() {
    return th::data<T>(tensor());
  }

  void finish() {
    if (own_.ndim > 0) {
      resize(*r_, sizes_of(own_));
      th::copy(*r_, own_);
    }
  }

 private:
  TH_Tensor* r_;
  Tensor own_;
};

}  // namespace th::cpu
