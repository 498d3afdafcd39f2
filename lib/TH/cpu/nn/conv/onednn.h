// Convolutions by oneDNN, for floats and many channels: its kernels want the channels in blocks, so
// images and weights are reordered on the way in and out.
#pragma once

#include "cpu/nn/conv/direct_conv.h"
#include "cpu/nn/conv/kept_weights.h"

namespace th::cpu::onednn {

enum class Direction : int64_t { Forward, ForwardWithBias, BackwardInput, BackwardWeight };

/// As direct_conv, direct_conv_backward_input and direct_conv_backward_weight; false, and nothing
/// done, where oneDNN has no kernel that may be used.
bool conv(const ConvShape& s, const float* x, const Weights& weight, const float* bias, float* r,
          const Epilogue<float>& epilogue = {});
bool conv_backward_input(const ConvShape& s, const float* g, const float* weight, float* r);
bool conv_backward_weight(const ConvShape& s, const float* g, const float* x, float scale,
                          float* grad_weight, float* grad_bias);

}  // namespace th::cpu::onednn
