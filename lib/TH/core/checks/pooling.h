// What every backend checks before it pools images: N x C x H x W or C x H x W.
#pragma once

#include "core/checks/nn.h"
#include "functors/image_shapes.h"

namespace th {

/// floor((size + 2 pad - k) / step) + 1, or with ceil; a last window that would begin in the
/// padding behind the input is left out. 0 where no window fits.
inline int64_t pooled_size(int64_t size, int64_t k, int64_t step, int64_t pad, bool ceil_mode) {
  const int64_t room = size + 2 * pad - k;
  if (room < 0) {
    return 0;
  }
  const int64_t count = (room + (ceil_mode ? step - 1 : 0)) / step + 1;
  return (count - 1) * step >= size + pad ? count - 1 : count;
}

/// The planes of x and the pooling of each.
struct Pooling {
  PoolShape shape;
  int64_t planes;
  ImageSizes out;

  int64_t in_plane() const { return shape.H * shape.W; }
  int64_t out_plane() const { return shape.outH * shape.outW; }
};

inline Pooling check_pool_shape(const TH_Tensor& x, int kH, int kW, int dH, int dW, int padH,
                                int padW, bool ceil_mode) {
  TH_CHECK(x.ndim == 3 || x.ndim == 4, "input is ", shape(x),
           ", expected N x C x H x W or C x H x W");
  TH_CHECK(kH > 0 && kW > 0, "kernel is ", kH, "x", kW, ", its sizes must be at least 1");
  TH_CHECK(dH > 0 && dW > 0, "stride is ", dH, "x", dW, ", its sizes must be at least 1");
  TH_CHECK(padH >= 0 && padW >= 0 && padH <= kH / 2 && padW <= kW / 2, "padding is ", padH, "x",
           padW, ", it must be from 0 to half of the kernel (", kH, "x", kW, ")");
  const int first = x.ndim - 3;
  const int64_t N = first == 0 ? 1 : x.sizes[0];
  const int64_t C = x.sizes[first];
  const int64_t H = x.sizes[first + 1];
  const int64_t W = x.sizes[first + 2];
  const int64_t outH = pooled_size(H, kH, dH, padH, ceil_mode);
  const int64_t outW = pooled_size(W, kW, dW, padW, ceil_mode);
  TH_CHECK(outH > 0 && outW > 0, "input is ", shape(x), ", too small for a kernel of ", kH, "x", kW,
           " with padding ", padH, "x", padW, ": the output would be ", outH, "x", outW);
  return {{H, W, outH, outW, kH, kW, dH, dW, padH, padW}, N * C, {{N, C, outH, outW}, x.ndim}};
}

inline void check_pool_gradient(const TH_Tensor& g, const Pooling& p, const TH_Tensor& x) {
  check_same_dtype(x, g);
  TH_CHECK(numel(g) == p.planes * p.out_plane(), "gradOutput is ", shape(g), ", expected ",
           shape(p.out.span()), " for an input of ", shape(x));
}

inline Pooling check_max_pool2d(const TH_Tensor* r, const TH_Tensor* indices, const TH_Tensor* x,
                                int kH, int kW, int dH, int dW, int padH, int padW,
                                bool ceil_mode) {
  TH_CHECK(r != nullptr && indices != nullptr && x != nullptr, "an operand is missing");
  check_floating(*x);
  check_same_dtype(*r, *x);
  check_dtype(*indices, TH_LONG, "indices");
  return check_pool_shape(*x, kH, kW, dH, dW, padH, padW, ceil_mode);
}

/// The values of `indices` are the backend's to check: see indices_out_of_range.
inline Pooling check_max_pool2d_backward(const TH_Tensor* r, const TH_Tensor* g, const TH_Tensor* x,
                                         const TH_Tensor* indices, int kH, int kW, int dH, int dW,
                                         int padH, int padW, bool ceil_mode) {
  TH_CHECK(g != nullptr, "an operand is missing");
  const Pooling p = check_max_pool2d(r, indices, x, kH, kW, dH, dW, padH, padW, ceil_mode);
  check_pool_gradient(*g, p, *x);
  TH_CHECK(numel(*indices) == p.planes * p.out_plane(), "indices is ", shape(*indices),
           ", expected ", shape(p.out.span()), ", as the forward pass made it for an input of ",
           shape(*x));
  return p;
}

inline Pooling check_avg_pool2d(const TH_Tensor* r, const TH_Tensor* x, int kH, int kW, int dH,
                                int dW, int padH, int padW, bool ceil_mode) {
  TH_CHECK(r != nullptr && x != nullptr, "an operand is missing");
  check_floating(*x);
  check_same_dtype(*r, *x);
  return check_pool_shape(*x, kH, kW, dH, dW, padH, padW, ceil_mode);
}

inline Pooling check_avg_pool2d_backward(const TH_Tensor* r, const TH_Tensor* g, const TH_Tensor* x,
                                         int kH, int kW, int dH, int dW, int padH, int padW,
                                         bool ceil_mode) {
  TH_CHECK(g != nullptr, "an operand is missing");
  const Pooling p = check_avg_pool2d(r, x, kH, kW, dH, dW, padH, padW, ceil_mode);
  check_pool_gradient(*g, p, *x);
  return p;
}

[[noreturn]] inline void indices_out_of_range(const Pooling& p) {
  fail("indices holds positions outside of 1 to ", p.in_plane(), ", the planes' ", p.shape.H, "x",
       p.shape.W, " elements; run the forward pass on this input first");
}

}  // namespace th
