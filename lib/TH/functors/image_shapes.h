// Sizes of operations on images, as plain data for the loops of every device.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "functors/numeric.h"

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

/// Pooling in one direction: sizes of input, output and window, its step, the padding on each side,
/// which counts as minus infinity for maxima, as 0 for averages, and how far the elements of a
/// window are apart.
struct PoolAxis {
  int64_t in = 1, out = 1;
  int64_t kernel = 1, stride = 1, pad = 0, dilation = 1;
};

/// Pooling of a volume, by depth, height and width; images and sequences are volumes whose first
/// directions have size 1.
struct PoolShape {
  PoolAxis axes[3];

  TH_HD int64_t in_elements() const { return axes[0].in * axes[1].in * axes[2].in; }
  TH_HD int64_t out_elements() const { return axes[0].out * axes[1].out * axes[2].out; }

  /// Windows of 2 x 2 that lie side by side, all within the image.
  bool two_by_two() const {
    const auto pairs = [](const PoolAxis& a) {
      return a.kernel == 2 && a.stride == 2 && a.pad == 0 && a.dilation == 1 && 2 * a.out <= a.in;
    };
    return axes[0].in == 1 && axes[0].kernel == 1 && axes[0].pad == 0 && pairs(axes[1]) &&
           pairs(axes[2]);
  }
};

}  // namespace th
