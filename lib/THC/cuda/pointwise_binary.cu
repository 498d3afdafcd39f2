// Element-wise operations of two and three operands.
#include <limits>

#include "core/tables/pointwise.h"
#include "cuda/atomics.h"
#include "cuda/pointwise.h"
#include "cuda/register.h"

namespace thc {
namespace {

/// The position of the first zero.
template <class T>
struct FirstZero {
  Elements<T> x;
  int64_t* first;
  TH_HD void operator()(int64_t i) const {
    if (x.load(i) == 0) {
      atomic_min(first, i);
    }
  }
};

struct Assign {
  int64_t* to;
  int64_t value;
  TH_HD void operator()(int64_t) const { *to = value; }
};

}  // namespace

void refuse_zero(const TH_Tensor& divisor) {
  constexpr int64_t kNone = std::numeric_limits<int64_t>::max();
  const int64_t n = numel(divisor);
  const cudaStream_t stream = stream_for(divisor);
  const Scratch scratch(divisor, sizeof(int64_t));
  int64_t* const first = scratch.data<int64_t>();
  launch(stream, 1, Assign{first, kNone});
  Integral::dispatch(divisor.dtype, [&]<class T>() {
    launch(stream, n, FirstZero<T>{Elements<T>(divisor), first});
  });
  if (const int64_t found = fetch(first, stream); found != kNone) {
    divisor_is_zero(found);
  }
}

namespace {

template <class Op>
void check_divisor(const TH_Tensor* divisor) {
  TH_CHECK(divisor != nullptr, "an operand is missing");
  if (divides<Op>() && is_integral(divisor->dtype)) {
    refuse_zero(*divisor);
  }
}

template <class Op, class Types>
void binary(TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* y) {
  check_divisor<Op>(y);
  apply<Types>(Always<Forward<Op>>{}, r, x, y);
}

template <class Op, class Types>
void binary_scalar(TH_Tensor* r, const TH_Tensor* x, double value, const TH_Tensor* y) {
  apply<Types>([&]<class T>() { return WithValue<Op, Compute<T>>{from_number<Compute<T>>(value)}; },
               r, x, y);
}

template <class Op, class Types>
void ternary_scalar(TH_Tensor* r, const TH_Tensor* x, double value, const TH_Tensor* y,
                    const TH_Tensor* z) {
  check_divisor<Op>(z);
  apply<Types>([&]<class T>() { return WithValue<Op, Compute<T>>{from_number<Compute<T>>(value)}; },
               r, x, y, z);
}

}  // namespace

void register_pointwise_binary(th::PointwiseTable& b) {
#define TH_UNARY(NAME, FUNCTOR, DTYPES, FORMULA)
#define TH_SCALAR(NAME, FUNCTOR, DTYPES, FORMULA)
#define TH_SCALAR2(NAME, FUNCTOR, DTYPES, FORMULA)
#define TH_BINARY(NAME, FUNCTOR, DTYPES, FORMULA) b.NAME = binary<th::functors::FUNCTOR, DTYPES>;
#define TH_BINARY_SCALAR(NAME, FUNCTOR, DTYPES, FORMULA) \
  b.NAME = binary_scalar<th::functors::FUNCTOR, DTYPES>;
#define TH_TERNARY_SCALAR(NAME, FUNCTOR, DTYPES, FORMULA) \
  b.NAME = ternary_scalar<th::functors::FUNCTOR, DTYPES>;
#include "ops/pointwise.def"
}

}  // namespace thc
