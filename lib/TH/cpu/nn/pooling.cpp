// Maxima over windows of images, and where they were.
#include "cpu/kernels/pooling.h"

#include <algorithm>
#include <array>
#include <atomic>

#include "cpu/fill_backend.h"
#include "cpu/nn/operands.h"
#include "cpu/parallel.h"
#include "cpu/select.h"

namespace th::cpu {
namespace {

const PoolKernels& kernels() {
  static const PoolKernels table = select_kernels<PoolKernels>();
  return table;
}

/// floor((size + 2 pad - k) / step) + 1, or with ceil; a last window that would begin in the
/// padding behind the input is left out.
int64_t output_size(int64_t size, int64_t k, int64_t step, int64_t pad, bool ceil_mode) {
  const int64_t room = size + 2 * pad - k;
  if (room < 0) {
    return 0;
  }
  const int64_t count = (room + (ceil_mode ? step - 1 : 0)) / step + 1;
  return (count - 1) * step >= size + pad ? count - 1 : count;
}

/// The planes of x and the pooling of each, checked.
struct Pooling {
  PoolShape shape;
  int64_t planes;
  std::array<int64_t, 4> sizes;  // of the result
  int ndim;

  Pooling(const TH_Tensor& x, int kH, int kW, int dH, int dW, int padH, int padW, bool ceil_mode)
      : ndim(x.ndim) {
    TH_CHECK(x.ndim == 3 || x.ndim == 4,
             "input is ",
             th::shape(x),
             ", expected N x C x H x W or C x H x W");
    TH_CHECK(kH > 0 && kW > 0, "kernel is ", kH, "x", kW, ", its sizes must be at least 1");
    TH_CHECK(dH > 0 && dW > 0, "stride is ", dH, "x", dW, ", its sizes must be at least 1");
    TH_CHECK(padH >= 0 && padW >= 0 && padH <= kH / 2 && padW <= kW / 2,
             "padding is ",
             padH,
             "x",
             padW,
             ", it must be from 0 to half of the kernel (",
             kH,
             "x",
             kW,
             ")");
    const int64_t H = x.sizes[ndim - 2];
    const int64_t W = x.sizes[ndim - 1];
    shape = {H,
             W,
             output_size(H, kH, dH, padH, ceil_mode),
             output_size(W, kW, dW, padW, ceil_mode),
             kH,
             kW,
             dH,
             dW,
             padH,
             padW};
    TH_CHECK(shape.outH > 0 && shape.outW > 0,
             "input is ",
             th::shape(x),
             ", too small for a kernel of ",
             kH,
             "x",
             kW,
             " with padding ",
             padH,
             "x",
             padW,
             ": the output would be ",
             shape.outH,
             "x",
             shape.outW);
    std::copy_n(x.sizes, ndim, sizes.begin());
    sizes[static_cast<size_t>(ndim - 2)] = shape.outH;
    sizes[static_cast<size_t>(ndim - 1)] = shape.outW;
    planes = x.sizes[0] * (ndim == 4 ? x.sizes[1] : 1);
  }

  std::span<const int64_t> out_sizes() const { return {sizes.data(), static_cast<size_t>(ndim)}; }
  int64_t in_plane() const { return shape.H * shape.W; }
  int64_t out_plane() const { return shape.outH * shape.outW; }
  int64_t cost() const { return in_plane() + out_plane() * shape.kH * shape.kW; }
};

void max_pool2d(TH_Tensor* r,
                TH_Tensor* indices,
                const TH_Tensor* x,
                int kH,
                int kW,
                int dH,
                int dW,
                int padH,
                int padW,
                bool ceil_mode) {
  TH_CHECK(r != nullptr && indices != nullptr && x != nullptr, "an operand is missing");
  check_floating(*x);
  check_same_dtype(*r, *x);
  check_dtype(*indices, TH_LONG, "indices");
  const Pooling p(*x, kH, kW, dH, dW, padH, padW, ceil_mode);
  const Tensor in = compact(*x);
  Output positions(indices, p.out_sizes(), {&in, r});
  Output out(r, p.out_sizes(), {&in});
  RealTypes::dispatch(in.dtype, [&]<class T>() {
    const auto kernel = kernels().row<T>().forward;
    const T* from = data<T>(in);
    T* to = out.data<T>();
    int64_t* at = positions.data<int64_t>();
    parallel_items(p.planes, p.cost(), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        kernel(p.shape, from + i * p.in_plane(), to + i * p.out_plane(), at + i * p.out_plane());
      }
    });
  });
  out.finish();
  positions.finish();
}

