// Elements as integers that sort as the elements do: -0 before +0, all NaNs alike and last.
#pragma once

#include "functors/numeric.h"

namespace th::functors {

template <int Bytes>
struct UnsignedOf;
template <>
struct UnsignedOf<1> {
  using Type = uint8_t;
};
template <>
struct UnsignedOf<2> {
  using Type = uint16_t;
};
template <>
struct UnsignedOf<4> {
  using Type = uint32_t;
};
template <>
struct UnsignedOf<8> {
  using Type = uint64_t;
};
template <class T>
using Unsigned = typename UnsignedOf<sizeof(T)>::Type;

/// The bits of +infinity.
template <class T>
inline constexpr Unsigned<T> kInfinity = 0;
template <>
inline constexpr uint16_t kInfinity<Half> = 0x7c00;
template <>
inline constexpr uint16_t kInfinity<BFloat16> = 0x7f80;
template <>
inline constexpr uint32_t kInfinity<float> = 0x7f800000;
template <>
inline constexpr uint64_t kInfinity<double> = 0x7ff0000000000000;

template <class T>
inline constexpr bool kFloating = kInfinity<T> != 0;

template <class T>
inline constexpr Unsigned<T> kSign = Unsigned<T>(Unsigned<T>(1) << (8 * sizeof(T) - 1));

/// Order-preserving: x < y exactly if key(x) < key(y).
template <class T>
TH_HD inline Unsigned<T> key_of(Unsigned<T> bits) {
  using U = Unsigned<T>;
  if constexpr (kFloating<T>) {
    // Negative numbers grow with falling bits: turn them all over; positive ones go above them.
    const U negative = static_cast<U>(0 - (bits >> (8 * sizeof(T) - 1)));
    const U key = static_cast<U>(bits ^ (negative | kSign<T>));
    const U magnitude = static_cast<U>(bits & static_cast<U>(~kSign<T>));
    return magnitude > kInfinity<T> ? static_cast<U>(~U{0}) : key;
  } else if constexpr (std::is_signed_v<T>) {
    return static_cast<U>(bits ^ kSign<T>);
  } else {
    return bits;
  }
}

template <class T>
TH_HD inline Unsigned<T> bits_of(Unsigned<T> key) {
  using U = Unsigned<T>;
  if constexpr (kFloating<T>) {
    const U positive = static_cast<U>(0 - (key >> (8 * sizeof(T) - 1)));
    return static_cast<U>(key ^ (static_cast<U>(~positive) | kSign<T>));
  } else if constexpr (std::is_signed_v<T>) {
    return static_cast<U>(key ^ kSign<T>);
  } else {
    return key;
  }
}

}  // namespace th::functors
