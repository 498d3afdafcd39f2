// Convolutions, pooling, padding, other sizes.
#include "core/gradient/derivation.h"

namespace th::gradient {
namespace {

Value plain(Value x) {
  drop(x);
  return x;
}

/// dL/dweight of a convolution, for weights of those sizes.
Value weight_gradient(const Value& grad, const Value& x, std::span<const int64_t> sizes, int dims,
                      const int64_t* stride, const int64_t* padding, const int64_t* dilation,
                      int groups) {
  Value r = writable(zeros(grad, sizes));
  ops::conv_backward_weight(&r, nullptr, &grad, &x, dims, stride, padding, dilation, groups, 1);
  return r;
}

/// The gradient before max(0, .), whose result r was.
Value before_relu(const Value& grad, const Value& r, bool relu) {
  return relu ? result(grad, ops::threshold_backward, grad, r, plain(r), 0.0, 0.0) : grad;
}

/// Summed over samples and positions.
Value by_plane(const Value& grad, int dims) {
  const bool batch = grad.ndim == dims + 2;
  const int64_t planes = grad.sizes[batch ? 1 : 0];
  const int64_t samples = batch ? grad.sizes[0] : 1;
  const Value x = viewed(grad, {samples, planes, numel(grad) / (samples * planes)});
  return viewed(sum(sum(x, 2), 0), {planes});
}

/// A bias's gradient for every position of a result of those sizes.
Value to_planes(const Value& bias, std::span<const int64_t> sizes, int dims) {
  std::vector<int64_t> single(sizes.size(), 1);
  single[sizes.size() - static_cast<size_t>(dims) - 1] = numel(bias);
  return expanded(viewed(bias, single), sizes);
}

/// grad, of the input's sizes, at the places of the maxima.
Value at_maxima(const Value& grad, const Value& indices, int dims) {
  int64_t planes = 1;
  for (int d = 0; d < grad.ndim - dims; ++d) {
    planes *= grad.sizes[d];
  }
  const Value from = viewed(grad, {planes, numel(grad) / planes});
  const Value at = viewed(indices, {planes, numel(indices) / planes});
  return viewed(result(grad, ops::gather, from, 1, at), indices.shape());
}

}  // namespace

void define_spatial(Derivative* table) {
  TH_DERIVATIVES(conv, NAMES(r, x, weight, bias, dims, stride, padding, dilation, groups),
                 D(x, result(grad, ops::conv_backward_input, grad, plain(x), weight, dims, stride,
                             padding, dilation, groups))
                     D(weight, weight_gradient(grad, x, shape_of(weight), dims, stride, padding,
                                               dilation, groups)) D(bias, by_plane(grad, dims)))
  TH_DERIVATIVES(conv_add_relu,
                 NAMES(r, x, weight, bias, addend, relu, dims, stride, padding, dilation, groups),
                 D(x, result(grad, ops::conv_backward_input, before_relu(grad, r, relu), plain(x),
                             weight, dims, stride, padding, dilation, groups))
                     D(weight, weight_gradient(before_relu(grad, r, relu), x, shape_of(weight),
                                               dims, stride, padding, dilation, groups))
                         D(bias, by_plane(before_relu(grad, r, relu), dims))
                             D(addend, before_relu(grad, r, relu)))
  TH_DERIVATIVES(
      conv_backward_input, NAMES(r, g, x, weight, dims, stride, padding, dilation, groups),
      D(g, result(grad, ops::conv, grad, weight, Value(), dims, stride, padding, dilation, groups))
          D(weight,
            weight_gradient(g, grad, shape_of(weight), dims, stride, padding, dilation, groups)))
  TH_DERIVATIVES(
      conv_backward_weight,
      NAMES(grad_weight, grad_bias, g, x, dims, stride, padding, dilation, groups, scale),
      D(grad_weight, grad) D(grad_bias, d.gradient(1))
          D(g, result(grad, ops::conv, x, grad, Value(), dims, stride, padding, dilation, groups) *
                   scale) ALL(if (d.wanted(g) && grad_bias.defined() && d.has(1)) {
            d.give(g, to_planes(d.gradient(1), shape_of(g), dims) * scale);
          }) D(x, result(grad, ops::conv_backward_input, g, plain(x), grad, dims, stride, padding,
                         dilation, groups) *
                      scale))

  TH_DERIVATIVES(max_pool, NAMES(r, indices, x, dims, kernel, stride, padding, dilation, ceil_mode),
                 D(x, result(grad, ops::max_pool_backward, grad, plain(x), indices, dims, kernel,
                             stride, padding, dilation, ceil_mode)))
  TH_DERIVATIVES(max_pool_backward,
                 NAMES(r, g, x, indices, dims, kernel, stride, padding, dilation, ceil_mode),
                 D(g, at_maxima(grad, indices, dims)))
  TH_DERIVATIVES(avg_pool,
                 NAMES(r, x, count_padding, dims, kernel, stride, padding, dilation, ceil_mode),
                 D(x, result(grad, ops::avg_pool_backward, grad, plain(x), count_padding, dims,
                             kernel, stride, padding, dilation, ceil_mode)))
  TH_DERIVATIVES(avg_pool_backward,
                 NAMES(r, g, x, count_padding, dims, kernel, stride, padding, dilation, ceil_mode),
                 D(g, result(grad, ops::avg_pool, grad, count_padding, dims, kernel, stride,
                             padding, dilation, ceil_mode)))
  TH_DERIVATIVES(
      adaptive_max_pool, NAMES(r, indices, x, dims, sizes),
      D(x, result(grad, ops::adaptive_max_pool_backward, grad, plain(x), indices, dims, sizes)))
  TH_DERIVATIVES(adaptive_max_pool_backward, NAMES(r, g, x, indices, dims, sizes),
                 D(g, at_maxima(grad, indices, dims)))
  TH_DERIVATIVES(adaptive_avg_pool, NAMES(r, x, dims, sizes),
                 D(x, result(grad, ops::adaptive_avg_pool_backward, grad, plain(x), dims, sizes)))
  TH_DERIVATIVES(adaptive_avg_pool_backward, NAMES(r, g, x, dims, sizes),
                 D(g, result(grad, ops::adaptive_avg_pool, grad, dims, sizes)))
  TH_DERIVATIVES(fractional_max_pool, NAMES(r, indices, x, samples, dims, kernel, sizes),
                 D(x, result(grad, ops::fractional_max_pool_backward, grad, plain(x), indices,
                             samples, dims, kernel, sizes)))
  TH_DERIVATIVES(fractional_max_pool_backward,
                 NAMES(r, g, x, indices, samples, dims, kernel, sizes),
                 D(g, at_maxima(grad, indices, dims)))

#define PADDING(NAME)                                                                           \
  TH_DERIVATIVES(NAME, NAMES(r, x, dims, before, after),                                        \
                 D(x, result(grad, ops::NAME##_backward, grad, plain(x), dims, before, after))) \
  TH_DERIVATIVES(NAME##_backward, NAMES(r, g, x, dims, before, after),                          \
                 D(g, result(grad, ops::NAME, grad, dims, before, after)))
  PADDING(replicate_pad)
  PADDING(reflect_pad)
#define UPSAMPLING(NAME)                                                                \
  TH_DERIVATIVES(NAME, NAMES(r, x, dims, sizes),                                        \
                 D(x, result(grad, ops::NAME##_backward, grad, plain(x), dims, sizes))) \
  TH_DERIVATIVES(NAME##_backward, NAMES(r, g, x, dims, sizes),                          \
                 D(g, result(grad, ops::NAME, grad, dims, sizes)))
  UPSAMPLING(upsample_nearest)
  UPSAMPLING(upsample_linear)
}

}  // namespace th::gradient
