// Trigonometric and hyperbolic functions of one operand, with their gradients.
#pragma once

#include "functors/instruction_set.h"
#include "functors/math.h"
#include "functors/numeric.h"

namespace th::functors {
inline namespace TH_ISA {

struct Sin {
  static constexpr bool calls_libm = true;
  template <class T>
  TH_HD static T forward(T x) {
    return math::sin(x);
  }
  template <class T>
  TH_HD static T backward(T g, T x, T /*y*/) {
    return g * math::cos(x);
  }
};

struct Cos {
  static constexpr bool calls_libm = true;
  template <class T>
  TH_HD static T forward(T x) {
    return math::cos(x);
  }
  template <class T>
  TH_HD static T backward(T g, T x, T /*y*/) {
    return -g * math::sin(x);
  }
};

struct Tan {
  static constexpr bool calls_libm = true;
  template <class T>
  TH_HD static T forward(T x) {
    return math::tan(x);
  }
  template <class T>
  TH_HD static T backward(T g, T /*x*/, T y) {
    return g * (1 + y * y);
  }
};

struct Asin {
  static constexpr bool calls_libm = true;
  template <class T>
  TH_HD static T forward(T x) {
    return math::asin(x);
  }
  template <class T>
  TH_HD static T backward(T g, T x, T /*y*/) {
    return g / math::sqrt(1 - x * x);
  }
};

struct Acos {
  static constexpr bool calls_libm = true;
  template <class T>
  TH_HD static T forward(T x) {
    return math::acos(x);
  }
  template <class T>
  TH_HD static T backward(T g, T x, T /*y*/) {
    return -g / math::sqrt(1 - x * x);
  }
};

struct Atan {
  static constexpr bool calls_libm = true;
  template <class T>
  TH_HD static T forward(T x) {
    return math::atan(x);
  }
  template <class T>
  TH_HD static T backward(T g, T x, T /*y*/) {
    return g / (1 + x * x);
  }
};

struct Sinh {
  static constexpr bool calls_libm = true;
  template <class T>
  TH_HD static T forward(T x) {
    return math::sinh(x);
  }
  template <class T>
  TH_HD static T backward(T g, T x, T /*y*/) {
    return g * math::cosh(x);
  }
};

struct Cosh {
  static constexpr bool calls_libm = true;
  template <class T>
  TH_HD static T forward(T x) {
    return math::cosh(x);
  }
  template <class T>
  TH_HD static T backward(T g, T x, T /*y*/) {
    return g * math::sinh(x);
  }
};

struct Tanh {
  static constexpr bool calls_libm = true;
  template <class T>
  TH_HD static T forward(T x) {
    return math::tanh(x);
  }
  template <class T>
  TH_HD static T backward(T g, T /*x*/, T y) {
    return g * (1 - y * y);
  }
};

}  // namespace TH_ISA
}  // namespace th::functors
