// Maxima over windows of images, and where they were.
#include "core/tables/pooling.h"

#include <algorithm>
#include <atomic>

#include "core/checks/pooling.h"
#include "cpu/kernels/nn/pooling.h"
#include "cpu/operands.h"
#include "cpu/parallel.h"
#include "cpu/register.h"
#include "cpu/select.h"

namespace th::cpu {
namespace {

const PoolKernels& kernels() {
  static const PoolKernels table = select_kernels<PoolKernels>();
  return table;
}

int64_t cost(const Pooling& p) { return p.in_plane() + p.out_plane() * p.shape.kH * p.shape.kW; }

void max_pool2d(TH_Tensor* r, TH_Tensor* indices, const TH_Tensor* x, int kH, int kW, int dH,
                int dW, int padH, int padW, bool ceil_mode) {
  const Pooling p = check_max_pool2d(r, indices, x, kH, kW, dH, dW, padH, padW, ceil_mode);
  const Tensor in = compact(*x);
  Output positions(indices, p.out.span(), {&in, r});
  Output out(r, p.out.span(), {&in});
  RealTypes::dispatch(in.dtype, [&]<class T>() {
    const auto kernel = kernels().row<T>().forward;
    const T* from = data<T>(in);
    T* to = out.data<T>();
    int64_t* at = positions.data<int64_t>();
    parallel_items(p.planes, cost(p), [&](int64_t begin, int64_t end) {
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
  parallel_items(p.planes, cost(p), [&](int64_t begin, int64_t end) {
    std::fill_n(r + begin * p.in_plane(), (end - begin) * p.in_plane(), T(0));
    for (int64_t i = begin; i < end; ++i) {
      T* plane = r + i * p.in_plane();
      for (int64_t j = i * p.out_plane(); j < (i + 1) * p.out_plane(); ++j) {
        plane[indices[j] - 1] += g[j];
      }
    }
  });
}

void max_pool2d_backward(TH_Tensor* r, const TH_Tensor* g, const TH_Tensor* x,
                         const TH_Tensor* indices, int kH, int kW, int dH, int dW, int padH,
                         int padW, bool ceil_mode) {
  const Pooling p =
      check_max_pool2d_backward(r, g, x, indices, kH, kW, dH, dW, padH, padW, ceil_mode);
  const int64_t n = p.planes * p.out_plane();
  const Tensor grad = compact(*g);
  const Tensor at = contiguous(*indices);
  const int64_t* positions = data<int64_t>(at);
  std::atomic<bool> good = true;
  parallel_for(n, kGrain, [&](int64_t begin, int64_t end) {
    if (!kernels().within(end - begin, positions + begin, p.in_plane())) {
      good = false;
    }
  });
  if (!good) {
    indices_out_of_range(p);
  }
  const Tensor in(*x);  // r may be x
  Output out(r, sizes_of(in), {&grad, &at});
  RealTypes::dispatch(grad.dtype, [&]<class T>() {
    const T* from = data<T>(grad);
    T* to = out.data<T>();
    if (p.shape.two_by_two()) {
      const auto kernel = kernels().row<T>().backward_two_by_two;
      std::atomic<bool> done = true;
      parallel_items(p.planes, cost(p), [&](int64_t begin, int64_t end) {
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

void register_pooling(PoolingTable& b) {
  b.max_pool2d = max_pool2d;
  b.max_pool2d_backward = max_pool2d_backward;
}

}  // namespace th::cpu
