// What every backend checks before it convolves: N x C x sizes or C x sizes, of one to three
// dimensions.
#pragma once

#include <algorithm>
#include <array>
#include <span>

#include "core/checks/nn.h"
#include "core/checks/window_numbers.h"
#include "functors/image_shapes.h"

namespace th {

/// How a kernel goes over the input: as the operations have it from their caller.
struct ConvSteps {
  int dims;
  const int64_t* stride;
  const int64_t* padding;
  const int64_t* dilation;
  int64_t groups;

  std::span<const int64_t> all(const int64_t* of) const { return {of, static_cast<size_t>(dims)}; }
};

/// Sizes of a tensor: with a batch dimension if the input has one.
struct ConvSizes {
  std::array<int64_t, 5> sizes;
  int ndim;

  std::span<const int64_t> span() const {
    return std::span<const int64_t>(sizes).first(static_cast<size_t>(ndim));
  }
};

namespace detail {

inline const char* conv_dims(int dims) {
  return dims == 1   ? "N x C x W or C x W"
         : dims == 2 ? "N x C x H x W or C x H x W"
                     : "N x C x D x H x W or C x D x H x W";
}

/// One dimension of a convolution.
struct ConvAxis {
  int64_t size = 1, kernel = 1, stride = 1, padding = 0, dilation = 1;

