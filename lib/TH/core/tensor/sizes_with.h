// The shape of a result that differs from a tensor's in one dimension.
#pragma once

#include <algorithm>
#include <span>

#include "core/tensor/tensor.h"

namespace th {

/// A tensor's sizes, with another one along a dimension.
class SizesWith {
 public:
  SizesWith(const TH_Tensor& t, int dim, int64_t size) : ndim_(static_cast<size_t>(t.ndim)) {
    std::copy_n(t.sizes, t.ndim, sizes_);
    sizes_[dim] = size;
  }
  const int64_t* data() const { return sizes_; }
  const int64_t* begin() const { return sizes_; }
  const int64_t* end() const { return sizes_ + ndim_; }
  operator std::span<const int64_t>() const { return {sizes_, ndim_}; }  // NOLINT: is one

 private:
  int64_t sizes_[TH_MAX_DIMS];
  size_t ndim_;
};

}  // namespace th
