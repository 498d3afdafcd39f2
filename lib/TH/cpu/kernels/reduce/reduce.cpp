#include "cpu/kernels/reduce/reduce.h"

#include <cstring>

#include "core/tensor/dtype.h"
#include "cpu/kernels/reduce/reduce_fold.h"
#include "cpu/kernels/reduce/reduce_moments.h"
#include "cpu/kernels/reduce/reduce_position.h"
#include "functors/reduce.h"

namespace th::cpu::TH_ISA {
namespace {

// --- from accumulators to results ---------------------------------------------------------------

struct RootOf {
  static double map(double x, double p) { return functors::Root::finish(x, 0, p); }
};

/// As `finish`, with the vector form of pow for every result.
template <class T>
void finish_root(void* r, const void* acc, int64_t items, double, double p) {
  T* to = static_cast<T*>(r);
  double roots[kReduceItems];
  std::memcpy(roots, acc, static_cast<size_t>(items) * sizeof(double));
  map_lanes<RootOf>(roots, items, p);
  for (int64_t i = 0; i < items; ++i) {
    to[i] = convert<T>(roots[i]);
  }
}

template <class F, class A, class T>
void finish(void* r, const void* acc, int64_t items, double n, double p) {
  T* to = static_cast<T*>(r);
  const A* from = static_cast<const A*>(acc);
#pragma GCC ivdep
  for (int64_t i = 0; i < items; ++i) {
    to[i] = convert<T>(F::finish(from[i], n, p));
  }
}

/// F of the squared deviations.
template <class F, class T>
void finish_moments(void* r, const void* acc, int64_t items, double n, double p) {
  finish<F, double, T>(r, static_cast<const double*>(acc) + 2 * items, items, n, p);
}

// --- the table --------------------------------------------------------------------------------

template <class T>
bool equal(const void* xs, const void* ys, int64_t n) {
  const T* x = static_cast<const T*>(xs);
  const T* y = static_cast<const T*>(ys);
  if constexpr (std::is_integral_v<T>) {
    return std::memcmp(x, y, static_cast<size_t>(n) * sizeof(T)) == 0;
  }
  int different = 0;
  for (int64_t i = 0; i < n; ++i) {
    different |= x[i] != y[i];
  }
  return different == 0;
}

template <class T, class Kernels>
constexpr ReduceKernel kernel() {
  return {dtype_of<T>,      Kernels::init,    Kernels::rows,
          Kernels::columns, Kernels::combine, Kernels::gather};
}

template <class T>
void fill_type(ReduceKernels& table) {
  using namespace functors;
  constexpr int d = dtype_of<T>;
  table.sum.by_dtype[d] = kernel<T, Fold<Sum, Wide<T>, T>>();
  table.prod.by_dtype[d] = kernel<T, FoldInOrder<Prod, Wide<T>, T>>();
  table.min.by_dtype[d] = kernel<T, Fold<Min, T, T>>();
  table.max.by_dtype[d] = kernel<T, Fold<Max, T, T>>();
  table.argmin.by_dtype[d] = kernel<T, FoldPosition<Min, T>>();
  table.argmax.by_dtype[d] = kernel<T, FoldPosition<Max, T>>();
  table.total[d] = finish<Total, Wide<T>, T>;
  table.extreme[d] = finish<Total, T, T>;
  table.equal[d] = equal<T>;
  if constexpr (std::is_floating_point_v<T>) {
    table.moments.by_dtype[d] = kernel<T, FoldMoments<T>>();
    table.count_nonzero.by_dtype[d] = kernel<T, Fold<CountNonZero, double, T>>();
    table.sum_magnitudes.by_dtype[d] = kernel<T, Fold<SumMagnitudes, double, T>>();
    table.sum_squares.by_dtype[d] = kernel<T, Fold<SumSquares, double, T>>();
    table.sum_powers.by_dtype[d] = kernel<T, Fold<SumPowers, double, T>>();
    table.max_magnitude.by_dtype[d] = kernel<T, Fold<MaxMagnitude, double, T>>();
    table.min_magnitude.by_dtype[d] = kernel<T, Fold<MinMagnitude, double, T>>();
    table.mean[d] = finish<Mean, double, T>;
    table.square_root[d] = finish<SquareRoot, double, T>;
    table.root[d] = finish_root<T>;
    table.variance[d] = finish_moments<Variance, T>;
    table.deviation[d] = finish_moments<Deviation, T>;
  }
}

}  // namespace

void set_kernels(ReduceKernels& table) {
  [&]<class... T>(TypeSet<T...>) { (fill_type<T>(table), ...); }(ComputeTypes{});
  table.sum.by_dtype[TH_HALF] = kernel<Half, FoldSixteenBits<Half>>();
  table.sum.by_dtype[TH_BFLOAT16] = kernel<BFloat16, FoldSixteenBits<BFloat16>>();
}

}  // namespace th::cpu::TH_ISA
