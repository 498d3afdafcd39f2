// Convolutions as products of matrices over a small copy of the input: the way for few channels,
// for double, and for every shape.
#pragma once

#include <cstdint>

namespace th::cpu {

/// Sizes of a convolution. groups divides C and K.
struct ConvShape {
  int64_t N, C, H, W;
  int64_t K, kH, kW;
  int64_t dH, dW, padH, padW;
  int64_t groups;
  int64_t outH, outW;

  int64_t group_inputs() const { return C / groups; }
  int64_t group_outputs() const { return K / groups; }
  int64_t taps() const { return group_inputs() * kH * kW; }
  /// Multiplications for one image.
  int64_t cost() const { return K * outH * outW * taps(); }
};

/// r: N x K x outH x outW, x: N x C x H x W, weight: K x C/groups x kH x kW; all compact and apart.
/// bias: K or null. T: float, double.
template <class T>
void direct_conv(const ConvShape& s, const T* x, const T* weight, const T* bias, T* r);

/// r = dL/dx from g = dL/dy.
template <class T>
void direct_conv_backward_input(const ConvShape& s, const T* g, const T* weight, T* r);

/// One of its ways: for steps above 1, and where padding makes up much of the correlation
/// otherwise.
template <class T>
void backward_input_by_accumulation(const ConvShape& s, const T* g, const T* weight, T* r);

/// grad_weight += scale dL/dweight, grad_bias += scale dL/dbias (grad_bias may be null).
template <class T>
void direct_conv_backward_weight(
    const ConvShape& s, const T* g, const T* x, T scale, T* grad_weight, T* grad_bias);

}  // namespace th::cpu
