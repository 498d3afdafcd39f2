// What elements are computed in, and how they become elements again.
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "TH_core.h"

namespace th::image::TH_ISA {
namespace {

template <class T>
constexpr bool is_whole = !std::is_floating_point_v<T>;

/// Float holds a weighted mean of elements of up to 16 bits exactly enough to round it.
template <class T>
using Computed =
    std::conditional_t<std::is_same_v<T, double> || (is_whole<T> && sizeof(T) > 2), double, float>;

template <class A>
inline A limited(A x, A low, A high) {
  return x < low ? low : (x > high ? high : x);
}

template <class T>
constexpr double lowest = -static_cast<double>(uint64_t{1} << (8 * sizeof(T) - 1));
template <>
constexpr double lowest<uint8_t> = 0;
/// The largest number below 2^63 that double has, for 64 bits.
template <class T>
constexpr double highest = sizeof(T) == 8
                               ? 9223372036854774784.0
                               : static_cast<double>(uint64_t{1} << (8 * sizeof(T) - 1)) - 1;
template <>
constexpr double highest<uint8_t> = 255;

/// The nearest whole number that T has, as a number; x itself for floats. NaN is the lowest.
template <class T, class A>
inline A to_whole(A x) {
  if constexpr (is_whole<T>) {
    x = std::floor(x + A(0.5));
    x = x > A(lowest<T>) ? x : A(lowest<T>);
    return x < A(highest<T>) ? x : A(highest<T>);
  } else {
    return x;
  }
}

template <class T, class A>
inline T to_element(A x) {
  return static_cast<T>(to_whole<T>(x));
}

template <class T>
constexpr int tag = -1;
template <>
constexpr int tag<uint8_t> = TH_BYTE;
template <>
constexpr int tag<int8_t> = TH_CHAR;
template <>
constexpr int tag<int16_t> = TH_SHORT;
template <>
constexpr int tag<int32_t> = TH_INT;
template <>
constexpr int tag<int64_t> = TH_LONG;
template <>
constexpr int tag<float> = TH_FLOAT;
template <>
constexpr int tag<double> = TH_DOUBLE;

/// f<T>() for each element type that pictures may have.
template <class F>
void for_types(F&& f) {
  f.template operator()<uint8_t>();
  f.template operator()<int8_t>();
  f.template operator()<int16_t>();
  f.template operator()<int32_t>();
  f.template operator()<int64_t>();
  f.template operator()<float>();
  f.template operator()<double>();
}

}  // namespace
}  // namespace th::image::TH_ISA
