// Convolution of images (cross-correlation, as everywhere in this field) and its gradients.
//   y[n][k][i][j] = b[k] + sum over c, p, q of w[k][c][p][q] x[n][c][i dH - padH + p][j dW - padW +
//   q]
#include <array>
#include <type_traits>

#include "cpu/fill_backend.h"
#include "cpu/nn/direct_conv.h"
#include "cpu/nn/onednn.h"
#include "cpu/nn/operands.h"

namespace th::cpu {
namespace {

struct Steps {
  int dH, dW, padH, padW, groups;
};

/// The convolution of x with weights of those sizes (K x C/groups x kH x kW), checked.
ConvShape check_shape(const TH_Tensor& x, std::span<const int64_t> weight, const Steps& steps) {
  TH_CHECK(
      x.ndim == 3 || x.ndim == 4, "input is ", shape(x), ", expected N x C x H x W or C x H x W");
  TH_CHECK(weight.size() == 4,
           "weight is ",
           shape(weight),
           ", expected outputs x inputs/groups x kH x kW");
  TH_CHECK(steps.dH > 0 && steps.dW > 0,
           "stride is ",
           steps.dH,
           "x",
           steps.dW,
           ", its sizes must be at least 1");
  TH_CHECK(steps.padH >= 0 && steps.padW >= 0,
           "padding is ",
           steps.padH,
           "x",
           steps.padW,
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
  s.dH = steps.dH;
  s.dW = steps.dW;
  s.padH = steps.padH;
  s.padW = steps.padW;
  s.groups = steps.groups;
  TH_CHECK(s.groups >= 1 && s.K % s.groups == 0 && s.C % s.groups == 0,
           s.groups,
           " groups: their number must divide the ",
           s.C,
           " input planes and the ",
           s.K,
           " output planes");
  TH_CHECK(weight[1] * s.groups == s.C,
           "input is ",
           shape(x),
           ", but a weight of ",
           shape(weight),
           " in ",
           s.groups,
           s.groups == 1 ? " group" : " groups",
           " wants ",
           weight[1] * s.groups,
           " planes, not ",
           s.C);
  const int64_t roomH = s.H + 2 * s.padH - s.kH;
  const int64_t roomW = s.W + 2 * s.padW - s.kW;
  TH_CHECK(roomH >= 0 && roomW >= 0,
           "input is ",
           shape(x),
           ", too small for a kernel of ",
           s.kH,
           "x",
           s.kW,
           " with padding ",
           s.padH,
           "x",
           s.padW,
           ": padded it is ",
           s.H + 2 * s.padH,
           "x",
           s.W + 2 * s.padW);
  s.outH = roomH / s.dH + 1;
  s.outW = roomW / s.dW + 1;
  return s;
}

// Which way is faster was measured on one core with AVX-512 (Zen 5), from LeNet's to ResNet's
// layers.

/// What oneDNN adds by rounding the channels up to its blocks of 16, as a factor.
double padding_waste(const ConvShape& s) {
  const auto blocks = [](int64_t n) {
    return static_cast<double>((n + 15) / 16 * 16) / static_cast<double>(n);
  };
  return blocks(s.group_inputs()) * blocks(s.group_outputs());
}

bool depthwise(const ConvShape& s) {
  return s.groups >= 16 && s.group_inputs() == 1 && s.group_outputs() == 1;
}

/// `terms`: products that one result sums up. With few of them oneDNN's reorders cost more than its
/// kernels gain, as they do for kernels of 1 x 1.
bool onednn_pays(const ConvShape& s, int64_t terms) {
  return depthwise(s) || (s.kH * s.kW > 1 && terms >= 512 && padding_waste(s) < 1.2);
}

bool onednn_pays_for_weights(const ConvShape& s) {
  const bool many = s.K * s.taps() > 256 * 1024;  // more sums than a cache has room for
  const bool few = s.group_inputs() < 16 || s.group_outputs() < 16;
  return depthwise(s) || padding_waste(s) < (many ? 2 : few ? 1 : 1.2);
}

/// Sizes of the result for an input that is a batch or a single image.
struct OutSizes {
  std::array<int64_t, 4> all;
  bool batch;

  OutSizes(const ConvShape& s, const TH_Tensor& x)
      : all{s.N, s.K, s.outH, s.outW}, batch(x.ndim == 4) {}
  std::span<const int64_t> span() const { return std::span(all).subspan(batch ? 0 : 1); }
};

void check_gradient(const TH_Tensor& g, const ConvShape& s, const TH_Tensor& x) {
  const OutSizes wanted(s, x);
  TH_CHECK(numel(g) == s.N * s.K * s.outH * s.outW && g.ndim >= 3 && g.sizes[g.ndim - 3] == s.K &&
               g.sizes[g.ndim - 2] == s.outH,
           "gradOutput is ",
           shape(g),
           ", expected ",
           shape(wanted.span()),
           " for an input of ",
           shape(x));
}

void conv2d(TH_Tensor* r,
            const TH_Tensor* x,
            const TH_Tensor* weight,
            const TH_Tensor* bias,
            int dH,
            int dW,
            int padH,
            int padW,
            int groups) {
  TH_CHECK(r != nullptr && x != nullptr && weight != nullptr, "an operand is missing");
  check_floating(*x);
  check_same_dtype(*x, *weight);
  check_same_dtype(*r, *x);
  const ConvShape s = check_shape(*x, sizes_of(*weight), {dH, dW, padH, padW, groups});
  if (bias != nullptr) {
    check_same_dtype(*x, *bias);
    TH_CHECK(numel(*bias) == s.K,
             "bias is ",
             shape(*bias),
             ", expected ",
             s.K,
             " elements, one for each output plane");
  }
  const Tensor in = compact(*x);
  const Tensor w = compact(*weight);
  const Tensor b = compact(bias);
  Output out(r, OutSizes(s, *x).span(), {&in, &w, &b});
  RealTypes::dispatch(in.dtype, [&]<class T>() {
    if constexpr (std::is_same_v<T, float>) {
      if (onednn_pays(s, s.taps())) {
        onednn::conv(s, data<T>(in), data<T>(w), data<T>(b), out.data<T>());
        return;
      }
    }
    direct_conv<T>(s, data<T>(in), data<T>(w), data<T>(b), out.data<T>());
  });
  out.finish();
}

void conv2d_backward_input(TH_Tensor* r,
                           const TH_Tensor* g,
                           const TH_Tensor* x,
                           const TH_Tensor* weight,
                           int dH,
                           int dW,
                           int padH,
                           int padW,
                           int groups) {
  TH_CHECK(r != nullptr && g != nullptr && x != nullptr && weight != nullptr,
           "an operand is missing");
  check_floating(*x);
  check_same_dtype(*x, *weight);
  check_same_dtype(*x, *g);
  check_same_dtype(*r, *x);
  const ConvShape s = check_shape(*x, sizes_of(*weight), {dH, dW, padH, padW, groups});
  check_gradient(*g, s, *x);
  const Tensor grad = compact(*g);
  const Tensor w = compact(*weight);
  const Tensor in(*x);  // for its sizes: r may be x
  Output out(r, sizes_of(in), {&grad, &w});
  RealTypes::dispatch(grad.dtype, [&]<class T>() {
    if constexpr (std::is_same_v<T, float>) {
      if (onednn_pays(s, s.group_outputs() * s.kH * s.kW)) {
        onednn::conv_backward_input(s, data<T>(grad), data<T>(w), out.data<T>());
        return;
      }
    }
    direct_conv_backward_input<T>(s, data<T>(grad), data<T>(w), out.data<T>());
  });
  out.finish();
}

void conv2d_backward_weight(TH_Tensor* grad_weight,
                            TH_Tensor* grad_bias,
                            const TH_Tensor* g,
                            const TH_Tensor* x,
                            int dH,
                            int dW,
                            int padH,
                            int padW,
                            int groups,
                            double scale) {
  TH_CHECK(grad_weight != nullptr && g != nullptr && x != nullptr, "an operand is missing");
  check_floating(*x);
  check_same_dtype(*x, *g);
  check_same_dtype(*grad_weight, *x);
  const ConvShape s = check_shape(*x, sizes_of(*grad_weight), {dH, dW, padH, padW, groups});
  check_gradient(*g, s, *x);
  if (grad_bias != nullptr) {
    check_same_dtype(*grad_bias, *x);
    TH_CHECK(numel(*grad_bias) == s.K,
             "gradBias is ",
             shape(*grad_bias),
             ", expected ",
             s.K,
             " elements, one for each output plane");
  }
  const Tensor in = compact(*x);
  const Tensor grad = compact(*g);
  Tensor gw = compact(*grad_weight);
  Tensor gb = compact(grad_bias);
  if (shares_memory(gw, in) || shares_memory(gw, grad)) {
    gw = clone(gw);
  }
  RealTypes::dispatch(in.dtype, [&]<class T>() {
    if constexpr (std::is_same_v<T, float>) {
      if (onednn_pays_for_weights(s)) {
        onednn::conv_backward_weight(
            s, data<T>(grad), data<T>(in), static_cast<T>(scale), data<T>(gw), data<T>(gb));
        return;
      }
    }
    direct_conv_backward_weight<T>(
        s, data<T>(grad), data<T>(in), static_cast<T>(scale), data<T>(gw), data<T>(gb));
  });
  if (bytes(gw) != bytes(*grad_weight)) {
    th::copy(*grad_weight, gw);
  }
  if (grad_bias != nullptr && bytes(gb) != bytes(*grad_bias)) {
    th::copy(*grad_bias, gb);
  }
}

}  // namespace

void fill_conv(Backend& b) {
  b.conv2d = conv2d;
  b.conv2d_backward_input = conv2d_backward_input;
  b.conv2d_backward_weight = conv2d_backward_weight;
}

}  // namespace th::cpu
