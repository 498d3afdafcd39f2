#include "cpu/kernels/nn/winograd_taps.h"

namespace th::cpu::TH_ISA {
namespace {

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
      store_part<float>(own, some, load_part<float>(own, some) + lines[i]);
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
        m[j] = load_part<float>(from + (row * kIn + j) * step + c, some);
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

void set_kernels(WinogradWeightKernels& table) { table = {weights_of<float>, weight_gradients}; }

}  // namespace th::cpu::TH_ISA
