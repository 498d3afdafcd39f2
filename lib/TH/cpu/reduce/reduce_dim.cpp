// One dimension of a tensor, result by result.
#include <algorithm>

#include "core/tensor/aliasing.h"
#include "core/tensor/sizes_with.h"
#include "cpu/reduce/reduce_dim_walk.h"
#include "cpu/reduce/reduce_walk.h"

namespace th::cpu {
namespace {

/// The common case without a plan, whose making takes longer than the work: a few rows, or the
/// columns of a small matrix. Returns false when that is not the case at hand.
bool reduce_small(const Reduction& reduction, TH_Tensor* r, TH_Tensor* positions,
                  const TH_Tensor& x, int dim, std::span<const int64_t> shape) {
  if (is_half(x.dtype) || !is_contiguous(x)) {
    return false;
  }
  int64_t outer = 1;
  int64_t inner = 1;
  for (int d = 0; d < x.ndim; ++d) {
    outer *= d < dim ? x.sizes[d] : 1;
    inner *= d > dim ? x.sizes[d] : 1;
  }
  const int64_t n = x.sizes[dim];
  const int64_t items = outer * inner;
  const bool rows = inner == 1 && n <= kReduceLeaf;
  const bool columns = outer == 1 && inner > 1 && n <= kReduceLeafRows;
  if (!(rows || columns) || items > kReduceItems || items * n >= 2 * kGrain ||
      shares_memory(*r, x) || !becomes_compact(*r, shape) ||
      (positions != nullptr &&
       (shares_memory(*positions, x) || !becomes_compact(*positions, shape)))) {
    return false;
  }
  if (positions != nullptr) {
    reserve(*r, shape);
    resize(*positions, shape);
  }
  resize(*r, shape);
  const ReduceKernel& kernel = reduction.kernel;
  alignas(64) char acc[kReduceItems * kAccumulatorBytes];
  kernel.init(acc, items, 0);
  if (rows) {
    kernel.rows(acc, items, bytes(x), n, n, 0, reduction.p);
  } else {
    kernel.columns(acc, items, bytes(x), inner, n, 0, reduction.p);
  }
  reduction.finish(bytes(*r), acc, items, static_cast<double>(n), reduction.p);
  if (positions != nullptr) {
    store_positions(data<int64_t>(*positions), 1, acc, items, x.dtype);
  }
  return true;
}

}  // namespace

void reduce_dim(const Reduction& reduction, TH_Tensor* r, TH_Tensor* positions, const TH_Tensor* x,
                int dim) {
  const SizesWith shape(*x, dim, 1);
  if (reduce_small(reduction, r, positions, *x, dim, shape)) {
    return;
  }
  const DimWalk walk(reduction, *x, dim);
  Result result(r, shape, Result::Compact, {x});
  if (positions == nullptr) {
    walk.run(result.tensor(), nullptr);
  } else {
    Result places(positions, shape, Result::Compact, {x});
    walk.run(result.tensor(), &places.tensor());
    places.finish();
  }
  result.finish();
}

}  // namespace th::cpu
