// What every backend checks before it makes a tensor from numbers or from parts of others, and the
// formulas of the numbers.
#pragma once

#include <algorithm>
#include <cmath>

#include "core/tensor/dtype.h"
#include "core/tensor/tensor.h"
#include "functors/sequence.h"

namespace th {

// --- sequences ----------------------------------------------------------------------------------

template <class Number>
void check_step(Number first, Number last, Number step) {
  TH_CHECK(step != 0, "step must not be 0");
  TH_CHECK(step > 0 ? first <= last : first >= last, "a step of ", step, " leads from ", first,
           " away from ", last);
}

/// How many numbers first, first + step, ... up to last are.
inline int64_t range_count(int64_t first, int64_t last, int64_t step) {
  check_step(first, last, step);
  const uint64_t distance =
      step > 0 ? wrapping(last) - wrapping(first) : wrapping(first) - wrapping(last);
  const uint64_t steps = distance / (step > 0 ? wrapping(step) : -wrapping(step));
  TH_CHECK(steps < INT64_MAX, "more elements than any memory holds: from ", first, " to ", last);
  return static_cast<int64_t>(steps) + 1;
}

inline int64_t range_count(double first, double last, double step) {
  check_step(first, last, step);
  const double steps = std::floor((last - first) / step);
  TH_CHECK(steps < 0x1p62, "more elements than any memory holds: from ", first, " to ", last,
           " by ", step);
  return static_cast<int64_t>(steps) + 1;
}

inline void check_finite(double first, double last, double step) {
  TH_CHECK(std::isfinite(first) && std::isfinite(last) && std::isfinite(step),
           "wanted finite numbers, got first ", first, ", last ", last, ", step ", step);
}

using functors::Spacing;

inline void check_points(double first, double last, int64_t n) {
  TH_CHECK(n >= 1, "wanted at least 1 point, got ", n);
  TH_CHECK(n > 1 || first == last, "1 point cannot be both ", first, " and ", last,
           "; wanted at least 2");
}

// --- matrices -----------------------------------------------------------------------------------

/// A view of the elements (i, i + k), without a reference of its own. Its size is 0 or less when
/// there are none.
inline TH_Tensor diagonal(const TH_Tensor& matrix, int64_t k) {
  TH_Tensor view = matrix;
  const int64_t row = k < 0 ? -k : 0;
  const int64_t column = k > 0 ? k : 0;
  view.ndim = 1;
  view.offset += row * matrix.strides[0] + column * matrix.strides[1];
  view.sizes[0] = std::min(matrix.sizes[0] - row, matrix.sizes[1] - column);
  view.strides[0] = matrix.strides[0] + matrix.strides[1];
  return view;
}

inline void check_diagonal(const TH_Tensor* r, const TH_Tensor* x, int64_t k) {
  TH_CHECK(x != nullptr && r != nullptr, "an operand is missing");
  TH_CHECK(x->ndim == 1 || x->ndim == 2, "wanted a vector or a matrix, got a tensor of ",
           shape(*x));
  check_same_dtype(*r, *x);
  TH_CHECK(k > -(int64_t{1} << 31) && k < (int64_t{1} << 31), "diagonal ", k, " is out of range");
  TH_CHECK(x->ndim == 1 || diagonal(*x, k).sizes[0] > 0, "a matrix of ", shape(*x),
           " has no diagonal ", k);
}

inline void check_triangle(const TH_Tensor* r, const TH_Tensor* x) {
  TH_CHECK(x != nullptr && r != nullptr, "an operand is missing");
  TH_CHECK(x->ndim == 2, "wanted a matrix, got a tensor of ", shape(*x));
  check_same_dtype(*r, *x);
}

// --- joining ------------------------------------------------------------------------------------

/// The dimension to join along; dim < 0 stands for the last of the input with most dimensions.
inline int checked_cat_dim(const TH_Tensor* r, const TH_Tensor* const* xs, int count, int dim) {
  TH_CHECK(r != nullptr, "the result is missing");
  TH_CHECK(count >= 1 && xs != nullptr, "wanted at least one tensor");
  int most = 1;
  for (int i = 0; i < count; ++i) {
    TH_CHECK(xs[i] != nullptr, "tensor ", i + 1, " is missing");
    TH_CHECK(xs[i]->device_type == r->device_type, "tensor ", i + 1, " is a ", type_name(*xs[i]),
             ", wanted a ", type_name(*r));
    check_same_dtype(*r, *xs[i]);
    most = std::max(most, static_cast<int>(xs[i]->ndim));
  }
  dim = dim < 0 ? most - 1 : dim;
  TH_CHECK(dim < TH_MAX_DIMS, "dimension ", int64_t{dim} + 1,
           " is out of range; there are at most ", TH_MAX_DIMS);
  return dim;
}

inline int64_t size_at(const TH_Tensor& t, int d) { return d < t.ndim ? t.sizes[d] : 1; }

/// The non-empty inputs agree in all sizes but that of `dim`. Writes the result's sizes and returns
/// their number, 0 when all inputs are empty.
inline int joined_sizes(int64_t* sizes, const TH_Tensor* const* xs, int count, int dim) {
  const TH_Tensor* model = nullptr;
  int ndim = dim + 1;
  for (int i = 0; i < count; ++i) {
    ndim = std::max(ndim, static_cast<int>(xs[i]->ndim));
  }
  for (int i = 0; i < count; ++i) {
    const TH_Tensor& t = *xs[i];
    if (t.ndim == 0) {
      continue;
    }
    for (int d = 0; d < ndim; ++d) {
      if (model == nullptr) {
        sizes[d] = size_at(t, d);
      } else if (d == dim) {
        sizes[d] += size_at(t, d);
      } else {
        TH_CHECK(sizes[d] == size_at(t, d), "inconsistent tensor sizes: tensor ", i + 1, " is ",
                 shape(t), " but an earlier one is ", shape(*model), "; only dimension ", dim + 1,
                 " may differ");
      }
    }
    model = &t;
  }
  return model == nullptr ? 0 : ndim;
}

}  // namespace th
