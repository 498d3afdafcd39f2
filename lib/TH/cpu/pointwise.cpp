// Element-wise operations: checks, the result's shape, and the kernel for the type.
#include "functors/pointwise.h"

#include "core/dtype.h"
#include "core/tensor.h"
#include "cpu/elementwise.h"
#include "cpu/fill_backend.h"
#include "cpu/select.h"

namespace th::cpu {

const PointwiseKernels& pointwise_kernels() {
  static const PointwiseKernels table = select_kernels<PointwiseKernels>();
  return table;
}

namespace {

/// Transcendental functions take some ten times as long as an addition.
constexpr int kUnaryCost = 8;

/// An integer loop cannot report a division by zero, it would trap: look before it runs.
void refuse_zero(const TH_Tensor& divisor) {
  const Tensor t = contiguous(divisor);
  Integral::dispatch(t.dtype, [&]<class T>() {
    const T* x = data<T>(t);
    for (int64_t i = 0, n = numel(t); i < n; ++i) {
      TH_CHECK(x[i] != 0, "integer division by zero: element ", i + 1, " of the divisor is 0");
    }
  });
}

void refuse_zero(const TH_Tensor& x, double divisor) {
  Integral::dispatch(x.dtype, [&]<class T>() {
    TH_CHECK(from_number<T>(divisor) != 0, "integer division by zero: ", divisor, " is 0 as an element of a ",
             type_name(x));
  });
}

template <class Functor>
constexpr bool divides() {
  return requires { Functor::divides_by_last; };
}

/// r = kernel(x, ...): all of x's type and element count, r resized to x's shape.
template <class Types, class... Rest>
void apply(const KernelRow& row, int cost, TH_Tensor* r, const double* scalars, const TH_Tensor* x,
           Rest... rest) {
  TH_CHECK(r != nullptr && x != nullptr && ((rest != nullptr) && ...), "an operand is missing");
  const Kernel kernel = row.by_dtype[compute_dtype(x->dtype)];
  if (kernel == nullptr) [[unlikely]] {
    Types::unsupported(x->dtype);
  }
  check_same_dtype(*r, *x);
  (check_same_dtype(*x, *rest), ...);
  if constexpr (sizeof...(Rest) > 0) {
    check_same_count(*x, {rest...});
  }
  resize_as(*r, *x);
  const int dtype = compute_dtype(x->dtype);
  const Operand operands[] = {{r, dtype}, {x, dtype}, {rest, dtype}...};
  elementwise(kernel, operands, 2 + sizeof...(Rest), scalars, cost);
}

}  // namespace

void fill_pointwise(Backend& b) {
#define TH_UNARY(NAME, FUNCTOR, DTYPES, FORMULA)                                             \
  b.NAME = [](TH_Tensor* r, const TH_Tensor* x) {                                            \
    apply<DTYPES>(pointwise_kernels().NAME, kUnaryCost, r, nullptr, x);                      \
  };                                                                                         \
  b.NAME##_backward = [](TH_Tensor* r, const TH_Tensor* g, const TH_Tensor* x, const TH_Tensor* y) { \
    apply<Floating>(pointwise_kernels().NAME##_backward, 1, r, nullptr, g, x, y);            \
  };
#define TH_SCALAR(NAME, FUNCTOR, DTYPES, FORMULA)                         \
  b.NAME = [](TH_Tensor* r, const TH_Tensor* x, double value) {           \
    if (divides<functors::FUNCTOR>() && is_integral(x->dtype)) {          \
      refuse_zero(*x, value);                                             \
    }                                                                     \
    apply<DTYPES>(pointwise_kernels().NAME, 1, r, &value, x);             \
  };
#define TH_SCALAR2(NAME, FUNCTOR, DTYPES, FORMULA)                        \
  b.NAME = [](TH_Tensor* r, const TH_Tensor* x, double p, double q) {     \
    const double scalars[] = {p, q};                                      \
    apply<DTYPES>(pointwise_kernels().NAME, 1, r, scalars, x);            \
  };
#define TH_BINARY(NAME, FUNCTOR, DTYPES, FORMULA)                           \
  b.NAME = [](TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* y) {       \
    if (divides<functors::FUNCTOR>() && is_integral(y->dtype)) {            \
      refuse_zero(*y);                                                      \
    }                                                                       \
    apply<DTYPES>(pointwise_kernels().NAME, 1, r, nullptr, x, y);           \
  };
#define TH_BINARY_SCALAR(NAME, FUNCTOR, DTYPES, FORMULA)                                \
  b.NAME = [](TH_Tensor* r, const TH_Tensor* x, double value, const TH_Tensor* y) {     \
    apply<DTYPES>(pointwise_kernels().NAME, 1, r, &value, x, y);                        \
  };
#define TH_TERNARY_SCALAR(NAME, FUNCTOR, DTYPES, FORMULA)                               \
  b.NAME = [](TH_Tensor* r, const TH_Tensor* x, double value, const TH_Tensor* y,       \
              const TH_Tensor* z) {                                                     \
    if (divides<functors::FUNCTOR>() && is_integral(z->dtype)) {                        \
      refuse_zero(*z);                                                                  \
    }                                                                                   \
    apply<DTYPES>(pointwise_kernels().NAME, 1, r, &value, x, y, z);                     \
  };
#include "ops/pointwise.def"
}

}  // namespace th::cpu
