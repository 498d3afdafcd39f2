// Tiles of planes of bfloat16 as products of pairs want them: arithmetic is float's, what is
// multiplied is rounded.
#include "cpu/kernels/nn/winograd_planes.h"
#include "cpu/kernels/nn/winograd_taps.h"

namespace th::cpu::TH_ISA {
namespace {

#if defined(__AVX512F__) && defined(__x86_64__)

/// Where numbers of tiles go, rounded.
auto put(const WinogradTiles& t, BFloat16* to) {
  return [ to, step = t.step ](int64_t e, int64_t i, const V& numbers)
      __attribute__((always_inline)) {
    store_to(to + e * step + i, kL, numbers);
  };
}

void inputs(const WinogradTiles& t, const BFloat16* plane, float* to) {
  alignas(64) float first[kWinogradTile * kWinogradTiles];
  inputs_of(
      t, plane, [&](int64_t e, int64_t i, const V& numbers) __attribute__((always_inline)) {
        store(first + e * kWinogradTiles + i, numbers);
      });
  inputs_of(
      t, plane + t.H * t.W,
      [&](int64_t e, int64_t i, const V& numbers) __attribute__((always_inline)) {
        store(to + e * t.step + i, paired(load<V>(first + e * kWinogradTiles + i), numbers));
      });
}

void tile_inputs(const WinogradTiles& t, const BFloat16* plane, BFloat16* to) {
  inputs_of(t, plane, put(t, to));
}

void gradients(const WinogradTiles& t, const BFloat16* plane, BFloat16* to) {
  gradients_of(t, plane, put(t, to));
}

}  // namespace

void set_kernels(WinogradPairKernels& table) {
  table = {inputs, tile_inputs, gradients, outputs<BFloat16>, weights_of<BFloat16>};
}

#else
}  // namespace

void set_kernels(WinogradPairKernels& table) { table = {}; }
#endif

}  // namespace th::cpu::TH_ISA
