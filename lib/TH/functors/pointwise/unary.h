// Functions of one operand, with their gradients.
#pragma once

#include <type_traits>

#include "functors/instruction_set.h"
#include "functors/math.h"
#include "functors/numeric.h"

namespace th::functors {
inline namespace TH_ISA {

struct Abs {
  template <class T>
  TH_HD static T forward(T x) {
    if constexpr (std::is_unsigned_v<T>) {
      return x;
    } else if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(x < 0 ? 0 - wrapping(x) : wrapping(x));
    } else {
      return math::fabs(x);
    }
  }
  template <class T>
  TH_HD static T backward(T g, T x, T /*y*/) {
    return x > 0 ? g : (x < 0 ? -g : T(0));
  }
};

struct Neg {
  template <class T>
  TH_HD static T forward(T x) {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(0 - wrapping(x));
    } else {
      return -x;
    }
  }
  template <class T>
  TH_HD static T backward(T g, T /*x*/, T /*y*/) {
    return -g;
  }
};

struct Sign {
  template <class T>
  TH_HD static T forward(T x) {
    return static_cast<T>((x > T(0)) - (x < T(0)));
  }
  template <class T>
  TH_HD static T backward(T /*g*/, T /*x*/, T /*y*/) {
    return T(0);
  }
};

struct Square {
  template <class T>
  TH_HD static T forward(T x) {
    return static_cast<T>(wrapping(x) * wrapping(x));
  }
  template <class T>
  TH_HD static T backward(T g, T x, T /*y*/) {
    return 2 * g * x;
  }
};

struct Exp {
  static constexpr bool calls_libm = true;
  template <class T>
  TH_HD static T forward(T x) {
    return math::exp(x);
  }
  template <class T>
  TH_HD static T backward(T g, T /*x*/, T y) {
    return g * y;
  }
};

struct Expm1 {
  static constexpr bool calls_libm = true;
  template <class T>
  TH_HD static T forward(T x) {
    return math::expm1(x);
  }
  template <class T>
  TH_HD static T backward(T g, T /*x*/, T y) {
    return g * (y + 1);
  }
};

struct Log {
  static constexpr bool calls_libm = true;
  template <class T>
  TH_HD static T forward(T x) {
    return math::log(x);
  }
  template <class T>
  TH_HD static T backward(T g, T x, T /*y*/) {
    return g / x;
  }
};

struct Log1p {
  static constexpr bool calls_libm = true;
  template <class T>
  TH_HD static T forward(T x) {
    return math::log1p(x);
  }
  template <class T>
  TH_HD static T backward(T g, T x, T /*y*/) {
    return g / (1 + x);
  }
};

struct Sqrt {
  template <class T>
  TH_HD static T forward(T x) {
    return math::sqrt(x);
  }
  template <class T>
  TH_HD static T backward(T g, T /*x*/, T y) {
    return y == 0 ? T(0) : g / (2 * y);  // at 0 there is none, and nothing finite near it
  }
};

struct Rsqrt {
  template <class T>
  TH_HD static T forward(T x) {
    return 1 / math::sqrt(x);
  }
  template <class T>
  TH_HD static T backward(T g, T /*x*/, T y) {
    return T(-0.5) * g * y * y * y;
  }
};

struct Cinv {
  template <class T>
  TH_HD static T forward(T x) {
    return 1 / x;
  }
  template <class T>
  TH_HD static T backward(T g, T /*x*/, T y) {
    return -g * y * y;
  }
};

// The gradient of a step function is 0 wherever it has one.
struct Floor {
  template <class T>
  TH_HD static T forward(T x) {
    return math::floor(x);
  }
  template <class T>
  TH_HD static T backward(T /*g*/, T /*x*/, T /*y*/) {
    return T(0);
  }
};

struct Ceil {
  template <class T>
  TH_HD static T forward(T x) {
    return math::ceil(x);
  }
  template <class T>
  TH_HD static T backward(T /*g*/, T /*x*/, T /*y*/) {
    return T(0);
  }
};

struct Round {
  template <class T>
  TH_HD static T forward(T x) {
    return math::round(x);
  }
  template <class T>
  TH_HD static T backward(T /*g*/, T /*x*/, T /*y*/) {
    return T(0);
  }
};

struct Trunc {
  template <class T>
  TH_HD static T forward(T x) {
    return math::trunc(x);
  }
  template <class T>
  TH_HD static T backward(T /*g*/, T /*x*/, T /*y*/) {
    return T(0);
  }
};

struct Frac {
  template <class T>
  TH_HD static T forward(T x) {
    return x - math::trunc(x);
  }
  template <class T>
  TH_HD static T backward(T g, T /*x*/, T /*y*/) {
    return g;
  }
};

struct Sigmoid {
  static constexpr bool calls_libm = true;
  template <class T>
  TH_HD static T forward(T x) {
    return 1 / (1 + math::exp(-x));
  }
  template <class T>
  TH_HD static T backward(T g, T /*x*/, T y) {
    return g * y * (1 - y);
  }
};

/// log(1 + e^x), arranged so that e^ never overflows.
struct Softplus {
  static constexpr bool calls_libm = true;
  template <class T>
  TH_HD static T forward(T x) {
    return (x > 0 ? x : T(0)) + math::log1p(math::exp(-math::fabs(x)));
  }
  template <class T>
  TH_HD static T backward(T g, T x, T /*y*/) {
    return g * Sigmoid::forward(x);
  }
};

struct Relu {
  template <class T>
  TH_HD static T forward(T x) {
    return x < T(0) ? T(0) : x;  // keeps NaN
  }
  template <class T>
  TH_HD static T backward(T g, T /*x*/, T y) {
    return y > T(0) ? g : T(0);  // y instead of x, so that it may run in place
  }
};

}  // namespace TH_ISA
}  // namespace th::functors
