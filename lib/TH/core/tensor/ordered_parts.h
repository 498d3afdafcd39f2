// Operations that take a part of the order of each line: once for all backends.
#pragma once

#include "core/checks/order.h"
#include "core/tables/sort.h"

namespace th {

/// Elements first ... last (of 0 ... n - 1) of the order of each line along a dimension, and where
/// they were. Arguments are checked.
using TakeOrdered = void(TH_Tensor* r, TH_Tensor* indices, const TH_Tensor* x, int dim,
                         int64_t first, int64_t last, bool descending);

template <TakeOrdered take>
void register_ordered_parts(SortTable& b) {
  // Whether they are wanted sorted makes no difference: they always are, it costs next to nothing.
  b.topk = [](TH_Tensor* r, TH_Tensor* indices, const TH_Tensor* x, int64_t k, int dim,
              bool largest, bool /*sorted*/) {
    check_ordered(r, indices, x, dim);
    check_k(k, *x, dim);
    take(r, indices, x, dim, 0, k - 1, largest);
  };
  b.kthvalue = [](TH_Tensor* r, TH_Tensor* indices, const TH_Tensor* x, int64_t k, int dim) {
    check_ordered(r, indices, x, dim);
    check_k(k, *x, dim);
    take(r, indices, x, dim, k - 1, k - 1, false);
  };
  // The lower one of the two in the middle when their number is even.
  b.median = [](TH_Tensor* r, TH_Tensor* indices, const TH_Tensor* x, int dim) {
    check_ordered(r, indices, x, dim);
    const int64_t middle = (x->sizes[dim] - 1) / 2;
    take(r, indices, x, dim, middle, middle, false);
  };
}

}  // namespace th
