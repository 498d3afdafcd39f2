// What each element-wise operation is: one struct, its formula and its gradient.
//
// forward(x, ...) and backward(g, x, y) take and return float, double or an integer type; the
// 16-bit types are widened by the loops. g is dL/dy, y = forward(x); backward returns dL/dx. A
// backward exists for floating types only. Scalars arrive already converted to the element type.
#pragma once

#include <limits>
#include <type_traits>

#include "functors/math.h"
#include "functors/numeric.h"

// Each instruction set compiles functors of its own; the names must differ for the linker.
#ifndef TH_ISA
#define TH_ISA generic
#endif

namespace th::functors {
inline namespace TH_ISA {

template <class T>
inline constexpr bool is_integer = std::is_integral_v<T>;

// --- one operand --------------------------------------------------------------------------------

struct Abs {
  template <class T>
  TH_HD static T forward(T x) {
    if constexpr (std::is_unsigned_v<T>) {
      return x;
    } else if constexpr (is_integer<T>) {
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
    if constexpr (is_integer<T>) {
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
    return g / (2 * y);
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

struct Sin {
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
  template <class T>
  TH_HD static T forward(T x) {
    return math::tanh(x);
  }
  template <class T>
  TH_HD static T backward(T g, T /*x*/, T y) {
    return g * (1 - y * y);
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

// --- two operands -------------------------------------------------------------------------------
// Integer division by zero is refused before the loop runs: a loop has no way to report it.

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
    if constexpr (is_integer<T> && std::is_signed_v<T>) {
      // The smallest integer has no opposite; the machine instruction traps on it.
      return y == -1 ? Neg::forward(x) : static_cast<T>(x / y);
    } else {
      return static_cast<T>(x / y);
    }
  }
};

struct Fmod {
  static constexpr bool divides_by_last = true;
  template <class T>
  TH_HD static T forward(T x, T y) {
    if constexpr (!is_integer<T>) {
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
    if constexpr (is_integer<T>) {
      const T r = Fmod::forward(x, y);
      return r != 0 && (r < 0) != (y < 0) ? static_cast<T>(r + y) : r;
    } else {
      return y == 0 ? std::numeric_limits<T>::quiet_NaN() : x - y * math::floor(x / y);
    }
  }
};

struct Pow {
  template <class T>
  TH_HD static T forward(T x, T y) {
    if constexpr (is_integer<T>) {
      return from_number<T>(math::pow(static_cast<double>(x), static_cast<double>(y)));
    } else {
      return math::pow(x, y);
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
  template <class T>
  TH_HD static T forward(T x, T y) {
    return math::atan2(x, y);
  }
};

struct Lshift {
  template <class T>
  TH_HD static T forward(T x, T y) {
    if constexpr (is_integer<T>) {
      constexpr int bits = 8 * sizeof(T);
      return y < 0 || y >= bits ? T(0) : static_cast<T>(wrapping(x) << static_cast<int>(y));
    } else {
      return x * math::pow(T(2), y);
    }
  }
};

struct Rshift {
  template <class T>
  TH_HD static T forward(T x, T y) {
    if constexpr (is_integer<T>) {
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

// --- an operand and one or two numbers ----------------------------------------------------------

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
  template <class T>
  TH_HD static T forward(T x, T value) {
    return Pow::forward(value, x);
  }
};

struct Clamp {
  template <class T>
  TH_HD static T forward(T x, T a, T b) {
    return x < a ? a : (x > b ? b : x);
  }
};

struct Threshold {
  template <class T>
  TH_HD static T forward(T x, T a, T b) {
    return x > a ? x : b;
  }
};

// --- operands with a factor ---------------------------------------------------------------------

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

/// x is the gradient, y the layer's input.
struct ThresholdBackward {
  template <class T>
  TH_HD static T forward(T x, T value, T y) {
    return y > value ? x : T(0);
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
    if constexpr (is_integer<T>) {
      return Add::forward(x, Div::forward(Mul::forward(value, y), z));
    } else {
      return x + value * y / z;
    }
  }
};

// --- comparisons --------------------------------------------------------------------------------

struct Less {
  template <class T>
  TH_HD static bool forward(T x, T y) {
    return x < y;
  }
};

struct LessEqual {
  template <class T>
  TH_HD static bool forward(T x, T y) {
    return x <= y;
  }
};

struct Greater {
  template <class T>
  TH_HD static bool forward(T x, T y) {
    return x > y;
  }
};

struct GreaterEqual {
  template <class T>
  TH_HD static bool forward(T x, T y) {
    return x >= y;
  }
};

struct Equal {
  template <class T>
  TH_HD static bool forward(T x, T y) {
    return x == y;
  }
};

struct NotEqual {
  template <class T>
  TH_HD static bool forward(T x, T y) {
    return x != y;
  }
};

}  // namespace TH_ISA
}  // namespace th::functors
