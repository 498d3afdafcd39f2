// Comparisons: bytes of 0 and 1, or the same in the operands' own type.
#include "cuda/pointwise.h"
#include "cuda/register.h"

namespace thc {
namespace {

/// A comparison whose answer is 0 or 1 of type R.
template <class R, class F>
struct Flag {
  F f;
  template <class... Cs>
  TH_HD R operator()(Cs... x) const {
    return static_cast<R>(f(x...));
  }
};

template <class Make, class... Xs>
void apply_compare(const Make& make, TH_Tensor* r, const TH_Tensor* x, const Xs*... rest) {
  prepare_compare(r, x, rest...);
  AllTypes::dispatch(x->dtype, [&]<class T>() {
    using F = decltype(make.template operator()<T>());
    if (r->dtype == TH_BYTE) {
      elementwise<uint8_t, T>(*r, Flag<uint8_t, F>{make.template operator()<T>()}, x, rest...);
    } else {
      elementwise<T, T>(*r, Flag<Compute<T>, F>{make.template operator()<T>()}, x, rest...);
    }
  });
}

template <class Op>
void compare(TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* y) {
  apply_compare(Always<Forward<Op>>{}, r, x, y);
}

template <class Op>
void compare_value(TH_Tensor* r, const TH_Tensor* x, double value) {
  apply_compare(
      [&]<class T>() { return WithValue<Op, Compute<T>>{from_number<Compute<T>>(value)}; }, r, x);
}

}  // namespace

void register_compare(Backend& b) {
#define TH_COMPARE(NAME, FUNCTOR, FORMULA) \
  b.NAME = compare<th::functors::FUNCTOR>; \
  b.NAME##_value = compare_value<th::functors::FUNCTOR>;
#include "ops/compare.def"
}

}  // namespace thc
