// What the files of element-wise operations share: functors of lib/TH/functors as functions of
// elements, and the check of divisors.
#pragma once

#include "core/checks/pointwise.h"
#include "cuda/elementwise.cuh"
#include "functors/pointwise.h"

namespace thc {

template <class Op>
struct Forward {
  template <class C, class... Cs>
  TH_HD auto operator()(C x, Cs... rest) const {
    return Op::forward(x, rest...);
  }
};

template <class Op>
struct Backward {
  template <class C>
  TH_HD C operator()(C g, C x, C y) const {
    return Op::backward(g, x, y);
  }
};

template <class Op, class C>
struct WithValue {
  C value;
  template <class... Cs>
  TH_HD auto operator()(C x, Cs... rest) const {
    return Op::forward(x, value, rest...);
  }
};

template <class Op, class C>
struct WithTwoValues {
  C a;
  C b;
  TH_HD C operator()(C x) const { return Op::forward(x, a, b); }
};

template <class Op, class C>
struct BackwardWithTwoValues {
  C a;
  C b;
  TH_HD C operator()(C g, C x, C y) const { return Op::backward(g, x, y, a, b); }
};

/// What apply() is given where f depends neither on the type nor on numbers.
template <class F>
struct Always {
  template <class T>
  F operator()() const {
    return {};
  }
};

/// r = f(x...), all of one type of Types; make<T>() gives f.
template <class Types, class Make, class... Xs>
void apply(const Make& make, TH_Tensor* r, const Xs*... x) {
  prepare_pointwise<Types>(r, x...);
  Types::dispatch(r->dtype,
                  [&]<class T>() { elementwise<T, T>(*r, make.template operator()<T>(), x...); });
}

/// Throws when an element is zero; waits for the device. Integers only.
void refuse_zero(const TH_Tensor& divisor);

}  // namespace thc
