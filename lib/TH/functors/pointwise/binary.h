// Functions of two operands, and of one and a number.
#pragma once

#include <limits>
#include <type_traits>

#include "functors/pointwise/unary.h"

namespace th::functors {
inline namespace TH_ISA {

struct Add {
  template <class T>
  TH_HD static T forward(T x, T y) {
    return static_cast<T>(wrapping(x) + wrapping(y));
  }
};

struct Mul {
  template <class T>
  TH_HD static T forward(T x, T y) {
    return static_cast<T>(wrapping(x) * wrapping(y));
  }
};

struct Div {
  static constexpr bool divides_by_last = true;
  template <class T>
  TH_HD static T forward(T x, T y) {
    if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) {
      // The smallest integer has no opposite; the machine instruction traps on it.
      return y == -1 ? Neg::forward(x) : static_cast<T>(x / y);
    } else {
      return static_cast<T>(x / y);
    }
  }
};

struct Fmod {
  static constexpr bool calls_libm = true;
  static constexpr bool divides_by_last = true;
  template <class T>
  TH_HD static T forward(T x, T y) {
    if constexpr (!std::is_integral_v<T>) {
      return math::fmod(x, y);
    } else if constexpr (std::is_signed_v<T>) {
      return y == -1 ? T(0) : static_cast<T>(x % y);
    } else {
      return static_cast<T>(x % y);
    }
  }
};

struct Remainder {
  static constexpr bool divides_by_last = true;
  template <class T>
  TH_HD static T forward(T x, T y) {
    if constexpr (std::is_integral_v<T>) {
      const T r = Fmod::forward(x, y);
      return r != 0 && (r < 0) != (y < 0) ? static_cast<T>(r + y) : r;
    } else {
      return y == 0 ? std::numeric_limits<T>::quiet_NaN() : x - y * math::floor(x / y);
    }
  }
};

/// Of integers: the product of y factors, which wraps as products do; 1 / x^-y without its fraction
/// for y < 0.
struct Pow {
  static constexpr bool calls_libm = true;
  template <class T>
  TH_HD static T forward(T x, T y) {
    if constexpr (!std::is_integral_v<T>) {
      return math::pow(x, y);
    } else {
      if (y < 0 && x != 1 && x != T(-1)) {
        return x == 0 ? convert<T>(std::numeric_limits<double>::infinity()) : T(0);
      }
      auto power = wrapping(T(1));
      auto square = wrapping(x);
      // 1 and -1 to a negative power: only whether that is odd matters, and of -y it is the same.
      for (auto rest = static_cast<std::make_unsigned_t<T>>(y); rest != 0;) {
        power *= (rest & 1) != 0 ? square : 1;
        rest = static_cast<std::make_unsigned_t<T>>(rest >> 1);
        square *= square;
      }
      return static_cast<T>(power);
    }
  }
};

struct Max {
  template <class T>
  TH_HD static T forward(T x, T y) {
    return x > y || x != x ? x : y;
  }
};

struct Min {
  template <class T>
  TH_HD static T forward(T x, T y) {
    return x < y || x != x ? x : y;
  }
};

struct Atan2 {
  static constexpr bool calls_libm = true;
  template <class T>
  TH_HD static T forward(T x, T y) {
    return math::atan2(x, y);
  }
};

struct Lshift {
  static constexpr bool calls_libm = true;
  template <class T>
  TH_HD static T forward(T x, T y) {
    if constexpr (std::is_integral_v<T>) {
      constexpr int bits = 8 * sizeof(T);
      return y < 0 || y >= bits ? T(0) : static_cast<T>(wrapping(x) << static_cast<int>(y));
    } else {
      return x * math::pow(T(2), y);
    }
  }
};

struct Rshift {
  static constexpr bool calls_libm = true;
  template <class T>
  TH_HD static T forward(T x, T y) {
    if constexpr (std::is_integral_v<T>) {
      constexpr int bits = 8 * sizeof(T);
      using U = std::make_unsigned_t<T>;  // Torch7 shifts zeros in
      return y < 0 || y >= bits ? T(0) : static_cast<T>(static_cast<U>(x) >> static_cast<int>(y));
    } else {
      return x / math::pow(T(2), y);
    }
  }
};

struct Bitand {
  template <class T>
  TH_HD static T forward(T x, T y) {
    return static_cast<T>(x & y);
  }
};

struct Bitor {
  template <class T>
  TH_HD static T forward(T x, T y) {
    return static_cast<T>(x | y);
  }
};

struct Bitxor {
  template <class T>
  TH_HD static T forward(T x, T y) {
    return static_cast<T>(x ^ y);
  }
};

// --- the same with a number, and what takes numbers only -----------------------------------------

struct AddValue : Add {};
struct MulValue : Mul {};
struct DivValue : Div {};
struct FmodValue : Fmod {};
struct RemainderValue : Remainder {};
struct PowValue : Pow {};
struct MaxValue : Max {};
struct MinValue : Min {};
struct LshiftValue : Lshift {};
struct RshiftValue : Rshift {};
struct BitandValue : Bitand {};
struct BitorValue : Bitor {};
struct BitxorValue : Bitxor {};

struct ValuePow {
  static constexpr bool calls_libm = true;
  template <class T>
  TH_HD static T forward(T x, T value) {
    return Pow::forward(value, x);
  }
};

}  // namespace TH_ISA
}  // namespace th::functors
