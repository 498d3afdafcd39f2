// Views as values, for composites.
#pragma once

#include <initializer_list>

#include "core/tensor/tensor.h"

namespace th::composite {

inline Tensor viewed(const TH_Tensor& t, std::initializer_list<int64_t> sizes) {
  Tensor v;
  init(v, t.dtype, t.device_type, t.device);
  th::view(v, t, {sizes.begin(), sizes.size()});
  return v;
}

/// Elements [first, first + length) along a dimension.
inline Tensor part(const TH_Tensor& t, int dim, int64_t first, int64_t length) {
  Tensor v;
  init(v, t.dtype, t.device_type, t.device);
  th::narrow(v, t, dim, first, length);
  return v;
}

/// One of the first dimension.
inline Tensor at(const TH_Tensor& t, int64_t index) {
  Tensor v;
  init(v, t.dtype, t.device_type, t.device);
  th::select(v, t, 0, index);
  return v;
}

/// With the last two dimensions in each other's place.
inline Tensor transposed(const TH_Tensor& t) {
  Tensor v;
  init(v, t.dtype, t.device_type, t.device);
  th::transpose(v, t, t.ndim - 2, t.ndim - 1);
  return v;
}

}  // namespace th::composite
