// Brings elements of any layout to the reduction kernels, and their results into a tensor.
#pragma once

#include "TH_core.h"
#include "cpu/kernels/reduce/reduce.h"

namespace th::cpu {

/// A kernel, what becomes of its accumulators, and the parameter of both.
struct Reduction {
  const ReduceKernel& kernel;
  Finish finish;
  double p;
};

/// All elements of x, which has some, into one accumulator, in no particular order.
void reduce_all(const ReduceKernel& kernel, double p, const TH_Tensor& x, void* acc);

/// r = x with dimension `dim` reduced to size 1; where `positions` is not NULL it receives those of
/// argmin and argmax, counted from 1. The results may share x's storage.
void reduce_dim(const Reduction& reduction, TH_Tensor* r, TH_Tensor* positions, const TH_Tensor* x,
                int dim);

/// All elements of x - y, computed in double; both have the same type and a number of elements > 0.
void reduce_difference(const ReduceKernel& kernel, double p, const TH_Tensor& x, const TH_Tensor& y,
                       void* acc);

/// Whether x and y, of one type and one element count, hold the same numbers.
bool equal_elements(const TH_Tensor& x, const TH_Tensor& y);

/// Reduce [begin, end) by take(acc, begin, n), n <= leaf, as a tree: with eight branches at each
/// node rounding errors grow with the logarithm of the length.
template <class Take>
void reduce_tree(const ReduceKernel& kernel, void* acc, int64_t items, int64_t begin, int64_t end,
                 int64_t leaf, const Take& take) {
  int64_t step = leaf;
  while (step * 8 < end - begin) {
    step *= 8;
  }
  if (step == leaf) {
    for (; begin < end; begin += leaf) {
      take(acc, begin, end - begin < leaf ? end - begin : leaf);
    }
    return;
  }
  alignas(64) char branch[kReduceItems * kAccumulatorBytes];
  for (; begin < end; begin += step) {
    kernel.init(branch, items, begin);
    reduce_tree(kernel, branch, items, begin, end - begin < step ? end : begin + step, leaf, take);
    kernel.combine(acc, branch, items);
  }
}

}  // namespace th::cpu
