// Convolutions whose windows do not overlap: products of matrices.
#pragma once

#include "cpu/nn/conv/epilogue.h"
#include "functors/image_shapes.h"

namespace th::cpu {

/// Whether a convolution is such a product: kernels no larger than their steps, without gaps, and
/// nothing padded; groups are not of single planes.
bool of_points(const ConvShape& s);

/// As direct_conv, direct_conv_backward_input and direct_conv_backward_weight, for such shapes.
template <class T>
void point_conv(const ConvShape& s, const T* x, const T* weight, const T* bias, T* r,
                const Epilogue<T>& epilogue = {});
template <class T>
void point_conv_backward_input(const ConvShape& s, const T* g, const T* weight, T* r);
template <class T>
void point_conv_backward_weight(const ConvShape& s, const T* g, const T* x, T scale, T* grad_weight,
                                T* grad_bias);

}  // namespace th::cpu
