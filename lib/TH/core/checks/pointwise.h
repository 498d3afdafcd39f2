// What every backend checks before an element-wise operation, and how the result gets its shape.
#pragma once

#include "core/tensor/dtype.h"
#include "core/tensor/tensor.h"

namespace th {

/// r = f(x, ...): all of x's type, which is one of Types, and of x's element count. Gives r x's
/// shape.
template <class Types, class... Rest>
void prepare_pointwise(TH_Tensor* r, const TH_Tensor* x, const Rest*... rest) {
  TH_CHECK(r != nullptr && x != nullptr && ((rest != nullptr) && ...), "an operand is missing");
  if (!Types::contains(x->dtype)) [[unlikely]] {
    Types::unsupported(x->dtype);
  }
  check_same_dtype(*r, *x);
  (check_same_dtype(*x, *rest), ...);
  if constexpr (sizeof...(Rest) > 0) {
    check_same_count(*x, {rest...});
  }
  resize_as(*r, *x);
}

/// The same for comparisons, whose results are bytes or of x's type.
template <class... Rest>
void prepare_compare(TH_Tensor* r, const TH_Tensor* x, const Rest*... rest) {
  TH_CHECK(r != nullptr && x != nullptr && ((rest != nullptr) && ...), "an operand is missing");
  TH_CHECK(r->dtype == TH_BYTE || r->dtype == x->dtype, "the result is a ", type_name(*r),
           ", wanted a ByteTensor or a ", type_name(*x));
  (check_same_dtype(*x, *rest), ...);
  if constexpr (sizeof...(Rest) > 0) {
    check_same_count(*x, {rest...});
  }
  resize_as(*r, *x);
}

// Integer division by zero is refused before the loop runs: a loop has no way to report it.

template <class Functor>
constexpr bool divides() {
  return requires { Functor::divides_by_last; };
}

[[noreturn]] inline void divisor_is_zero(int64_t position) {
  fail("integer division by zero: element ", position + 1, " of the divisor is 0");
}

inline void refuse_zero(const TH_Tensor& x, double divisor) {
  Integral::dispatch(x.dtype, [&]<class T>() {
    TH_CHECK(from_number<T>(divisor) != 0, "integer division by zero: ", divisor,
             " is 0 as an element of a ", type_name(x));
  });
}

}  // namespace th
