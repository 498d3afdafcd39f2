// What every backend checks before it convolves images: N x C x H x W or C x H x W.
#pragma once

#include <algorithm>
#include <array>
#include <span>

#include "core/checks/nn.h"
#include "functors/image_shapes.h"

namespace th {

struct ConvSteps {
  int dH, dW, padH, padW, groups;
};

/// The convolution of x with weights of those sizes: K x C/groups x kH x kW.
inline ConvShape check_conv_shape(const TH_Tensor& x, std::span<const int64_t> weight,
                                  const ConvSteps& p) {
  TH_CHECK(x.ndim == 3 || x.ndim == 4, "input is ", shape(x),
           ", expected N x C x H x W or C x H x W");
  TH_CHECK(weight.size() == 4, "weight is ", shape(weight),
           ", expected outputs x inputs/groups x kH x kW");
  TH_CHECK(p.dH > 0 && p.dW > 0, "stride is ", p.dH, "x", p.dW, ", its sizes must be at least 1");
  TH_CHECK(p.padH >= 0 && p.padW >= 0, "padding is ", p.padH, "x", p.padW,
           ", it must not be negative");
  const int first = x.ndim - 3;
  ConvShape s{};
  s.N = first == 0 ? 1 : x.sizes[0];
  s.C = x.sizes[first];
  s.H = x.sizes[first + 1];
  s.W = x.sizes[first + 2];
  s.K = weight[0];
  s.kH = weight[2];
  s.kW = weight[3];
  s.dH = p.dH;
  s.dW = p.dW;
  s.padH = p.padH;
  s.padW = p.padW;
  s.groups = p.groups;
  TH_CHECK(s.groups >= 1 && s.K % s.groups == 0 && s.C % s.groups == 0, s.groups,
           " groups: their number must divide the ", s.C, " input planes and the ", s.K,
           " output planes");
  TH_CHECK(weight[1] * s.groups == s.C, "input is ", shape(x), ", but a weight of ", shape(weight),
           " in ", s.groups, s.groups == 1 ? " group" : " groups", " wants ", weight[1] * s.groups,
           " planes, not ", s.C);
  const int64_t roomH = s.H + 2 * s.padH - s.kH;
  const int64_t roomW = s.W + 2 * s.padW - s.kW;
  TH_CHECK(roomH >= 0 && roomW >= 0, "input is ", shape(x), ", too small for a kernel of ", s.kH,
           "x", s.kW, " with padding ", s.padH, "x", s.padW, ": padded it is ", s.H + 2 * s.padH,
           "x", s.W + 2 * s.padW);
  s.outH = roomH / s.dH + 1;
  s.outW = roomW / s.dW + 1;
  return s;
}

/// Of the result for input x.
inline ImageSizes output_sizes(const ConvShape& s, const TH_Tensor& x) {
  return {{s.N, s.K, s.outH, s.outW}, x.ndim};
}

inline void check_conv_gradient(const TH_Tensor& g, const ConvShape& s, const TH_Tensor& x) {
  check_same_dtype(x, g);
  // One image may come with or without a batch dimension.
  const std::array<int64_t, 3> planes{s.K, s.outH, s.outW};
  TH_CHECK(numel(g) == s.N * s.K * s.outH * s.outW && g.ndim >= 3 &&
               std::equal(planes.begin(), planes.end(), g.sizes + g.ndim - 3),
           "gradOutput is ", shape(g), ", expected ", shape(output_sizes(s, x).span()),
           " for an input of ", shape(x));
}

inline ConvShape check_conv2d(const TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* weight,
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

inline ConvShape check_conv2d_backward_input(const TH_Tensor* r, const TH_Tensor* g,
                                             const TH_Tensor* x, const TH_Tensor* weight,
                                             const ConvSteps& p) {
  TH_CHECK(g != nullptr, "an operand is missing");
  const ConvShape s = check_conv2d(r, x, weight, nullptr, p);
  check_conv_gradient(*g, s, *x);
  return s;
}

inline ConvShape check_conv2d_backward_weight(const TH_Tensor* grad_weight,
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
