// What every backend checks before it compares or scales vectors.
#pragma once

#include <cmath>

#include "core/tensor/dtype.h"
#include "core/tensor/tensor.h"

namespace th {

inline void check_pair(const TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* y) {
  check_defined(x, "the first tensor");
  check_defined(y, "the second tensor");
  TH_CHECK(r != nullptr, "the result is missing");
  check_same_dtype(*x, *y);
  check_same_dtype(*r, *x);
}

inline void check_cross(const TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* y, int dim) {
  check_pair(r, x, y);
  TH_CHECK(same_sizes(*x, *y), "sizes differ: ", shape(*x), " and ", shape(*y));
  check_dim(*x, dim);
  TH_CHECK(x->sizes[dim] == 3, "dimension ", dim + 1, " has size ", x->sizes[dim],
           ", wanted 3 (tensors of ", shape(*x), ")");
}

/// Returns the number of elements of a vector.
inline int64_t check_match(const TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* y) {
  check_pair(r, x, y);
  const int64_t length = numel(*x) / x->sizes[0];
  TH_CHECK(numel(*y) / y->sizes[0] == length, "the vectors have ", length, " and ",
           numel(*y) / y->sizes[0], " elements (tensors of ", shape(*x), " and ", shape(*y), ")");
  return length;
}

inline void check_renorm(const TH_Tensor* r, const TH_Tensor* x, double p, int dim, double max) {
  check_defined(x, "the tensor");
  TH_CHECK(r != nullptr, "the result is missing");
  check_same_dtype(*r, *x);
  if (!Floating::contains(x->dtype)) {
    Floating::unsupported(x->dtype);
  }
  TH_CHECK(x->ndim >= 2, "wanted a tensor of at least 2 dimensions, got ", shape(*x));
  check_dim(*x, dim);
  TH_CHECK(p > 0 && std::isfinite(p), "the norm's exponent is ", p, ", wanted a number above 0");
  TH_CHECK(max >= 0, "the largest norm is ", max, ", it must not be negative");
}

}  // namespace th
