// What every backend checks before it pads or enlarges: shapes as for pooling.
#pragma once

#include "core/checks/pooling.h"

namespace th {

/// Padding in `dims` directions; reflections end before the opposite border.
inline Pooling check_padding(const TH_Tensor* r, const TH_Tensor* x, int dims,
                             const int64_t* before, const int64_t* after, bool reflects) {
  check_pool_operands(r, x);
  check_directions(dims, {before, after});
  for (const int64_t* list : {before, after}) {
    check_numbers("padding", {list, static_cast<size_t>(dims)}, -kLargestNumber);
  }
  Pooling p = check_pool_input(*x, dims);
  for (int d = 0; d < dims; ++d) {
    PoolAxis& a = p.shape.axes[3 - dims + d];
    a.pad = before[d];
    a.out = p.sizes[static_cast<size_t>(x->ndim - dims + d)] = a.in + before[d] + after[d];
    TH_CHECK(a.out > 0, "input is ", shape(*x), ", with padding ", before[d], " and ", after[d],
             " nothing of its ", a.in, " elements is left");
    TH_CHECK(!reflects || (before[d] < a.in && after[d] < a.in), "input is ", shape(*x),
             ", reflection by ", before[d], " and ", after[d], " needs more than its ", a.in,
             " elements");
    TH_CHECK(-before[d] < a.in && -after[d] < a.in, "input is ", shape(*x), ", padding ", before[d],
             " and ", after[d], " would take all of its ", a.in, " elements");
  }
  checked_count(p.out());
  return p;
}

inline Pooling check_upsampling(const TH_Tensor* r, const TH_Tensor* x, int dims,
                                const int64_t* sizes) {
  check_pool_operands(r, x);
  return check_adaptive_shape(*x, dims, sizes);
}

}  // namespace th
