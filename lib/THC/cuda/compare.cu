// Comparisons: bytes of 0 and 1, or the same in the operands' own type.
#include <limits>

#include "core/tables/compare.h"
#include "cuda/pointwise.h"
#include "cuda/register.h"

namespace thc {
namespace {

/// What a comparison answers for each relation of its operands, a bit for each: less, equal,
/// greater, none of them (NaN). One kernel reads it and does for all six comparisons, which the
/// memory's pace hides.
template <class Op>
uint32_t answers() {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const bool bits[] = {Op::forward(0.0, 1.0), Op::forward(0.0, 0.0), Op::forward(1.0, 0.0),
                       Op::forward(nan, 0.0)};
  uint32_t result = 0;
  for (int i = 0; i < 4; ++i) {
    result |= (bits[i] ? 1u : 0u) << i;
  }
  return result;
}

/// 0 or 1 of type R.
template <class R, class C>
struct Compare {
  uint32_t answers;
  TH_HD R operator()(C x, C y) const {
    const int relation = x < y ? 0 : x == y ? 1 : x > y ? 2 : 3;
    return static_cast<R>(answers >> relation & 1u);
  }
};

template <class R, class C>
struct CompareWithValue {
  Compare<R, C> compare;
  C value;
  TH_HD R operator()(C x) const { return compare(x, value); }
};

template <class Op>
void compare(TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* y) {
  prepare_compare(r, x, y);
  AllTypes::dispatch(x->dtype, [&]<class T>() {
    using C = Compute<T>;
    if (r->dtype == TH_BYTE) {
      elementwise<uint8_t, T>(*r, Compare<uint8_t, C>{answers<Op>()}, x, y);
    } else {
      elementwise<T, T>(*r, Compare<C, C>{answers<Op>()}, x, y);
    }
  });
}

template <class Op>
void compare_value(TH_Tensor* r, const TH_Tensor* x, double number) {
  prepare_compare(r, x);
  AllTypes::dispatch(x->dtype, [&]<class T>() {
    using C = Compute<T>;
    const C value = from_number<C>(number);
    if (r->dtype == TH_BYTE) {
      elementwise<uint8_t, T>(*r, CompareWithValue<uint8_t, C>{{answers<Op>()}, value}, x);
    } else {
      elementwise<T, T>(*r, CompareWithValue<C, C>{{answers<Op>()}, value}, x);
    }
  });
}

}  // namespace

void register_compare(th::CompareTable& b) {
#define TH_COMPARE(NAME, FUNCTOR, FORMULA) \
  b.NAME = compare<th::functors::FUNCTOR>; \
  b.NAME##_value = compare_value<th::functors::FUNCTOR>;
#include "ops/compare.def"
}

}  // namespace thc
