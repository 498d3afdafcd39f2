// Winograd's way to convolve: 3 x 3 kernels of step 1 by 36 products for 16 results of a plane,
// where the definition takes 144; in float some five times less exact.
// Source: Lavin and Gray, "Fast algorithms for convolutional neural networks", CVPR 2016
// (arXiv:1509.09308).
#pragma once

#include "cpu/nn/conv/epilogue.h"
#include "cpu/nn/conv/kept_weights.h"
#include "functors/image_shapes.h"

namespace th::cpu::winograd {

enum class Direction { Forward, BackwardInput, BackwardWeight };

/// Whether a convolution goes this way: it can, and there are enough planes and tiles for products
/// that keep a core busy. torch.setwinograd(false) declines it.
bool applies(Direction direction, const ConvShape& s);

/// Whether planes of bfloat16 go this way as they are, by products of pairs (has_fast_pairs): tiles
/// are computed in float and rounded, which makes results some six times less exact than rounding
/// them alone does (1.1% of their standard deviation instead of 0.2%).
bool by_pairs(Direction direction, const ConvShape& s);

/// As direct_conv and its gradients; the same bits for any number of threads. T is float or
/// BFloat16, the latter where by_pairs().
template <class T>
void conv(const ConvShape& s, const T* x, const Weights& weight, const float* bias, T* r,
          const Epilogue<T>& epilogue = {});
template <class T>
void conv_backward_input(const ConvShape& s, const T* g, const float* weight, T* r);
template <class T>
void conv_backward_weight(const ConvShape& s, const T* g, const T* x, float scale,
                          float* grad_weight, float* grad_bias);

}  // namespace th::cpu::winograd
