// Results that may lie where an operand is still being read.
#pragma once

#include <algorithm>
#include <initializer_list>

#include "core/backend.h"
#include "core/tensor.h"

namespace th::cpu {

/// Whether two tensors lie in one block of memory, so that growing or writing one may change the
/// other. Tensors of different parts of a block count as sharing.
inline bool shares_memory(const TH_Tensor& a, const TH_Tensor& b) {
  const auto block = [](const TH_Tensor& t) {
    auto* s = static_cast<const Storage*>(t.store);
    while (s != nullptr && s->kind == Storage::Kind::View) {
      s = s->base;
    }
    return s;
  };
  return a.store != nullptr && block(a) == block(b);
}

/// Whether some elements of t may be one in memory, as in expanded and unfolded tensors. The answer
/// for tensors whose dimensions interleave is yes even where no two elements meet.
inline bool may_overlap_itself(const TH_Tensor& t) {
  int order[TH_MAX_DIMS];
  int n = 0;
  for (int d = 0; d < t.ndim; ++d) {
    if (t.sizes[d] > 1) {
      order[n++] = d;
    }
  }
  std::sort(order, order + n, [&](int a, int b) { return t.strides[a] < t.strides[b]; });
  int64_t reach = 0;  // of the dimensions with smaller strides
  for (int i = 0; i < n; ++i) {
    const int64_t stride = t.strides[order[i]];
    if (stride <= reach) {
      return true;
    }
    reach += (t.sizes[order[i]] - 1) * stride;
  }
  return false;
}

inline Tensor clone(const TH_Tensor& t) {
  Tensor copy = Tensor::like(t, t.dtype, sizes_of(t));
  th::copy(copy, t);
  return copy;
}

/// t, or a copy of its own when writing `written` would change t.
inline Tensor unaliased(const TH_Tensor& t, const TH_Tensor& written) {
  return shares_memory(t, written) ? clone(t) : Tensor(t);
}

/// Where an operation writes its result: r itself, resized, or a compact tensor of its own when r
/// shares memory with an operand. finish() brings the elements to r in that case. Operands must be
/// held as th::Tensor: r may be one of them.
class Result {
 public:
  enum Layout { Any, Compact };

  Result(TH_Tensor* r,
         std::span<const int64_t> sizes,
         Layout layout,
         std::initializer_list<const TH_Tensor*> operands)
      : r_(r) {
    bool shares = false;
    for (const TH_Tensor* t : operands) {
      shares = shares || shares_memory(*r, *t);
    }
    if (!shares) {
      resize(*r, sizes);
    }
    if (shares || (layout == Compact && !is_contiguous(*r))) {
      own_ = Tensor::like(*r, r->dtype, sizes);
    }
  }

  TH_Tensor& tensor() { return own_.ndim > 0 ? own_ : *r_; }

  void finish() {
    if (own_.ndim > 0) {
      resize(*r_, sizes_of(own_));
      copy(*r_, own_);
    }
  }

 private:
  TH_Tensor* r_;
  Tensor own_;
};

}  // namespace th::cpu
