// Convolution and its gradients: by cuDNN, or as products of matrices.
#include "core/checks/conv.h"
#include "core/tables/conv.h"
#include "core/vendor/vendor.h"
#include "cuda/nn/accumulator.h"
#include "cuda/nn/conv/conv_products.h"
#include "cuda/nn/plane_sum.cuh"
#include "cuda/register.h"

namespace thc {
namespace {

/// t, which has no gaps, as images or volumes of `first` x `second` planes: signals are images of
/// one row.
Tensor as_batch(const TH_Tensor& t, const ConvShape& s, int64_t first, int64_t second, int64_t d,
                int64_t h, int64_t w) {
  const int64_t volumes[] = {first, second, d, h, w};
  const int64_t images[] = {first, second, h, w};
  Tensor batch;
  th::view(batch, t, s.dims == 3 ? std::span<const int64_t>(volumes) : images);
  return batch;
}

Tensor inputs(const TH_Tensor& t, const ConvShape& s) {
  return as_batch(t, s, s.N, s.C, s.D, s.H, s.W);
}
Tensor outputs(const TH_Tensor& t, const ConvShape& s) {
  return as_batch(t, s, s.N, s.K, s.outD, s.outH, s.outW);
}
Tensor kernels(const TH_Tensor& t, const ConvShape& s) {
  return as_batch(t, s, s.K, s.group_inputs(), s.kD, s.kH, s.kW);
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
  const BatchPlanes planes(s.N, s.K, s.outputs());
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
  const Grid grid(s.N, s.K, s.outputs());
  Floating::dispatch(y.dtype, [&]<class T>() {
    launch(stream_for(y), numel(y), AddBias<T>{grid, data<T>(bias), data<T>(y)});
  });
}

void conv(TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* weight, const TH_Tensor* bias,
          int dims, const int64_t* stride, const int64_t* padding, const int64_t* dilation,
          int groups) {
  const ConvShape s = check_conv(r, x, weight, bias, {dims, stride, padding, dilation, groups});
  const ConvSizes sizes = output_sizes(s, *x);
  const Tensor in = inputs(contiguous(*x), s);
  const Tensor w = kernels(contiguous(*weight), s);
  const Tensor b = bias == nullptr ? Tensor() : contiguous(*bias);
  Result result(r, sizes.span(), Result::Compact, {&in, &w, &b});
  Tensor y = outputs(result.shape(), s);
  if (!vendor_conv(y, in, w, s)) {
    forward_by_products(s, y, in, w, b);
  } else if (bias != nullptr) {
    add_bias(s, y, b);
  }
  result.finish();
}

void conv_backward_input(TH_Tensor* r, const TH_Tensor* g, const TH_Tensor* x,
                         const TH_Tensor* weight, int dims, const int64_t* stride,
                         const int64_t* padding, const int64_t* dilation, int groups) {
  const ConvShape s =
      check_conv_backward_input(r, g, x, weight, {dims, stride, padding, dilation, groups});
  const Tensor in(*x);  // for its sizes: r may be x
  const Tensor grad = outputs(contiguous(*g), s);
  const Tensor w = kernels(contiguous(*weight), s);
  Result result(r, sizes_of(in), Result::Compact, {&grad, &w});
  Tensor dx = inputs(result.shape(), s);
  if (!vendor_conv_backward_input(dx, grad, w, s)) {
    backward_input_by_products(s, dx, grad, w);
  }
  result.finish();
}

void conv_backward_weight(TH_Tensor* grad_weight, TH_Tensor* grad_bias, const TH_Tensor* g,
                          const TH_Tensor* x, int dims, const int64_t* stride,
                          const int64_t* padding, const int64_t* dilation, int groups,
                          double scale) {
  const ConvShape s = check_conv_backward_weight(grad_weight, grad_bias, g, x,
                                                 {dims, stride, padding, dilation, groups});
  const Tensor in = inputs(contiguous(*x), s);
  const Tensor grad = outputs(contiguous(*g), s);
  Tensor gw = accumulator(grad_weight, {&in, &grad});
  Tensor gb = accumulator(grad_bias, {&in, &grad});
  Tensor sums = kernels(gw, s);
  if (!vendor_conv_backward_weight(sums, grad, in, s, scale)) {
    backward_weight_by_products(s, sums, grad, in, scale);
  }
  if (grad_bias != nullptr) {
    backward_bias(s, gb, grad, scale);
  }
  bring_back(grad_weight, gw);
  bring_back(grad_bias, gb);
}

}  // namespace

void register_conv(th::ConvTable& b) {
  b.conv = conv;
  b.conv_backward_input = conv_backward_input;
  b.conv_backward_weight = conv_backward_weight;
}

}  // namespace thc
