// Softmax's arithmetic: the scale-free sum of powers, the values made from it, the gradients.
#pragma once

#include <limits>

#include "functors/math.h"

namespace thc {

using th::Compute;

struct Larger {
  template <class A>
  TH_HD A operator()(A a, A b) const {
    return b > a ? b : a;
  }
};

struct Add {
  template <class A>
  TH_HD A operator()(A a, A b) const {
    return a + b;
  }
};

/// The largest of some x, and the sum of e^(x - top) over them, made in one pass.
/// Source: Milakov and Gimelshein, "Online normalizer calculation for softmax", 2018.
template <class A>
struct PowerSum {
  A top = -std::numeric_limits<A>::infinity();
  A sum = 0;

  /// What exponents are taken from: any number will do while there are none but -inf.
  TH_HD static A pivot(A top) { return top == -std::numeric_limits<A>::infinity() ? A(0) : top; }

  TH_HD void take(A x) {
    if (x > top) {
      sum *= th::math::exp(top - x);
      top = x;
    }
    sum += th::math::exp(x - pivot(top));
  }
};

struct MergeSums {
  template <class A>
  TH_HD PowerSum<A> operator()(const PowerSum<A>& a, const PowerSum<A>& b) const {
    PowerSum<A> r;
    r.top = a.top > b.top ? a.top : b.top;
    const A pivot = PowerSum<A>::pivot(r.top);
    r.sum = a.sum * th::math::exp(a.top - pivot) + b.sum * th::math::exp(b.top - pivot);
    return r;
  }
};

/// What x becomes once the sum is known. All x being -inf, or one +inf or NaN, gives NaN.
template <class A>
struct Normalize {
  A top;
  A last;  // log(sum), or 1 / sum
  bool log;

  TH_HD Normalize(const PowerSum<A>& s, bool of_log)
      : top(s.top), last(of_log ? th::math::log(s.sum) : 1 / s.sum), log(of_log) {}
  // In this order: x and top may both be large.
  TH_HD A operator()(A x) const { return log ? (x - top) - last : th::math::exp(x - top) * last; }
};

/// dL/dx = y (g - sum g y) for softmax, g - e^y sum g for its logarithm.
template <class A>
struct SoftmaxGradient {
  bool log;

  TH_HD A term(A g, A y) const { return log ? g : g * y; }
  TH_HD A finish(A g, A y, A sum) const { return log ? g - th::math::exp(y) * sum : y * (g - sum); }
};

}  // namespace thc
