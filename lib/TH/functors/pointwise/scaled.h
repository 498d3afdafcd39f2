// Functions of two or three operands and a factor.
#pragma once

#include "functors/pointwise/binary.h"

namespace th::functors {
inline namespace TH_ISA {

struct AddScaled {
  template <class T>
  TH_HD static T forward(T x, T value, T y) {
    return static_cast<T>(wrapping(x) + wrapping(value) * wrapping(y));
  }
};

struct Lerp {
  template <class T>
  TH_HD static T forward(T x, T value, T y) {
    return x + value * (y - x);
  }
};

struct Addcmul {
  template <class T>
  TH_HD static T forward(T x, T value, T y, T z) {
    return static_cast<T>(wrapping(x) + wrapping(value) * wrapping(y) * wrapping(z));
  }
};

struct Addcdiv {
  static constexpr bool divides_by_last = true;
  template <class T>
  TH_HD static T forward(T x, T value, T y, T z) {
    if constexpr (std::is_integral_v<T>) {
      return Add::forward(x, Div::forward(Mul::forward(value, y), z));
    } else {
      return x + value * y / z;
    }
  }
};

}  // namespace TH_ISA
}  // namespace th::functors