/// Any windows: they may overlap, so that gradients add up.
template <class T>
void scatter(const Pooling& p, const T* g, const int64_t* indices, T* r) {
  parallel_items(p.planes, p.cost(), [&](int64_t begin, int64_t end) {
    std::fill_n(r + begin * p.in_plane(), (end - begin) * p.in_plane(), T(0));
    for (int64_t i = begin; i < end; ++i) {
      T* plane = r + i * p.in_plane();
      for (int64_t j = i * p.out_plane(); j < (i + 1) * p.out_plane(); ++j) {
        plane[indices[j] - 1] += g[j];
      }
    }
  });
}

void max_pool2d_backward(TH_Tensor* r,
                         const TH_Tensor* g,
                         const TH_Tensor* x,
                         const TH_Tensor* indices,
                         int kH,
                         int kW,
                         int dH,
                         int dW,
                         int padH,
                         int padW,
                         bool ceil_mode) {
  TH_CHECK(r != nullptr && g != nullptr && x != nullptr && indices != nullptr,
           "an operand is missing");
  check_floating(*x);
  check_same_dtype(*x, *g);
  check_same_dtype(*r, *x);
  check_dtype(*indices, TH_LONG, "indices");
  const Pooling p(*x, kH, kW, dH, dW, padH, padW, ceil_mode);
  const int64_t n = p.planes * p.out_plane();
  TH_CHECK(numel(*g) == n,
           "gradOutput is ",
           shape(*g),
           ", expected ",
           shape(p.out_sizes()),
           " for an input of ",
           shape(*x));
  TH_CHECK(numel(*indices) == n,
           "indices is ",
           shape(*indices),
           ", expected ",
           shape(p.out_sizes()),
           ", as the forward pass made it for an input of ",
           shape(*x));
  const Tensor grad = compact(*g);
  const Tensor at = contiguous(*indices);
  const int64_t* positions = data<int64_t>(at);
  std::atomic<bool> good = true;
  parallel_for(n, kGrain, [&](int64_t begin, int64_t end) {
    if (!kernels().within(end - begin, positions + begin, p.in_plane())) {
      good = false;
    }
  });
  TH_CHECK(good,
           "indices holds positions outside of 1 to ",
           p.in_plane(),
           ", the planes' ",
           p.shape.H,
           "x",
           p.shape.W,
           " elements; run the forward pass on this input first");
  const Tensor in(*x);  // r may be x
  Output out(r, sizes_of(in), {&grad, &at});
  RealTypes::dispatch(grad.dtype, [&]<class T>() {
    const T* from = data<T>(grad);
    T* to = out.data<T>();
    if (p.shape.two_by_two()) {
      const auto kernel = kernels().row<T>().backward_two_by_two;
      std::atomic<bool> done = true;
      parallel_items(p.planes, p.cost(), [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
          const int64_t j = i * p.out_plane();
          if (!kernel(p.shape, from + j, positions + j, to + i * p.in_plane())) {
            done = false;
          }
        }
      });
      if (done) {
        return;
      }
    }
    scatter(p, from, positions, to);
  });
  out.finish();
}

}  // namespace

void fill_pooling(Backend& b) {
  b.max_pool2d = max_pool2d;
  b.max_pool2d_backward = max_pool2d_backward;
}

}  // namespace th::cpu
