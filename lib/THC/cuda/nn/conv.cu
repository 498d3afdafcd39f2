// Convolution of images and its gradients: by cuDNN, or as products of matrices.
#include "core/aliasing.h"
#include "core/checks/conv.h"
#include "core/tables/conv.h"
#include "core/vendor.h"
#include "cuda/nn/conv_products.h"
#include "cuda/nn/plane_sum.cuh"
#include "cuda/register.h"

namespace thc {
namespace {

/// t, which has no gaps, as N x planes x rows x columns whatever its dimensions.
Tensor as_batch(const TH_Tensor& t, int64_t N, int64_t planes, int64_t rows, int64_t columns) {
  const int64_t sizes[] = {N, planes, rows, columns};
  Tensor batch;
  th::view(batch, t, sizes);
  return batch;
}

/// gb[k] += scale * the sum of g over images and outputs; a block for each k.
template <class T>
struct BiasGradient {
  static constexpr int kMostThreads = BatchPlanes::kMostThreads;
  BatchPlanes planes;
  Compute<T> scale;
  const T* g;
  T* gb;

  TH_HD Compute<T> operator()(int64_t offset) const { return widen(g[offset]); }

  template <class Block>
  TH_D void operator()(Block& block) const {
    const Compute<T> sum = sum_plane<Compute<T>>(block, planes, *this);
    if (block.thread() == 0) {
      T& own = gb[block.index()];
      own = narrow<T>(widen(own) + scale * sum);
    }
  }
};

void backward_bias(const ConvShape& s, Tensor& gb, const Tensor& grad, double scale) {
  const BatchPlanes planes(s.N, s.K, s.outH * s.outW);
  Floating::dispatch(gb.dtype, [&]<class T>() {
    launch_blocks(
        stream_for(gb), s.K, planes.threads(), 0,
        BiasGradient<T>{planes, static_cast<Compute<T>>(scale), data<T>(grad), data<T>(gb)});
  });
}

/// y[n][k][...] += bias[k]
template <class T>
struct AddBias {
  Grid grid;  // of images, planes and elements
  const T* bias;
  T* y;
  TH_HD void operator()(int64_t i) const {
    y[i] = narrow<T>(widen(y[i]) + widen(bias[grid(i).row]));
  }
};

void add_bias(const ConvShape& s, Tensor& y, const Tensor& bias) {
  const Grid grid(s.N, s.K, s.outH * s.outW);
  Floating::dispatch(y.dtype, [&]<class T>() {
    launch(stream_for(y), numel(y), AddBias<T>{grid, data<T>(bias), data<T>(y)});
  });
}

void conv2d(TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* weight, const TH_Tensor* bias,
            int dH, int dW, int padH, int padW, int groups) {
  const ConvShape s = check_conv2d(r, x, weight, bias, {dH, dW, padH, padW, groups});
  const ImageSizes sizes = output_sizes(s, *x);
  const Tensor in = as_batch(contiguous(*x), s.N, s.C, s.H, s.W);
  const Tensor w = contiguous(*weight);
  const Tensor b = bias == nullptr ? Tensor() : contiguous(*bias);
  Result result(r, sizes.span(), Result::Compact, {&in, &w, &b});
  Tensor y = as_batch(result.shape(), s.N, s.K, s.outH, s.outW);
  if (!vendor_conv2d(y, in, w, {dH, dW, padH, padW, groups})) {
    forward_by_products(s, y, in, w, b);
  } else if (bias != nullptr) {
    add_bias(s, y, b);
  }
  result.finish();
}

void conv2d_backward_input(TH_Tensor* r, const TH_Tensor* g, const TH_Tensor* x,
                           const TH_Tensor* weight, int dH, int dW, int padH, int padW,
                           int groups) {
  const ConvShape s = check_conv2d_backward_input(r, g, x, weight, {dH, dW, padH, padW, groups});
  const Tensor in(*x);  // for its sizes: r may be x
  const Tensor grad = as_batch(contiguous(*g), s.N, s.K, s.outH, s.outW);
  const Tensor w = contiguous(*weight);
  Result result(r, sizes_of(in), Result::Compact, {&grad, &w});
  Tensor dx = as_batch(result.shape(), s.N, s.C, s.H, s.W);
  if (!vendor_conv2d_backward_input(dx, grad, w, {dH, dW, padH, padW, groups})) {
    backward_input_by_products(s, dx, grad, w);
  }
  result.finish();
}

/// Where gradients are added up: t itself, unless it has gaps or lies where an operand does.
Tensor accumulator(const TH_Tensor& t, const Tensor& in, const Tensor& grad) {
  const bool apart = !shares_memory(t, in) && !shares_memory(t, grad);
  return apart ? contiguous(t) : clone(t);
}

void conv2d_backward_weight(TH_Tensor* grad_weight, TH_Tensor* grad_bias, const TH_Tensor* g,
                            const TH_Tensor* x, int dH, int dW, int padH, int padW, int groups,
                            double scale) {
  const ConvShape s =
      check_conv2d_backward_weight(grad_weight, grad_bias, g, x, {dH, dW, padH, padW, groups});
  const Tensor in = as_batch(contiguous(*x), s.N, s.C, s.H, s.W);
  const Tensor grad = as_batch(contiguous(*g), s.N, s.K, s.outH, s.outW);
  Tensor gw = accumulator(*grad_weight, in, grad);
  Tensor gb = grad_bias == nullptr ? Tensor() : accumulator(*grad_bias, in, grad);
  if (!vendor_conv2d_backward_weight(gw, grad, in, {dH, dW, padH, padW, groups}, scale)) {
    backward_weight_by_products(s, gw, grad, in, scale);
  }
  if (grad_bias != nullptr) {
    backward_bias(s, gb, grad, scale);
  }
  if (bytes(gw) != bytes(*grad_weight)) {
    th::copy(*grad_weight, gw);
  }
  if (grad_bias != nullptr && bytes(gb) != bytes(*grad_bias)) {
    th::copy(*grad_bias, gb);
  }
}

}  // namespace

void register_conv(th::ConvTable& b) {
  b.conv2d = conv2d;
  b.conv2d_backward_input = conv2d_backward_input;
  b.conv2d_backward_weight = conv2d_backward_weight;
}

}  // namespace thc
