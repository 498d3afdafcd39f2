// Convolutions as products of matrices, with the images as columns. A matrix of columns for some of
// the images at a time is all the memory they take.
#pragma once

#include "core/tensor/tensor.h"
#include "functors/image_shapes.h"
#include "functors/numeric.h"

namespace thc {

using th::ConvShape;
using th::Tensor;

// Tensors are compact: images N x C x H x W or N x C x D x H x W, outputs and weights likewise. The
// same operands give the same bits every time.

/// bias: K elements, or empty.
void forward_by_products(const ConvShape& s, Tensor& y, const Tensor& x, const Tensor& w,
                         const Tensor& bias);
/// With 16-bit types the columns of the gradient are rounded before they are summed up.
void backward_input_by_products(const ConvShape& s, Tensor& r, const Tensor& grad, const Tensor& w);
/// gw += scale * dL/dw
void backward_weight_by_products(const ConvShape& s, Tensor& gw, const Tensor& grad,
                                 const Tensor& x, double scale);

}  // namespace thc
