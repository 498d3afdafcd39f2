// The tiles of Winograd's way to convolve with 3 x 3 kernels: 6 x 6 inputs for 4 x 4 outputs, which
// lie apart in planes and become columns of 36 matrices.
#pragma once

#include <cstdint>

#include "cpu/kernels/table.h"
#include "functors/numeric.h"

namespace th::cpu {

/// Numbers of a tile.
inline constexpr int64_t kWinogradTile = 36;
/// Rows and columns of outputs of a tile.
inline constexpr int64_t kWinogradOutputs = 4;
/// The most tiles that are worked on at a time.
inline constexpr int64_t kWinogradTiles = 64;

/// Some tiles of a plane, counted through all images, row by row.
struct WinogradTiles {
  int64_t down, across;  // tiles of an image
  int64_t first, count;
  int64_t H = 0, W = 0;       // of the plane
  int64_t image = 0;          // elements from one image's plane to the next's
  int64_t top = 0, left = 0;  // the first tile begins so many rows and columns before the plane
  int64_t step = 0;           // elements from one matrix to the next

  void of(int64_t height, int64_t width, int64_t planes, int64_t matrix) {
    H = height;
    W = width;
    image = planes * height * width;
    step = matrix;
  }
  /// Columns that are written: the last ones are zero where tiles do not fill a vector.
  int64_t columns() const { return (count + 15) / 16 * 16; }
};

/// What becomes of a plane's outputs: y + bias + addend, where there is one; then max(0, .) if
/// asked for.
template <class T>
struct WinogradFinish {
  float bias;
  const T* addend;  // lies as the plane does
  bool relu;
};

struct WinogradKernels {
  /// to[e * step + i]: number e of B' d B for the i-th tile, d its 6 x 6 inputs.
  void (*inputs)(const WinogradTiles& tiles, const float* plane, float* to);
  /// The same of A d A' for 4 x 4 gradients of outputs.
  void (*gradients)(const WinogradTiles& tiles, const float* plane, float* to);
  /// The plane's outputs A' m A, finished.
  void (*outputs)(const WinogradTiles& tiles, const float* from,
                  const WinogradFinish<float>& finish, float* plane);
};

/// Of planes of bfloat16, for products of pairs; null where has_fast_pairs() is false.
struct WinogradPairKernels {
  /// Of a plane and the next one, rounded: the first one's in the lower halves of elements.
  void (*inputs)(const WinogradTiles& tiles, const BFloat16* plane, float* to);
  /// Of one plane, rounded: neighbouring tiles are a pair.
  void (*tile_inputs)(const WinogradTiles& tiles, const BFloat16* plane, BFloat16* to);
  void (*gradients)(const WinogradTiles& tiles, const BFloat16* plane, BFloat16* to);
  void (*outputs)(const WinogradTiles& tiles, const float* from,
                  const WinogradFinish<BFloat16>& finish, BFloat16* plane);
  /// As WinogradWeightKernels' of `count` floats, rounded; neighbouring kernels are a pair.
  void (*weights)(int64_t count, bool turned, const float* weight, BFloat16* to, int64_t step);
};

struct WinogradWeightKernels {
  /// to[e * step + i]: number e of G w G' for the i-th of `count` kernels, turned round if asked.
  void (*weights)(int64_t count, bool turned, const float* weight, float* to, int64_t step);
  /// The reverse, for gradients: weight += scale G' m G.
  void (*weight_gradients)(int64_t count, const float* from, int64_t step, float scale,
                           float* weight);
};

TH_KERNEL_TABLE(WinogradWeightKernels)
TH_KERNEL_TABLE(WinogradKernels)
TH_KERNEL_TABLE(WinogradPairKernels)

}  // namespace th::cpu
