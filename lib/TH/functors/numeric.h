// Numbers on host and device: the 16-bit floating types, conversions, integers that wrap.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#ifdef __CUDACC__
#define TH_HD __host__ __device__
#else
#define TH_HD
#endif

namespace th {

// On devices the instructions for it convert, with the same bits as here; NaNs, which they would
// make one, go the host's way.

/// IEEE 754 binary16, stored; arithmetic happens in float.
struct Half {
  uint16_t bits;

  Half() = default;
  TH_HD explicit Half(float value) : bits(from_float(value)) {}
  TH_HD explicit operator float() const { return to_float(bits); }

  TH_HD static float to_float(uint16_t h) {
#ifdef __CUDA_ARCH__
    if ((h & 0x7fffu) <= 0x7c00u) {  // the instruction makes all NaNs one
      float value;
      asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(h));
      return value;
    }
#endif
    const uint32_t sign = static_cast<uint32_t>(h & 0x8000u) << 16;
    const uint32_t exponent = (h >> 10) & 0x1fu;
    const uint32_t mantissa = h & 0x3ffu;
    if (exponent == 0x1f) {  // infinity; NaN, which becomes a quiet one as processors make it
      const uint32_t quiet = mantissa == 0 ? 0 : 0x00400000u;
      return std::bit_cast<float>(sign | 0x7f800000u | quiet | (mantissa << 13));
    }
    if (exponent == 0) {  // zero, subnormal: mantissa * 2^-24 is exact in float
      const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
      return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(magnitude));
    }
    return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (mantissa << 13));
  }

  /// Rounds to nearest, ties to even.
  TH_HD static uint16_t from_float(float value) {
#ifdef __CUDA_ARCH__
    if (value == value) {
      uint16_t h;
      asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(value));
      return h;
    }
#endif
    const uint32_t x = std::bit_cast<uint32_t>(value);
    const auto sign = static_cast<uint16_t>((x >> 16) & 0x8000u);
    const uint32_t magnitude = x & 0x7fffffffu;
    if (magnitude > 0x7f800000u) {  // NaN stays quiet NaN
      return static_cast<uint16_t>(sign | 0x7e00u | ((magnitude >> 13) & 0x1ffu));
    }
    if (magnitude >= 0x477ff000u) {  // rounds to infinity
      return static_cast<uint16_t>(sign | 0x7c00u);
    }
    if (magnitude < 0x38800000u) {  // subnormal: let float addition do the rounding
      const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
      return static_cast<uint16_t>(sign | (std::bit_cast<uint32_t>(shifted) - 0x3f000000u));
    }
    const uint32_t rounded = magnitude + 0xfffu + ((magnitude >> 13) & 1u);
    return static_cast<uint16_t>(sign | ((rounded - 0x38000000u) >> 13));
  }
};

/// The upper half of a float; arithmetic happens in float.
struct BFloat16 {
  uint16_t bits;

  BFloat16() = default;
  TH_HD explicit BFloat16(float value) : bits(from_float(value)) {}
  TH_HD explicit operator float() const { return to_float(bits); }

  TH_HD static float to_float(uint16_t b) {
    return std::bit_cast<float>(static_cast<uint32_t>(b) << 16);
  }
  /// Rounds to nearest, ties to even.
  TH_HD static uint16_t from_float(float value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    if (value == value) {
      uint16_t b;
      asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(b) : "f"(value));
      return b;
    }
#endif
    const uint32_t x = std::bit_cast<uint32_t>(value);
    if ((x & 0x7fffffffu) > 0x7f800000u) {
      return static_cast<uint16_t>((x >> 16) | 0x40u);
    }
    return static_cast<uint16_t>((x + 0x7fffu + ((x >> 16) & 1u)) >> 16);
  }
};

template <class T>
inline constexpr bool is_half_type = std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;

/// What T is computed in: float for the 16-bit types, T otherwise.
template <class T>
using Compute = std::conditional_t<is_half_type<T>, float, T>;

/// A floating number without its fraction, as an integer of 64 bits; INT64_MIN where there is none
/// (NaN, and what lies outside). C++ leaves that open, x86-64 and PTX answer differently.
template <class From>
TH_HD inline int64_t truncated(From x) {
  return x >= From(-0x1p63) && x < From(0x1p63) ? static_cast<int64_t>(x)
                                                : std::numeric_limits<int64_t>::min();
}

/// Between element types, and from a script's number to an element: integers keep their low bits,
/// floating numbers drop their fraction first. So 300.0 becomes Byte 44, as the integer does, 3e9
/// becomes Int -1294967296, and NaN what INT64_MIN becomes: 0 in a Byte, a Short or an Int.
template <class To, class From>
TH_HD inline To convert(From x) {
  if constexpr (std::is_same_v<To, From>) {
    return x;
  } else if constexpr (is_half_type<From>) {
    return convert<To>(static_cast<float>(x));
  } else if constexpr (is_half_type<To>) {
    return To(static_cast<float>(x));
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    return static_cast<To>(truncated(x));
  } else {
    return static_cast<To>(x);
  }
}

/// A script's number as an element.
template <class T>
TH_HD inline T from_number(double value) {
  return convert<T>(value);
}

/// Integers compute modulo 2^bits: signed overflow is undefined in C++, so go through unsigned.
template <class T>
TH_HD inline auto wrapping(T x) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<std::conditional_t<(sizeof(T) < 4), uint32_t, std::make_unsigned_t<T>>>(x);
  } else {
    return x;
  }
}

}  // namespace th
