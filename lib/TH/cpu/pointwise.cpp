// Element-wise operations: checks, the result's shape, and the kernel for the type.
#include "functors/pointwise.h"

#include "core/checks/pointwise.h"
#include "core/tables/pointwise.h"
#include "core/tensor/dtype.h"
#include "core/tensor/tensor.h"
#include "cpu/elementwise.h"
#include "cpu/register.h"
#include "cpu/select.h"

namespace th::cpu {

const PointwiseKernels& pointwise_kernels() {
  static const PointwiseKernels table = select_kernels<PointwiseKernels>();
  return table;
}

namespace {

/// By vectors, transcendental functions take some three to ten times as long as an addition, others
/// no longer. Below 30,000 elements a second thread is worth its microsecond for neither.
template <class Functor>
constexpr int unary_cost() {
  return requires { Functor::calls_libm; }
  ? 2 : 1;
}

/// Looks for a zero before the loop runs.
void refuse_zero(const TH_Tensor& divisor) {
  const Tensor t = contiguous(divisor);
  Integral::dispatch(t.dtype, [&]<class T>() {
    const T* x = data<T>(t);
    for (int64_t i = 0, n = numel(t); i < n; ++i) {
      if (x[i] == 0) {
        divisor_is_zero(i);
      }
    }
  });
}

/// Whether x's elements need not be widened for the loop.
bool has_loop(const KernelRow& row, const TH_Tensor& x) { return row.by_dtype[x.dtype] != nullptr; }

/// r = kernel(x, ...)
template <class Types, class... Rest>
void apply(const KernelRow& row, int cost, TH_Tensor* r, const double* scalars, const TH_Tensor* x,
           const Rest*... rest) {
  if (r != nullptr && x != nullptr && ((rest != nullptr) && ...) && has_loop(row, *x) &&
      r->dtype == x->dtype && ((rest->dtype == x->dtype) && ...)) {
    const int64_t size = element_size(x->dtype);
    if (const int64_t n = small_and_plain(size, *r, *x, *rest...); n > 0) [[likely]] {
      void* const pointers[] = {bytes(*r), bytes(*x), bytes(*rest)...};
      row.by_dtype[x->dtype](pointers, n, scalars);
      return;
    }
  }
  prepare_pointwise<Types>(r, x, rest...);
  const int dtype = has_loop(row, *x) ? x->dtype : compute_dtype(x->dtype);
  const Operand operands[] = {{r, dtype}, {x, dtype}, {rest, dtype}...};
  elementwise(row.by_dtype[dtype], operands, 2 + sizeof...(Rest), scalars, cost);
}

}  // namespace

void register_pointwise(PointwiseTable& b) {
#define TH_UNARY(NAME, FUNCTOR, DTYPES, FORMULA)                                             \
  b.NAME = [](TH_Tensor* r, const TH_Tensor* x) {                                            \
    apply<DTYPES>(pointwise_kernels().NAME, unary_cost<functors::FUNCTOR>(), r, nullptr, x); \
  };                                                                                         \
  b.NAME##_backward = [](TH_Tensor* r, const TH_Tensor* g, const TH_Tensor* x,               \
                         const TH_Tensor* y) {                                               \
    apply<Floating>(pointwise_kernels().NAME##_backward, 1, r, nullptr, g, x, y);            \
  };
#define TH_SCALAR(NAME, FUNCTOR, DTYPES, FORMULA)                      \
  b.NAME = [](TH_Tensor* r, const TH_Tensor* x, double value) {        \
    if (divides<functors::FUNCTOR>() && is_integral(given(x).dtype)) { \
      th::refuse_zero(*x, value);                                      \
    }                                                                  \
    apply<DTYPES>(pointwise_kernels().NAME, 1, r, &value, x);          \
  };
#define TH_SCALAR2(NAME, FUNCTOR, DTYPES, FORMULA)                                                 \
  b.NAME = [](TH_Tensor* r, const TH_Tensor* x, double p, double q) {                              \
    const double scalars[] = {p, q};                                                               \
    apply<DTYPES>(pointwise_kernels().NAME, 1, r, scalars, x);                                     \
  };                                                                                               \
  b.NAME##_backward = [](TH_Tensor* r, const TH_Tensor* g, const TH_Tensor* x, const TH_Tensor* y, \
                         double p, double q) {                                                     \
    const double scalars[] = {p, q};                                                               \
    apply<Floating>(pointwise_kernels().NAME##_backward, 1, r, scalars, g, x, y);                  \
  };
#define TH_BINARY(NAME, FUNCTOR, DTYPES, FORMULA)                      \
  b.NAME = [](TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* y) {  \
    if (divides<functors::FUNCTOR>() && is_integral(given(y).dtype)) { \
      refuse_zero(*y);                                                 \
    }                                                                  \
    apply<DTYPES>(pointwise_kernels().NAME, 1, r, nullptr, x, y);      \
  };
#define TH_BINARY_SCALAR(NAME, FUNCTOR, DTYPES, FORMULA)                            \
  b.NAME = [](TH_Tensor* r, const TH_Tensor* x, double value, const TH_Tensor* y) { \
    apply<DTYPES>(pointwise_kernels().NAME, 1, r, &value, x, y);                    \
  };
#define TH_TERNARY_SCALAR(NAME, FUNCTOR, DTYPES, FORMULA)                         \
  b.NAME = [](TH_Tensor* r, const TH_Tensor* x, double value, const TH_Tensor* y, \
              const TH_Tensor* z) {                                               \
    if (divides<functors::FUNCTOR>() && is_integral(given(z).dtype)) {            \
      refuse_zero(*z);                                                            \
    }                                                                             \
    apply<DTYPES>(pointwise_kernels().NAME, 1, r, &value, x, y, z);               \
  };
#include "ops/pointwise.def"
}

}  // namespace th::cpu
