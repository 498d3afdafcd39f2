// What every backend checks before it reduces.
#pragma once

#include <algorithm>

#include "core/tensor/dtype.h"
#include "core/tensor/tensor.h"

namespace th {

inline void check_floating(const TH_Tensor& x) {
  if (!is_floating(x.dtype)) [[unlikely]] {
    Floating::unsupported(x.dtype);
  }
}

inline void check_floating(const TH_Tensor* x) { check_floating(given(x)); }

inline void check_not_empty(const TH_Tensor& x) {
  TH_CHECK(x.ndim > 0, "the tensor is empty; wanted at least one element");
}

inline void check_reducible(const TH_Tensor* r, const TH_Tensor* x, int dim) {
  TH_CHECK(r != nullptr, "the result is missing");
  check_dim(given(x), dim);
  check_same_dtype(*r, *x);
}

/// As check_reducible, for values and their positions.
inline void check_extreme(const TH_Tensor* r, const TH_Tensor* positions, const TH_Tensor* x,
                          int dim) {
  check_reducible(r, x, dim);
  TH_CHECK(positions != nullptr, "the tensor for positions is missing");
  check_dtype(*positions, TH_LONG, "the tensor for positions");
}

/// Two floating tensors of one type and element count.
inline void check_distance(const TH_Tensor* x, const TH_Tensor* y) {
  TH_CHECK(x != nullptr && y != nullptr, "an operand is missing");
  check_floating(*x);
  check_same_dtype(*x, *y);
  check_same_count(*x, {y});
}

/// A view of a matrix' diagonal, without a reference of its own.
inline TH_Tensor checked_diagonal(const TH_Tensor& x) {
  TH_CHECK(x.ndim == 2, "wanted a matrix, got a tensor of ", shape(x));
  TH_Tensor diagonal = x;
  diagonal.ndim = 1;
  diagonal.sizes[0] = std::min(x.sizes[0], x.sizes[1]);
  diagonal.strides[0] = x.strides[0] + x.strides[1];
  return diagonal;
}

}  // namespace th