  int64_t room() const { return size + 2 * padding - (kernel - 1) * dilation - 1; }
  int64_t out() const { return room() / stride + 1; }
};

/// Of depth, height and width; those that there are not go first.
using ConvAxes = std::array<ConvAxis, 3>;

inline ConvAxes check_conv_axes(const TH_Tensor& x, std::span<const int64_t> weight,
                                const ConvSteps& p) {
  ConvAxes axes;
  check_numbers("stride", p.all(p.stride), 1);
  check_numbers("padding", p.all(p.padding), 0);
  check_numbers("dilation", p.all(p.dilation), 1);
  check_numbers("the kernel", weight.subspan(2), 1);
  bool fits = true;
  std::array<int64_t, 3> padded{};
  for (int d = 0; d < p.dims; ++d) {
    const auto i = static_cast<size_t>(d);
    ConvAxis& axis = axes[static_cast<size_t>(3 - p.dims + d)];
    axis = {x.sizes[x.ndim - p.dims + d], weight[i + 2], p.stride[d], p.padding[d], p.dilation[d]};
    fits = fits && axis.room() >= 0;
    padded[i] = axis.size + 2 * axis.padding;
  }
  const bool apart = std::ranges::any_of(p.all(p.dilation), [](int64_t n) { return n > 1; });
  TH_CHECK(
      fits, "input is ", shape(x), ", too small for a kernel of ", shape(weight.subspan(2)),
      apart ? str(" with dilation ", shape(p.all(p.dilation)), " and padding ") : " with padding ",
      shape(p.all(p.padding)), ": padded it is ", shape(p.all(padded.data())));
  return axes;
}

}  // namespace detail

/// The convolution of x with weights of those sizes: K x C/groups x kernel.
inline ConvShape check_conv_shape(const TH_Tensor& x, std::span<const int64_t> weight,
                                  const ConvSteps& p) {
  TH_CHECK(p.dims >= 1 && p.dims <= 3, "of ", p.dims, " dimensions, expected 1, 2 or 3");
  TH_CHECK(p.stride != nullptr && p.padding != nullptr && p.dilation != nullptr,
           "stride, padding or dilation is missing");
  const int first = x.ndim - p.dims - 1;
  TH_CHECK(first == 0 || first == 1, "input is ", shape(x), ", expected ",
           detail::conv_dims(p.dims));
  TH_CHECK(weight.size() == static_cast<size_t>(p.dims + 2), "weight is ", shape(weight),
           ", expected outputs x inputs/groups x ", p.dims, p.dims == 1 ? " size" : " sizes");
  const detail::ConvAxes axes = detail::check_conv_axes(x, weight, p);
  const auto& [d, h, w] = axes;
  const ConvShape s{.N = first == 0 ? 1 : x.sizes[0],
                    .C = x.sizes[first],
                    .H = h.size,
                    .W = w.size,
                    .K = weight[0],
                    .kH = h.kernel,
                    .kW = w.kernel,
                    .dH = h.stride,
                    .dW = w.stride,
                    .padH = h.padding,
                    .padW = w.padding,
                    .groups = p.groups,
                    .outH = h.out(),
                    .outW = w.out(),
                    .D = d.size,
                    .kD = d.kernel,
                    .dD = d.stride,
                    .padD = d.padding,
                    .outD = d.out(),
                    .dilD = d.dilation,
                    .dilH = h.dilation,
                    .dilW = w.dilation,
                    .dims = p.dims};
  TH_CHECK(s.groups >= 1 && s.K % s.groups == 0 && s.C % s.groups == 0, s.groups,
           " groups: their number must divide the ", s.C, " input planes and the ", s.K,
           " output planes");
  TH_CHECK(weight[1] * s.groups == s.C, "input is ", shape(x), ", but a weight of ", shape(weight),
           " in ", s.groups, s.groups == 1 ? " group" : " groups", " wants ", weight[1] * s.groups,
           " planes, not ", s.C);
  const int64_t result[] = {s.N, s.K, s.outD, s.outH, s.outW};
  checked_count(result);
  return s;
}

/// Of the result for input x.
inline ConvSizes output_sizes(const ConvShape& s, const TH_Tensor& x) {
  const std::array<int64_t, 3> out{s.outD, s.outH, s.outW};
  ConvSizes r{{}, x.ndim};
  auto* to = r.sizes.data();
  if (x.ndim == s.dims + 2) {
    *to++ = s.N;
  }
  *to++ = s.K;
  std::copy(out.end() - s.dims, out.end(), to);
  return r;
}

inline void check_conv_gradient(const TH_Tensor& g, const ConvShape& s, const TH_Tensor& x) {
  check_same_dtype(x, g);
  // One image may come with or without a batch dimension.
  const ConvSizes sizes = output_sizes(s, x);
  const auto one = sizes.span().last(static_cast<size_t>(s.dims + 1));
  TH_CHECK(numel(g) == s.N * s.K * s.outputs() && g.ndim > s.dims &&
               std::equal(one.begin(), one.end(), g.sizes + g.ndim - s.dims - 1),
           "gradOutput is ", shape(g), ", expected ", shape(sizes.span()), " for an input of ",
           shape(x));
}

inline ConvShape check_conv(const TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* weight,
                            const TH_Tensor* bias, const ConvSteps& p) {
  TH_CHECK(r != nullptr && x != nullptr && weight != nullptr, "an operand is missing");
  check_floating(*x);
  check_same_dtype(*x, *weight);
  check_same_dtype(*r, *x);
  const ConvShape s = check_conv_shape(*x, sizes_of(*weight), p);
  if (bias != nullptr) {
    check_same_dtype(*x, *bias);
    TH_CHECK(numel(*bias) == s.K, "bias is ", shape(*bias), ", expected ", s.K,
             " elements, one for each output plane");
  }
  return s;
}

/// What is added to a convolution's result.
inline void check_conv_addend(const TH_Tensor* addend, const ConvShape& s, const TH_Tensor& x) {
  if (addend != nullptr) {
    check_same_dtype(x, *addend);
    const ConvSizes sizes = output_sizes(s, x);
    TH_CHECK(std::ranges::equal(sizes_of(*addend), sizes.span()), "addend is ", shape(*addend),
             ", expected ", shape(sizes.span()), " for an input of ", shape(x));
  }
}

inline ConvShape check_conv_backward_input(const TH_Tensor* r, const TH_Tensor* g,
                                           const TH_Tensor* x, const TH_Tensor* weight,
                                           const ConvSteps& p) {
  TH_CHECK(g != nullptr, "an operand is missing");
  const ConvShape s = check_conv(r, x, weight, nullptr, p);
  check_conv_gradient(*g, s, *x);
  return s;
}

inline ConvShape check_conv_backward_weight(const TH_Tensor* grad_weight,
                                            const TH_Tensor* grad_bias, const TH_Tensor* g,
                                            const TH_Tensor* x, const ConvSteps& p) {
  TH_CHECK(grad_weight != nullptr && g != nullptr && x != nullptr, "an operand is missing");
  check_floating(*x);
  check_same_dtype(*grad_weight, *x);
  const ConvShape s = check_conv_shape(*x, sizes_of(*grad_weight), p);
  check_conv_gradient(*g, s, *x);
  if (grad_bias != nullptr) {
    check_same_dtype(*grad_bias, *x);
    TH_CHECK(numel(*grad_bias) == s.K, "gradBias is ", shape(*grad_bias), ", expected ", s.K,
             " elements, one for each output plane");
  }
  return s;
}

}  // namespace th
