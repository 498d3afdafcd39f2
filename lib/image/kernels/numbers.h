// What elements are computed in, and how they become elements again.
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "core/tensor/dtype.h"

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

/// f<T>() for each element type that pictures may have.
template <class F, class... Types>
void for_types(TypeSet<Types...>, F&& f) {
  (f.template operator()<Types>(), ...);
}
template <class F>
void for_types(F&& f) {
  for_types(ComputeTypes{}, f);
}

}  // namespace
}  // namespace th::image::TH_ISA
