// Element-wise operations of one operand, and their gradients.
#include "core/tables/pointwise.h"
#include "cuda/pointwise.h"
#include "cuda/register.h"

namespace thc {
namespace {

template <class Op, class Types>
void unary(TH_Tensor* r, const TH_Tensor* x) {
  apply<Types>(Always<Forward<Op>>{}, r, x);
}

template <class Op>
void backward(TH_Tensor* r, const TH_Tensor* g, const TH_Tensor* x, const TH_Tensor* y) {
  apply<Floating>(Always<Backward<Op>>{}, r, g, x, y);
}

}  // namespace

void register_pointwise(th::PointwiseTable& b) {
#define TH_UNARY(NAME, FUNCTOR, DTYPES, FORMULA) \
  b.NAME = unary<th::functors::FUNCTOR, DTYPES>; \
  b.NAME##_backward = backward<th::functors::FUNCTOR>;
#define TH_SCALAR(NAME, FUNCTOR, DTYPES, FORMULA)
#define TH_SCALAR2(NAME, FUNCTOR, DTYPES, FORMULA)
#define TH_BINARY(NAME, FUNCTOR, DTYPES, FORMULA)
#define TH_BINARY_SCALAR(NAME, FUNCTOR, DTYPES, FORMULA)
#define TH_TERNARY_SCALAR(NAME, FUNCTOR, DTYPES, FORMULA)
#include "ops/pointwise.def"
}

}  // namespace thc
