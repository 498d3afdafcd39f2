// Operands and results of operations whose results may lie beside their operands in one memory, as
// the steps of a sequence do: what matters is not whether a result shares memory with an operand
// but whether an element of it lies where another is still read.
#pragma once

#include <initializer_list>

#include "core/device_functions.h"
#include "core/tensor/aliasing.h"
#include "core/tensor/tensor.h"

namespace th {

/// A matrix that is a result, or one that is changed (`keep`): itself where it has no gaps and the
/// type that is computed in, else a tensor for a while. Memory is taken here; sizes change in
/// finish(), which does not fail.
class RowsResult {
 public:
  RowsResult(TH_Tensor* t, std::initializer_list<int64_t> sizes, int dtype, bool keep)
      : t_(t), keep_(keep), sizes_{sizes.begin()[0], sizes.begin()[1]} {
    if (!keep) {
      reserve(*t, this->sizes());
    }
    const bool compact = keep ? is_contiguous(*t) : becomes_compact(*t, this->sizes());
    if (!compact || t->dtype != dtype) {
      own_ = Tensor::like(*t, dtype, this->sizes());
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
inline bool disturbs(const RowsResult& w, const TH_Tensor& t) {
  const TH_Tensor r = w.shape();
  if (r.store == nullptr || t.store == nullptr) {
    return false;
  }
  return r.sizes[1] == t.sizes[t.ndim - 1] ? displaces(r, t) : overlaps(r, t);
}

/// t without gaps and of that type, t itself if it can be; an empty tensor for NULL.
inline Tensor read_beside(const TH_Tensor* t, int dtype,
                          std::initializer_list<const RowsResult*> results) {
  if (t == nullptr) {
    return Tensor();
  }
  bool apart = is_contiguous(*t) && t->dtype == dtype;
  for (const RowsResult* w : results) {
    apart = apart && !disturbs(*w, *t);
  }
  if (apart) {
    return Tensor(*t);
  }
  Tensor own = Tensor::like(*t, dtype, sizes_of(*t));
  copy(own, *t);
  return own;
}

}  // namespace th
