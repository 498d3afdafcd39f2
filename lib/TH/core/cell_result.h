// Operands and results of a recurrent layer's step, which may lie beside each other in one memory,
// as the steps of a sequence do: what matters is not whether a result shares memory with an operand
// but whether an element of it lies where another is still read.
#pragma once

#include <initializer_list>

#include "core/checks/recurrent.h"
#include "core/device_functions.h"
#include "core/tensor/aliasing.h"
#include "core/tensor/tensor.h"

namespace th {

/// N x count * H that are a result, or that are changed (`keep`): itself where it has no gaps, else
/// a tensor for a while. Memory is taken here; sizes change in finish(), which does not fail.
class CellResult {
 public:
  CellResult(TH_Tensor* t, const CellShape& s, int64_t count, bool keep)
      : t_(t), keep_(keep), sizes_{s.N, count * s.H} {
    if (!keep) {
      reserve(*t, this->sizes());
    }
    const bool compact = keep ? is_contiguous(*t) : becomes_compact(*t, this->sizes());
    if (!compact) {
      own_ = Tensor::like(*t, t->dtype, this->sizes());
      if (keep) {
        copy(own_, *t);
      }
    }
  }

  template <class T>
  T* data() const {
    return own_.ndim > 0 ? th::data<T>(own_) : th::data<T>(*t_);
  }
  /// The elements as they will lie.
  TH_Tensor shape() const { return keep_ ? *t_ : shaped(*t_, sizes()); }
  void finish() {
    if (!keep_) {
      resize(*t_, sizes());
    }
    if (own_.ndim > 0) {
      copy(*t_, own_);
    }
  }

 private:
  std::span<const int64_t> sizes() const { return sizes_; }

  TH_Tensor* t_;
  bool keep_;
  int64_t sizes_[2];
  Tensor own_;
};

/// Whether writing w, row by row, may change elements of t that are still to be read. Rows of one
/// width that lie in each other's places do not.
inline bool disturbs(const CellResult& w, const TH_Tensor& t) {
  const TH_Tensor r = w.shape();
  if (r.store == nullptr || t.store == nullptr) {
    return false;
  }
  return r.sizes[1] == t.sizes[t.ndim - 1] ? displaces(r, t) : overlaps(r, t);
}

/// t without gaps, t itself if it can be; an empty tensor for NULL.
inline Tensor read_beside(const TH_Tensor* t, std::initializer_list<const CellResult*> results) {
  if (t == nullptr) {
    return Tensor();
  }
  bool apart = is_contiguous(*t);
  for (const CellResult* w : results) {
    apart = apart && !disturbs(*w, *t);
  }
  if (apart) {
    return Tensor(*t);
  }
  Tensor own = Tensor::like(*t, t->dtype, sizes_of(*t));
  copy(own, *t);
  return own;
}

}  // namespace th
