// Convolutions as products of matrices over a small copy of the input: the way for few channels,
// for double, and for every shape.
#pragma once

#include "cpu/nn/conv/epilogue.h"
#include "functors/image_shapes.h"

namespace th::cpu {

/// r: N x K x outD x outH x outW, x: N x C x D x H x W, weight: K x C/groups x kD x kH x kW; all
/// compact and apart. bias: K or null. T: float, double.
template <class T>
void direct_conv(const ConvShape& s, const T* x, const T* weight, const T* bias, T* r,
                 const Epilogue<T>& epilogue = {});

/// r = dL/dx from g = dL/dy.
template <class T>
void direct_conv_backward_input(const ConvShape& s, const T* g, const T* weight, T* r);

/// One of its ways: for steps above 1, and where padding makes up much of the correlation
/// otherwise.
template <class T>
void backward_input_by_accumulation(const ConvShape& s, const T* g, const T* weight, T* r);

/// grad_weight += scale dL/dweight, grad_bias += scale dL/dbias (grad_bias may be null): the same
/// bits for any number of threads.
template <class T>
void direct_conv_backward_weight(const ConvShape& s, const T* g, const T* x, T scale,
                                 T* grad_weight, T* grad_bias);

/// The part of it that is for the bias, not null.
template <class T>
void conv_backward_bias(const ConvShape& s, const T* g, Compute<T> scale, Compute<T>* grad_bias);

}  // namespace th::cpu
