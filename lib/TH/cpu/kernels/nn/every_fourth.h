// Vectors of every fourth element, and back.
#pragma once

#include <utility>

#include "cpu/kernels/vectors.h"

namespace th::cpu::TH_ISA {
namespace {

using V = Vector<float>;
constexpr int64_t kL = kLanes<float>;
using Indices = std::make_integer_sequence<int, static_cast<int>(kL)>;

[[gnu::always_inline]] inline void store(float* p, const V& v) { std::memcpy(p, &v, sizeof(V)); }

/// The columns 0 to 3 of kL tiles from their 4 kL elements.
template <int... I>
[[gnu::always_inline]] inline void columns_of(const float* from, V* r,
                                              std::integer_sequence<int, I...>) {
  const V a = load<V>(from), b = load<V>(from + kL);
  const V c = load<V>(from + 2 * kL), d = load<V>(from + 3 * kL);
  const V e0 = __builtin_shufflevector(a, b, (2 * I)...);
  const V o0 = __builtin_shufflevector(a, b, (2 * I + 1)...);
  const V e1 = __builtin_shufflevector(c, d, (2 * I)...);
  const V o1 = __builtin_shufflevector(c, d, (2 * I + 1)...);
  r[0] = __builtin_shufflevector(e0, e1, (2 * I)...);
  r[1] = __builtin_shufflevector(o0, o1, (2 * I)...);
  r[2] = __builtin_shufflevector(e0, e1, (2 * I + 1)...);
  r[3] = __builtin_shufflevector(o0, o1, (2 * I + 1)...);
}

/// The columns 0 and 1 alone.
template <int... I>
[[gnu::always_inline]] inline void two_columns_of(const float* from, V* r,
                                                  std::integer_sequence<int, I...>) {
  constexpr int half = static_cast<int>(kL) / 2;
  const V a = load<V>(from), b = load<V>(from + kL);
  const V c = load<V>(from + 2 * kL), d = load<V>(from + 3 * kL);
  const V low = __builtin_shufflevector(a, b, (4 * (I % half) + I / half)...);
  const V high = __builtin_shufflevector(c, d, (4 * (I % half) + I / half)...);
  r[0] = __builtin_shufflevector(low, high, (I < half ? I : I + half)...);
  r[1] = __builtin_shufflevector(low, high, (I < half ? I + half : I + 2 * half)...);
}

/// The reverse of columns_of.
template <int... I>
[[gnu::always_inline]] inline void side_by_side(const V* columns, float* to,
                                                std::integer_sequence<int, I...>) {
  constexpr int lanes = static_cast<int>(kL);
  constexpr int half = lanes / 2;
  const auto low = [](const V& a, const V& b) __attribute__((always_inline)) {
    return __builtin_shufflevector(a, b, (I / 2 + I % 2 * lanes)...);
  };
  const auto high = [](const V& a, const V& b) __attribute__((always_inline)) {
    return __builtin_shufflevector(a, b, (half + I / 2 + I % 2 * lanes)...);
  };
  const V a0 = low(columns[0], columns[2]), a1 = high(columns[0], columns[2]);
  const V b0 = low(columns[1], columns[3]), b1 = high(columns[1], columns[3]);
  store(to, low(a0, b0));
  store(to + kL, high(a0, b0));
  store(to + 2 * kL, low(a1, b1));
  store(to + 3 * kL, high(a1, b1));
}

}  // namespace
}  // namespace th::cpu::TH_ISA
