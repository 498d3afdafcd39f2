#include <algorithm>

#include "cpu/kernels/nn/winograd.h"
#include "cpu/kernels/nn/winograd_points.h"
#include "cpu/kernels/turn.h"

namespace th::cpu::TH_ISA {
namespace {

using V = Vector<float>;
constexpr int64_t kL = kLanes<float>;
constexpr int64_t kIn = 6;
constexpr int64_t kTaps = 9;

/// taps[k]: number k of `count` <= kL kernels.
[[gnu::always_inline]] inline void read_taps(const float* weight, int64_t count, V* taps) {
#pragma GCC unroll 4
  for (int64_t first = 0; first < kTaps; first += kL) {
    const int64_t some = std::min(kL, kTaps - first);
    V lines[kL] = {};
    for (int64_t i = 0; i < count; ++i) {
      lines[i] = load_part<float>(weight + i * kTaps + first, some, V{});
    }
    turn<float>(lines);
    for (int64_t k = 0; k < some; ++k) {
      taps[first + k] = lines[k];
    }
  }
}

[[gnu::always_inline]] inline void add_taps(const V* taps, int64_t count, float* weight) {
#pragma GCC unroll 4
  for (int64_t first = 0; first < kTaps; first += kL) {
    const int64_t some = std::min(kL, kTaps - first);
    V lines[kL] = {};
    for (int64_t k = 0; k < some; ++k) {
      lines[k] = taps[first + k];
    }
    turn<float>(lines);
    for (int64_t i = 0; i < count; ++i) {
      float* own = weight + i * kTaps + first;
      store_part<float>(own, some, load_part<float>(own, some, V{}) + lines[i]);
    }
  }
}

void weights(int64_t count, bool turned, const float* weight, float* to, int64_t step) {
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
        store_part<float>(to + (row * kIn + j) * step + c, some, r[row]);
      }
    }
  }
}

void weight_gradients(int64_t count, const float* from, int64_t step, float scale, float* weight) {
  for (int64_t c = 0; c < count; c += kL) {
    const int64_t some = std::min(kL, count - c);
    V half[kIn][3];
    for (int row = 0; row < kIn; ++row) {
      V m[kIn];
      for (int j = 0; j < kIn; ++j) {
        m[j] = load_part<float>(from + (row * kIn + j) * step + c, some, V{});
      }
      weight_three<V>(m, half[row]);
    }
    V taps[kTaps];
    for (int j = 0; j < 3; ++j) {
      const V m[kIn] = {half[0][j], half[1][j], half[2][j], half[3][j], half[4][j], half[5][j]};
      V r[3];
      weight_three<V>(m, r);
      for (int row = 0; row < 3; ++row) {
        taps[row * 3 + j] = r[row] * scale;
      }
    }
    add_taps(taps, some, weight + c * kTaps);
  }
}

}  // namespace

void set_kernels(WinogradWeightKernels& table) { table = {weights, weight_gradients}; }

}  // namespace th::cpu::TH_ISA
