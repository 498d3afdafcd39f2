// The nine numbers of kernels, and what becomes of them in tiles.
#pragma once

#include <algorithm>

#include "cpu/kernels/nn/winograd_vectors.h"
#include "cpu/kernels/turn.h"

namespace th::cpu::TH_ISA {
namespace {

constexpr int64_t kTaps = 9;

/// taps[k]: number k of `count` <= kL kernels.
[[gnu::always_inline]] inline void read_taps(const float* weight, int64_t count, V* taps) {
#pragma GCC unroll 4
  for (int64_t first = 0; first < kTaps; first += kL) {
    const int64_t some = std::min(kL, kTaps - first);
    V lines[kL] = {};
    for (int64_t i = 0; i < count; ++i) {
      lines[i] = load_part<float>(weight + i * kTaps + first, some);
    }
    turn<float>(lines);
    for (int64_t k = 0; k < some; ++k) {
      taps[first + k] = lines[k];
    }
  }
}

/// to[e * step + i]: number e of G w G' for the i-th of `count` kernels, turned round if asked.
template <class T>
void weights_of(int64_t count, bool turned, const float* weight, T* to, int64_t step) {
  for (int64_t c = 0; c < count; c += kL) {
    const int64_t some = std::min(kL, count - c);
    V taps[kTaps];
    read_taps(weight + c * kTaps, some, taps);
    if (turned) {
      std::reverse(taps, taps + kTaps);
    }
    V half[3][kIn];
    for (int row = 0; row < 3; ++row) {
      const V w[3] = {taps[row * 3], taps[row * 3 + 1], taps[row * 3 + 2]};
      weight_six<V>(w, half[row]);
    }
    for (int j = 0; j < kIn; ++j) {
      const V w[3] = {half[0][j], half[1][j], half[2][j]};
      V r[kIn];
      weight_six<V>(w, r);
      for (int row = 0; row < kIn; ++row) {
        store_to(to + (row * kIn + j) * step + c, some, r[row]);
      }
    }
  }
}

}  // namespace
}  // namespace th::cpu::TH_ISA
