// Reductions: what each accumulates, what becomes of it, and which types it takes.
#include <cmath>
#include <optional>

#include "core/checks/reduce.h"
#include "core/tables/reduce.h"
#include "core/tensor/aliasing.h"
#include "cuda/lines.h"
#include "cuda/reduce/reduce_walk.cuh"
#include "cuda/register.h"

namespace thc {
namespace {

/// r = x with dimension `dim` reduced to size 1; positions may be NULL.
template <class Op>
void reduce_dim(const Op& op, Finish kind, double p, TH_Tensor* r, TH_Tensor* positions,
                const TH_Tensor* x, int dim) {
  const Tensor source(*x);  // r may be x
  const SizesWith shape(source, dim, 1);
  const ReducePlan<Op> plan(source, lines_along(source, dim),
                            OffsetCalculator(1, source.sizes + dim, source.strides + dim),
                            numel(source) / source.sizes[dim], op);
  Result result(r, shape, Result::Any, {&source});
  std::optional<Result> places;
  if (positions != nullptr) {
    places.emplace(positions, shape, Result::Any, std::initializer_list<const TH_Tensor*>{&source});
  }
  detail::ReduceTarget<Op> target{};
  target.r = WideElements<typename Op::W>(result.tensor());
  target.layout = OffsetCalculator(result.tensor());
  target.kind = kind;
  target.n = static_cast<double>(plan.n());
  target.p = p;
  if (places) {
    target.positions = data<int64_t>(places->tensor());
    target.positions_layout = OffsetCalculator(places->tensor());
  }
  plan.run(target);
  if (places) {
    places->finish();
  }
  result.finish();
}

// --- sums and products --------------------------------------------------------------------------

template <class Op>
double total(const TH_Tensor& x) {
  double value = 0;
  with_wide(x.dtype,
            [&]<class W>() { value = static_cast<double>(reduce_all(x, Fold<Op, W>{0})); });
  return value;
}

void sum_all(double* value, const TH_Tensor* x) {
  *value = given(x).ndim == 0 ? 0 : total<functors::Sum>(*x);
}

void prod_all(double* value, const TH_Tensor* x) {
  *value = given(x).ndim == 0 ? 1 : total<functors::Prod>(*x);
}

template <class Op>
void fold(TH_Tensor* r, const TH_Tensor* x, int dim) {
  check_reducible(r, x, dim);
  with_wide(x->dtype,
            [&]<class W>() { reduce_dim(Fold<Op, W>{0}, Finish::kTotal, 0, r, nullptr, x, dim); });
}

void mean(TH_Tensor* r, const TH_Tensor* x, int dim) {
  check_floating(x);
  check_reducible(r, x, dim);
  reduce_dim(Fold<functors::Sum, double>{0}, Finish::kMean, 0, r, nullptr, x, dim);
}

// --- variance and standard deviation ------------------------------------------------------------

template <Finish kKind>
void deviation_all(double* value, const TH_Tensor* x, bool biased) {
  check_floating(x);
  check_not_empty(given(x));
  const double squares = reduce_all(*x, SquaredDeviations{});
  *value = finish(kKind, squares, static_cast<double>(numel(*x)), biased ? 0 : 1);
}

template <Finish kKind>
void deviation(TH_Tensor* r, const TH_Tensor* x, int dim, bool biased) {
  check_floating(x);
  check_reducible(r, x, dim);
  reduce_dim(SquaredDeviations{}, kKind, biased ? 0 : 1, r, nullptr, x, dim);
}

// --- norms --------------------------------------------------------------------------------------

/// go(operation, what becomes of its total): the number of non-zeros (p = 0), sum |x|^p to the 1/p,
/// the largest (p = infinity) or smallest (p = -infinity) |x|.
template <class F>
void with_norm(double p, F&& go) {
  using namespace functors;
  if (p == 0) {
    go(Fold<CountNonZero, double>{p}, Finish::kTotal);
  } else if (p == 1) {
    go(Fold<SumMagnitudes, double>{p}, Finish::kTotal);
  } else if (p == 2) {
    go(Fold<SumSquares, double>{p}, Finish::kSquareRoot);
  } else if (std::isinf(p) && p > 0) {
    go(Fold<MaxMagnitude, double>{p}, Finish::kTotal);
  } else if (std::isinf(p)) {
    go(Fold<MinMagnitude, double>{p}, Finish::kTotal);
  } else {
    go(Fold<SumPowers, double>{p}, Finish::kRoot);
  }
}

void norm_all(double* value, const TH_Tensor* x, double p) {
  check_floating(x);
  if (x->ndim == 0) {
    *value = 0;
    return;
  }
  with_norm(p, [&](const auto& op, Finish kind) {
    *value = finish(kind, reduce_all(*x, op), static_cast<double>(numel(*x)), p);
  });
}

void norm(TH_Tensor* r, const TH_Tensor* x, double p, int dim) {
  check_floating(x);
  check_reducible(r, x, dim);
  with_norm(p, [&](const auto& op, Finish kind) { reduce_dim(op, kind, p, r, nullptr, x, dim); });
}

struct Subtract {
  WideElements<double> x;
  WideElements<double> y;
  OffsetCalculator x_layout;
  OffsetCalculator y_layout;
  double* r;
  TH_HD void operator()(int64_t i) const {
    r[i] = x.load(x_layout.offset(i)) - y.load(y_layout.offset(i));
  }
};

void dist(double* value, const TH_Tensor* x, const TH_Tensor* y, double p) {
  check_distance(x, y);
  if (x->ndim == 0) {
    *value = 0;
    return;
  }
  const Tensor difference = Tensor::like(*x, TH_DOUBLE, sizes_of(*x));
  launch(stream_for(*x), numel(*x),
         Subtract{WideElements<double>(*x), WideElements<double>(*y), OffsetCalculator(*x),
                  OffsetCalculator(*y), data<double>(difference)});
  norm_all(value, &difference, p);
}

// --- extremes -----------------------------------------------------------------------------------

template <class Op>
void extreme_all(double* value, const TH_Tensor* x) {
  check_not_empty(given(x));
  with_wide(x->dtype,
            [&]<class W>() { *value = static_cast<double>(reduce_all(*x, Extreme<Op, W>{})); });
}

template <class Op>
void extreme(TH_Tensor* r, TH_Tensor* positions, const TH_Tensor* x, int dim) {
  check_extreme(r, positions, x, dim);
  TH_CHECK(!shares_memory(*r, *positions), "values and positions cannot go into one storage");
  with_wide(x->dtype, [&]<class W>() {
    reduce_dim(Extreme<Op, W>{}, Finish::kTotal, 0, r, positions, x, dim);
  });
}

// --- logic --------------------------------------------------------------------------------------

template <class Op>
void logic(bool* value, const TH_Tensor* x, bool of_none) {
  check_dtype(given(x), TH_BYTE, "the tensor");
  *value = given(x).ndim == 0 ? of_none : reduce_all(*x, Extreme<Op, int64_t>{}) != 0;
}

template <class W>
struct Differ {
  WideElements<W> x;
  WideElements<W> y;
  OffsetCalculator x_layout;
  OffsetCalculator y_layout;
  int32_t* differ;
  TH_HD void operator()(int64_t i) const {
    if (x.load(x_layout.offset(i)) != y.load(y_layout.offset(i))) {
      *differ = 1;
    }
  }
};

bool equal_elements(const TH_Tensor& x, const TH_Tensor& y) {
  const cudaStream_t stream = stream_for(x);
  const Scratch scratch(x, sizeof(int32_t));
  auto* differ = scratch.data<int32_t>();
  THC_CHECK(cudaMemsetAsync(differ, 0, sizeof(int32_t), stream));
  with_wide(x.dtype, [&]<class W>() {
    launch(stream, numel(x),
           Differ<W>{WideElements<W>(x), WideElements<W>(y), OffsetCalculator(x),
                     OffsetCalculator(y), differ});
  });
  return fetch(differ, stream) == 0;
}

void equal(bool* value, const TH_Tensor* x, const TH_Tensor* y) {
  TH_CHECK(x != nullptr && y != nullptr, "an operand is missing");
  check_same_dtype(*x, *y);
  *value = same_sizes(*x, *y) && (x->ndim == 0 || equal_elements(*x, *y));
}

}  // namespace

void register_reduce(th::ReduceTable& b) {
  b.sum_all = sum_all;
  b.prod_all = prod_all;
  b.min_all = extreme_all<functors::Min>;
  b.max_all = extreme_all<functors::Max>;
  b.var_all = deviation_all<Finish::kVariance>;
  b.norm_all = norm_all;
  b.dist = dist;
  b.all = [](bool* value, const TH_Tensor* x) { logic<functors::Min>(value, x, true); };
  b.any = [](bool* value, const TH_Tensor* x) { logic<functors::Max>(value, x, false); };
  b.equal = equal;
  b.sum = fold<functors::Sum>;
  b.prod = fold<functors::Prod>;
  b.mean = mean;
  b.var = deviation<Finish::kVariance>;
  b.std = deviation<Finish::kDeviation>;
  b.norm = norm;
  b.min = extreme<functors::Min>;
  b.max = extreme<functors::Max>;
}

}  // namespace thc
