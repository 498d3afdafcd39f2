// Squares of numbers in vectors, turned over.
#pragma once

#include "cpu/kernels/vectors.h"

namespace th::cpu::TH_ISA {
namespace {

/// Transposes as many lines as vectors have lanes: interleaving lines a half apart, again and
/// again, turns the square.
template <class T, int... I>
[[gnu::always_inline]] inline void turn(Vector<T>* lines, std::integer_sequence<int, I...>) {
  constexpr int lanes = sizeof...(I);
#pragma GCC unroll 8
  for (int width = 1; width < lanes; width *= 2) {
    Vector<T> next[lanes];
#pragma GCC unroll 16
    for (int i = 0; i < lanes / 2; ++i) {
      const Vector<T> x = lines[i];
      const Vector<T> y = lines[i + lanes / 2];
      next[2 * i] = __builtin_shufflevector(x, y, (I / 2 + I % 2 * lanes)...);
      next[2 * i + 1] = __builtin_shufflevector(x, y, (lanes / 2 + I / 2 + I % 2 * lanes)...);
    }
#pragma GCC unroll 16
    for (int i = 0; i < lanes; ++i) {
      lines[i] = next[i];
    }
  }
}

template <class T>
[[gnu::always_inline]] inline void turn(Vector<T>* lines) {
  turn<T>(lines, std::make_integer_sequence<int, kLanes<T>>{});
}

}  // namespace
}  // namespace th::cpu::TH_ISA
