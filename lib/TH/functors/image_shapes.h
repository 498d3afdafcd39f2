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

/// A convolution of N images. groups divides C and K.
struct ConvShape {
  int64_t N, C, H, W;
  int64_t K, kH, kW;
  int64_t dH, dW, padH, padW;
  int64_t groups;
  int64_t outH, outW;

  int64_t group_inputs() const { return C / groups; }
  int64_t group_outputs() const { return K / groups; }
  /// Elements of one kernel.
  int64_t taps() const { return group_inputs() * kH * kW; }
  /// Multiplications for one image.
  int64_t cost() const { return K * outH * outW * taps(); }
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
