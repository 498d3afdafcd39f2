// Results of composites: computed in memory of their own and handed over at the end, when nothing
// can fail any more. Whatever the operations in between run out of, nothing has changed then.
#pragma once

#include <algorithm>
#include <initializer_list>

#include "core/device_functions.h"
#include "core/tensor/tensor.h"

namespace th::composite {

class Staged {
 public:
  /// r may be NULL: not wanted; it is computed all the same.
  Staged(TH_Tensor* r, const TH_Tensor& like, std::span<const int64_t> sizes)
      : r_(r), own_(Tensor::like(like, like.dtype, sizes)) {
    if (r != nullptr) {
      check_same_dtype(*r, like);
      // Memory that nobody else sees is exchanged, the other is copied to.
      copies_ = r->store != nullptr && !replaceable(*r->store);
      if (copies_) {
        reserve(*r, sizes);
      }
    }
  }
  Staged(TH_Tensor* r, const TH_Tensor& like, std::initializer_list<int64_t> sizes)
      : Staged(r, like, std::span<const int64_t>(sizes.begin(), sizes.size())) {}

  Tensor& tensor() { return own_; }
  const Tensor& tensor() const { return own_; }

  void finish() {
    if (copies_) {
      resize(*r_, sizes_of(own_));
      th::copy(*r_, own_);
    } else if (r_ != nullptr) {
      alias(*r_, own_);
      r_->is_view = 0;  // the other handle goes
    }
  }

 private:
  TH_Tensor* r_;
  Tensor own_;
  bool copies_ = false;
};

}  // namespace th::composite
