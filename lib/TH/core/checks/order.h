// What every backend checks before it sorts or selects by order.
#pragma once

#include "core/tensor/dtype.h"
#include "core/tensor/tensor.h"

namespace th {

inline void check_ordered(const TH_Tensor* r, const TH_Tensor* indices, const TH_Tensor* x,
                          int dim) {
  TH_CHECK(r != nullptr && indices != nullptr, "a result is missing");
  TH_CHECK(r != indices, "values and positions cannot go into the same tensor");
  check_defined(x, "the tensor");
  check_dim(*x, dim);
  check_same_dtype(*r, *x);
  check_dtype(*indices, TH_LONG, "the tensor for positions");
}

inline void check_k(int64_t k, const TH_Tensor& x, int dim) {
  TH_CHECK(k >= 1 && k <= x.sizes[dim], "k is ", k, ", wanted 1 to ", x.sizes[dim],
           ", the size of dimension ", dim + 1, " of the tensor (", shape(x), ")");
}

}  // namespace th
