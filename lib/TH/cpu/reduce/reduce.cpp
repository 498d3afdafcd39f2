// Reductions: what each accumulates, what becomes of it, and which types it takes.
#include "functors/reduce.h"

#include <algorithm>
#include <cmath>

#include "core/checks/reduce.h"
#include "core/tables/reduce.h"
#include "core/tensor/aliasing.h"
#include "core/tensor/dtype.h"
#include "core/tensor/tensor.h"
#include "cpu/reduce/reduce_walk.h"
#include "cpu/register.h"
#include "cpu/select.h"

namespace th::cpu {

const ReduceKernels& reduce_kernels() {
  static const ReduceKernels table = select_kernels<ReduceKernels>();
  return table;
}

namespace {

const ReduceKernel& kernel_for(const ReduceRow& row, const TH_Tensor& x) {
  const ReduceKernel& kernel = row.by_dtype[x.dtype];
  return kernel.rows != nullptr ? kernel : row.by_dtype[compute_dtype(x.dtype)];
}

void fold(const ReduceRow& row, const Finish* finish, double p, TH_Tensor* r, const TH_Tensor* x,
          int dim) {
  check_reducible(r, x, dim);
  reduce_dim({kernel_for(row, *x), finish[compute_dtype(x->dtype)], p}, r, nullptr, x, dim);
}

// --- sums and products --------------------------------------------------------------------------

/// The number in an accumulator of the wide type.
double total(const ReduceRow& row, double p, const TH_Tensor& x) {
  alignas(8) char acc[kAccumulatorBytes];
  reduce_all(kernel_for(row, x), p, x, acc);
  return is_integral(x.dtype) ? static_cast<double>(*reinterpret_cast<const int64_t*>(acc))
                              : *reinterpret_cast<const double*>(acc);
}

void sum_all(double* value, const TH_Tensor* x) {
  *value = given(x).ndim == 0 ? 0 : total(reduce_kernels().sum, 0, *x);
}

void prod_all(double* value, const TH_Tensor* x) {
  *value = given(x).ndim == 0 ? 1 : total(reduce_kernels().prod, 0, *x);
}

void sum(TH_Tensor* r, const TH_Tensor* x, int dim) {
  fold(reduce_kernels().sum, reduce_kernels().total, 0, r, x, dim);
}

void prod(TH_Tensor* r, const TH_Tensor* x, int dim) {
  fold(reduce_kernels().prod, reduce_kernels().total, 0, r, x, dim);
}

void mean(TH_Tensor* r, const TH_Tensor* x, int dim) {
  check_floating(x);
  fold(reduce_kernels().sum, reduce_kernels().mean, 0, r, x, dim);
}

// --- variance and standard deviation ------------------------------------------------------------

template <class F>
void deviation_all(double* value, const TH_Tensor* x, bool biased) {
  check_floating(x);
  check_not_empty(given(x));
  alignas(8) double acc[3];
  reduce_all(kernel_for(reduce_kernels().moments, *x), 0, *x, acc);
  *value = F::finish(acc[2], static_cast<double>(numel(*x)), biased ? 0 : 1);
}

void deviation(const Finish* finish, TH_Tensor* r, const TH_Tensor* x, int dim, bool biased) {
  check_floating(x);
  fold(reduce_kernels().moments, finish, biased ? 0 : 1, r, x, dim);
}

// --- norms --------------------------------------------------------------------------------------

/// norm(x, p): the number of non-zeros (p = 0), sum |x|^p to the 1/p, the largest (p = infinity) or
/// smallest (p = -infinity) |x|.
struct Norm {
  const ReduceRow& row;
  double (*root)(double total, double n, double p);
  const Finish* finish;
};

Norm select_norm(double p) {
  const ReduceKernels& k = reduce_kernels();
  const auto total = functors::Total::finish<double>;
  if (p == 0) {
    return {k.count_nonzero, total, k.total};
  }
  if (p == 1) {
    return {k.sum_magnitudes, total, k.total};
  }
  if (p == 2) {
    return {k.sum_squares, functors::SquareRoot::finish, k.square_root};
  }
  if (std::isinf(p)) {
    return {p > 0 ? k.max_magnitude : k.min_magnitude, total, k.total};
  }
  return {k.sum_powers, functors::Root::finish, k.root};
}

void norm_all(double* value, const TH_Tensor* x, double p) {
  check_floating(x);
  if (x->ndim == 0) {
    *value = 0;
    return;
  }
  const Norm norm = select_norm(p);
  *value = norm.root(total(norm.row, p, *x), 0, p);
}

void norm(TH_Tensor* r, const TH_Tensor* x, double p, int dim) {
  check_floating(x);
  const Norm norm = select_norm(p);
  fold(norm.row, norm.finish, p, r, x, dim);
}

void dist(double* value, const TH_Tensor* x, const TH_Tensor* y, double p) {
  check_distance(x, y);
  if (x->ndim == 0) {
    *value = 0;
    return;
  }
  const Norm norm = select_norm(p);
  double acc;
  reduce_difference(norm.row.by_dtype[TH_DOUBLE], p, *x, *y, &acc);
  *value = norm.root(acc, 0, p);
}

// --- extremes -----------------------------------------------------------------------------------

void extreme_all(const ReduceRow& row, double* value, const TH_Tensor& x) {
  check_not_empty(x);
  alignas(8) char acc[kAccumulatorBytes];
  reduce_all(kernel_for(row, x), 0, x, acc);
  ComputeTypes::dispatch(compute_dtype(x.dtype), [&]<class T>() {
    *value = convert<double>(*reinterpret_cast<const T*>(acc));
  });
}

void extreme(const ReduceRow& row, TH_Tensor* r, TH_Tensor* positions, const TH_Tensor* x,
             int dim) {
  check_extreme(r, positions, x, dim);
  TH_CHECK(!shares_memory(*r, *positions), "values and positions cannot go into one storage");
  const Finish finish = reduce_kernels().extreme[compute_dtype(x->dtype)];
  reduce_dim({kernel_for(row, *x), finish, 0}, r, positions, x, dim);
}

// --- logic --------------------------------------------------------------------------------------

void check_bytes(const TH_Tensor& x) { check_dtype(x, TH_BYTE, "the tensor"); }

void all(bool* value, const TH_Tensor* x) {
  check_bytes(given(x));
  double least = 1;
  if (x->ndim > 0) {
    extreme_all(reduce_kernels().min, &least, *x);
  }
  *value = least != 0;
}

void any(bool* value, const TH_Tensor* x) {
  check_bytes(given(x));
  double most = 0;
  if (x->ndim > 0) {
    extreme_all(reduce_kernels().max, &most, *x);
  }
  *value = most != 0;
}

void equal(bool* value, const TH_Tensor* x, const TH_Tensor* y) {
  TH_CHECK(x != nullptr && y != nullptr, "an operand is missing");
  check_same_dtype(*x, *y);
  *value = same_sizes(*x, *y) && equal_elements(*x, *y);
}

}  // namespace

void register_reduce(ReduceTable& b) {
  b.sum_all = sum_all;
  b.prod_all = prod_all;
  b.min_all = [](double* value, const TH_Tensor* x) {
    extreme_all(reduce_kernels().min, value, given(x));
  };
  b.max_all = [](double* value, const TH_Tensor* x) {
    extreme_all(reduce_kernels().max, value, given(x));
  };
  b.var_all = deviation_all<functors::Variance>;
  b.norm_all = norm_all;
  b.dist = dist;
  b.all = all;
  b.any = any;
  b.equal = equal;
  b.sum = sum;
  b.prod = prod;
  b.mean = mean;
  b.var = [](TH_Tensor* r, const TH_Tensor* x, int dim, bool biased) {
    deviation(reduce_kernels().variance, r, x, dim, biased);
  };
  b.std = [](TH_Tensor* r, const TH_Tensor* x, int dim, bool biased) {
    deviation(reduce_kernels().deviation, r, x, dim, biased);
  };
  b.norm = norm;
  b.min = [](TH_Tensor* r, TH_Tensor* positions, const TH_Tensor* x, int dim) {
    extreme(reduce_kernels().argmin, r, positions, x, dim);
  };
  b.max = [](TH_Tensor* r, TH_Tensor* positions, const TH_Tensor* x, int dim) {
    extreme(reduce_kernels().argmax, r, positions, x, dim);
  };
}

}  // namespace th::cpu
