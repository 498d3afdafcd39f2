// What the passes by Winograd's way have in common: tiles, and the matrices that they make.
#pragma once

#include <algorithm>
#include <type_traits>

#include "core/runtime/interrupt.h"
#include "cpu/kernels/nn/winograd.h"
#include "cpu/nn/conv/winograd.h"
#include "cpu/parallel.h"
#include "cpu/select.h"
#include "cpu/work_buffers.h"

namespace th::cpu::winograd {

/// Whether planes of T are multiplied by pairs (Gemm::pairs): two numbers in each of the matrices'
/// floats.
template <class T>
inline constexpr bool kByPairs = std::is_same_v<T, BFloat16>;
template <class T>
inline constexpr int64_t kTogether = kByPairs<T> ? 2 : 1;

inline const WinogradKernels& kernels() {
  static const WinogradKernels table = select_kernels<WinogradKernels>();
  return table;
}

inline const WinogradPairKernels& pair_kernels() {
  static const WinogradPairKernels table = select_kernels<WinogradPairKernels>();
  return table;
}

/// Of planes of T.
template <class T>
const auto& plane_kernels() {
  if constexpr (kByPairs<T>) {
    return pair_kernels();
  } else {
    return kernels();
  }
}

inline const WinogradWeightKernels& weight_kernels() {
  static const WinogradWeightKernels table = select_kernels<WinogradWeightKernels>();
  return table;
}

inline constexpr int64_t kTile = kWinogradTile;
inline constexpr int64_t kTaps = 9;

inline int64_t tiles(int64_t n) { return (n + kWinogradOutputs - 1) / kWinogradOutputs; }

/// The tiles of N images of H x W outputs.
struct Grid {
  int64_t down, across, count;
  Grid(int64_t N, int64_t H, int64_t W)
      : down(tiles(H)), across(tiles(W)), count(N * down * across) {}

  /// The next ones of `most`, of no planes yet.
  WinogradTiles some(int64_t first, int64_t most) const {
    return {.down = down, .across = across, .first = first, .count = std::min(most, count - first)};
  }
};

/// 36 matrices.
struct Matrices {
  float* data;
  int64_t row, step;

  /// Lines of all must not share the sets of a first-level cache.
  static constexpr int64_t kApart = 16;
  static int64_t step_of(int64_t rows, int64_t row) { return rows * row + kApart; }
  static int64_t size(int64_t rows, int64_t row) { return kTile * step_of(rows, row); }

  Matrices(float* data, int64_t rows, int64_t row)
      : data(data), row(row), step(step_of(rows, row)) {}
  float* operator[](int64_t e) const { return data + e * step; }
};

/// f(i, buffer) for all i < count on several threads, each with a buffer of its own.
template <class F>
void each_slice(int64_t count, int64_t cost, int64_t buffer, F&& f) {
  const int64_t slices = slices_for(count, cost);
  const Buffers<float> buffers(slices, buffer);
  parallel_items(
      slices, kGrain,
      [&](int64_t begin, int64_t end) {
        for (int64_t slice = begin; slice < end; ++slice) {
          const Share own(count, slice, slices);
          for (int64_t i = own.begin; i < own.end; ++i) {
            if (interrupt::asked()) [[unlikely]] {
              interrupt::left_undone();
              return;
            }
            f(i, buffers[slice]);
          }
        }
      },
      slices);
}

}  // namespace th::cpu::winograd
