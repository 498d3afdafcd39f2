// Convolutions by oneDNN, for floats and many channels: its kernels want the channels in blocks, so
// images and weights are reordered on the way in and out.
#pragma once

#include "cpu/nn/direct_conv.h"

namespace th::cpu::onednn {

enum class Direction : int64_t { Forward, ForwardWithBias, BackwardInput, BackwardWeight };

/// Whether Winograd's way is taken: 3 x 3 kernels by 36 products for 16 results of a plane where
/// the definition takes 144; in float some five times less exact. Source: Lavin and Gray, CVPR 2016
/// (arXiv:1509.09308). Measured on one core of a Sapphire Rapids with oneDNN 2.6, against its
/// direct way: 1.3 to 2.8 times as fast above the limits, 0.2 to 1.2 below them.
bool by_winograd(Direction direction, const ConvShape& s);

/// As direct_conv, direct_conv_backward_input and direct_conv_backward_weight; false, and nothing
/// done, where oneDNN has no kernel that may be used.
bool conv(const ConvShape& s, const float* x, const float* weight, const float* bias, float* r);
bool conv_backward_input(const ConvShape& s, const float* g, const float* weight, float* r);
bool conv_backward_weight(const ConvShape& s, const float* g, const float* x, float scale,
                          float* grad_weight, float* grad_bias);

}  // namespace th::cpu::onednn
