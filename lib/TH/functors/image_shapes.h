// Sizes of operations on images, as plain data for the loops of every device.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace th {

/// Sizes of a result: with a batch dimension if the input has one.
struct ImageSizes {
  std::array<int64_t, 4> sizes;
  int ndim;

  std::span<const int64_t> span() const {
    return std::span<const int64_t>(sizes).last(static_cast<size_t>(ndim));
  }
};

/// A convolution of N signals, images or volumes: one, two or three dimensions. Those that there
/// are not, height and depth, have size 1, kernel 1 and step 1. groups divides C and K.
struct ConvShape {
  int64_t N, C, H, W;
  int64_t K, kH, kW;
  int64_t dH, dW, padH, padW;
  int64_t groups;
  int64_t outH, outW;
  int64_t D = 1, kD = 1, dD = 1, padD = 0, outD = 1;
  /// From one element of a kernel to the next, in elements of the input.
  int64_t dilD = 1, dilH = 1, dilW = 1;
  int dims = 2;

  int64_t group_inputs() const { return C / groups; }
  int64_t group_outputs() const { return K / groups; }
  /// Elements of a plane of the input, of the output.
  int64_t plane() const { return D * H * W; }
  int64_t outputs() const { return outD * outH * outW; }
  /// Elements of a kernel's part for one input plane, and of the whole.
  int64_t kernel() const { return kD * kH * kW; }
  int64_t taps() const { return group_inputs() * kernel(); }
  /// How far a kernel reaches, its gaps included.
  int64_t reachD() const { return (kD - 1) * dilD + 1; }
  int64_t reachH() const { return (kH - 1) * dilH + 1; }
  int64_t reachW() const { return (kW - 1) * dilW + 1; }
  /// Multiplications for one image.
  int64_t cost() const { return K * outputs() * taps(); }
};

/// Pooling of a plane: sizes of input, output and window, its steps, and the padding on each side,
/// which counts as minus infinity for maxima, as 0 for averages.
struct PoolShape {
  int64_t H, W;
  int64_t outH, outW;
  int64_t kH, kW;
  int64_t dH, dW;
  int64_t padH, padW;

  /// Windows of 2 x 2 that lie side by side, all within the plane.
  bool two_by_two() const {
    return kH == 2 && kW == 2 && dH == 2 && dW == 2 && padH == 0 && padW == 0 && 2 * outH <= H &&
           2 * outW <= W;
  }
};

}  // namespace th
