#include "cpu/kernels/nn/winograd_planes.h"

namespace th::cpu::TH_ISA {
namespace {

/// Where numbers of tiles go.
auto put(const WinogradTiles& t, float* to) {
  return [ to, step = t.step ](int64_t e, int64_t i, const V& numbers)
      __attribute__((always_inline)) {
    store(to + e * step + i, numbers);
  };
}

void inputs(const WinogradTiles& t, const float* plane, float* to) {
  inputs_of(t, plane, put(t, to));
}

void gradients(const WinogradTiles& t, const float* plane, float* to) {
  gradients_of(t, plane, put(t, to));
}

}  // namespace

void set_kernels(WinogradKernels& table) { table = {inputs, gradients, outputs<float>}; }

}  // namespace th::cpu::TH_ISA
