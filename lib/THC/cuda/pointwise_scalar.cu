// Element-wise operations of one operand and one or two numbers, and the latter's gradients.
#include "core/tables/pointwise.h"
#include "cuda/pointwise.h"
#include "cuda/register.h"

namespace thc {
namespace {

template <class Op, class Types>
void scalar(TH_Tensor* r, const TH_Tensor* x, double value) {
  TH_CHECK(x != nullptr, "an operand is missing");
  if (divides<Op>() && is_integral(given(x).dtype)) {
    th::refuse_zero(*x, value);
  }
  apply<Types>([&]<class T>() { return WithValue<Op, Compute<T>>{from_number<Compute<T>>(value)}; },
               r, x);
}

template <class Op, class Types>
void scalar2(TH_Tensor* r, const TH_Tensor* x, double a, double b) {
  apply<Types>(
      [&]<class T>() {
        using C = Compute<T>;
        return WithTwoValues<Op, C>{from_number<C>(a), from_number<C>(b)};
      },
      r, x);
}

template <class Op>
void scalar2_backward(TH_Tensor* r, const TH_Tensor* g, const TH_Tensor* x, const TH_Tensor* y,
                      double a, double b) {
  apply<Floating>(
      [&]<class T>() {
        using C = Compute<T>;
        return BackwardWithTwoValues<Op, C>{from_number<C>(a), from_number<C>(b)};
      },
      r, g, x, y);
}

}  // namespace

void register_pointwise_scalar(th::PointwiseTable& b) {
#define TH_UNARY(NAME, FUNCTOR, DTYPES, FORMULA)
#define TH_SCALAR(NAME, FUNCTOR, DTYPES, FORMULA) b.NAME = scalar<th::functors::FUNCTOR, DTYPES>;
#define TH_SCALAR2(NAME, FUNCTOR, DTYPES, FORMULA) \
  b.NAME = scalar2<th::functors::FUNCTOR, DTYPES>; \
  b.NAME##_backward = scalar2_backward<th::functors::FUNCTOR>;
#define TH_BINARY(NAME, FUNCTOR, DTYPES, FORMULA)
#define TH_BINARY_SCALAR(NAME, FUNCTOR, DTYPES, FORMULA)
#define TH_TERNARY_SCALAR(NAME, FUNCTOR, DTYPES, FORMULA)
#include "ops/pointwise.def"
}

}  // namespace thc
