// Maxima over windows, and where they were.
#include "core/tables/pooling.h"

#include <algorithm>
#include <atomic>

#include "core/checks/pooling.h"
#include "cpu/kernels/nn/pooling.h"
#include "cpu/operands.h"
#include "cpu/parallel.h"
#include "cpu/register.h"
#include "cpu/select.h"
#include "cpu/widened_parts.h"

namespace th::cpu {
namespace {

using functors::Adaptive;
using functors::Fractional;

const PoolKernels& kernels() {
  static const PoolKernels table = select_kernels<PoolKernels>();
  return table;
}

// --- maxima -------------------------------------------------------------------------------------

/// The maxima of one plane through windows of any kind.
template <class Windows, class T>
void maxima(const Windows& windows, int64_t plane, const T* x, T* y, int64_t* indices) {
  const PoolShape& s = windows.s;
  for (int64_t t = 0; t < s.axes[0].out; ++t) {
    for (int64_t h = 0; h < s.axes[1].out; ++h) {
      for (int64_t w = 0; w < s.axes[2].out; ++w) {
        const auto top = functors::maximum(windows, plane, {t, h, w}, x);
        *y++ = top.value;
        *indices++ = top.at + 1;
      }
    }
  }
}

/// one(plane, x, y, indices) for each plane, of float or double.
template <class One>
void forward(const Pooling& p, TH_Tensor* r, TH_Tensor* indices, const TH_Tensor* x,
             const One& one) {
  const Tensor in = contiguous(*x);
  Output positions(indices, p.out(), {&in, r});
  Result out(r, p.out(), Result::Compact, {&in});
  const int64_t inputs = p.in_plane(), outputs = p.out_plane();
  RealTypes::dispatch(compute_dtype(in.dtype), [&]<class T>() {
    const WidenedParts<T> from(in), to(out, in.dtype);
    int64_t* at = positions.data<int64_t>();
    const auto planes = widened_items<T>(in.dtype, p.planes, p.cost(), inputs + outputs);
    planes.run([&](int64_t begin, int64_t end, T* own) {
      for (int64_t i = begin; i < end; ++i) {
        T* const y = to.place(i * outputs, own + inputs);
        one(i, from.read(i * inputs, inputs, own), y, at + i * outputs);
        to.commit(i * outputs, outputs, y);
      }
    });
  });
  out.finish();
  positions.finish();
}

void max_pool(TH_Tensor* r, TH_Tensor* indices, const TH_Tensor* x, int dims, const int64_t* kernel,
              const int64_t* stride, const int64_t* padding, const int64_t* dilation,
              bool ceil_mode) {
  check_max_operands(r, indices, x);
  const Pooling p = check_pool_shape(*x, {dims, kernel, stride, padding, dilation, ceil_mode});
  forward(p, r, indices, x, [&]<class T>(int64_t, const T* from, T* to, int64_t* at) {
    kernels().row<T>().maxima(p.shape, from, to, at);
  });
}

void adaptive_max_pool(TH_Tensor* r, TH_Tensor* indices, const TH_Tensor* x, int dims,
                       const int64_t* sizes) {
  check_max_operands(r, indices, x);
  const Pooling p = check_adaptive_shape(*x, dims, sizes);
  forward(p, r, indices, x, [&]<class T>(int64_t plane, const T* from, T* to, int64_t* at) {
    maxima(Adaptive{p.shape}, plane, from, to, at);
  });
}

void fractional_max_pool(TH_Tensor* r, TH_Tensor* indices, const TH_Tensor* x,
                         const TH_Tensor* samples, int dims, const int64_t* kernel,
                         const int64_t* sizes) {
  check_max_operands(r, indices, x);
  const Pooling p = check_fractional_shape(*x, samples, dims, kernel, sizes);
  Tensor u = compact(*samples);
  if (shares_memory(u, *r) || shares_memory(u, *indices)) {
    u = clone(u);
  }
  forward(p, r, indices, x, [&]<class T>(int64_t plane, const T* from, T* to, int64_t* at) {
    maxima(Fractional<T>{p.shape, data<T>(u), dims}, plane, from, to, at);
  });
}

// --- gradients ----------------------------------------------------------------------------------

/// one(gradients of a plane's outputs, their positions, those of its inputs) for each plane.
template <class T, class One>
void each_plane(const Pooling& p, const WidenedParts<T>& g, const int64_t* indices,
                const WidenedParts<T>& r, const BufferedItems<T>& planes, const One& one) {
  const int64_t inputs = p.in_plane(), outputs = p.out_plane();
  planes.run([&](int64_t begin, int64_t end, T* own) {
    for (int64_t i = begin; i < end; ++i) {
      T* const to = r.place(i * inputs, own);
      one(g.read(i * outputs, outputs, own + inputs), indices + i * outputs, to);
      r.commit(i * inputs, inputs, to);
    }
  });
}

/// The fast way for windows of 2 x 2 side by side, and that of any windows: they may overlap, so
/// that gradients add up.
template <class T>
void scatter(const Pooling& p, const WidenedParts<T>& g, const int64_t* indices,
             const WidenedParts<T>& r, const BufferedItems<T>& planes, bool two_by_two) {
  const auto kernel = kernels().row<T>().backward_two_by_two;
  each_plane(p, g, indices, r, planes, [&](const T* from, const int64_t* at, T* to) {
    if (two_by_two && kernel(p.shape, from, at, to)) {
      return;
    }
    std::fill_n(to, p.in_plane(), T(0));
    for (int64_t j = 0; j < p.out_plane(); ++j) {
      to[at[j] - 1] += from[j];
    }
  });
}

/// Whatever the windows were: the positions say where gradients go.
void backward(const Pooling& p, TH_Tensor* r, const TH_Tensor* g, const TH_Tensor* x,
              const TH_Tensor* indices, bool two_by_two) {
  const Tensor grad = contiguous(*g);
  const Tensor at = contiguous(*indices);
  const int64_t* positions = data<int64_t>(at);
  std::atomic<bool> good = true;
  parallel_for(p.planes * p.out_plane(), kGrain, [&](int64_t begin, int64_t end) {
    if (!kernels().within(end - begin, positions + begin, p.in_plane())) {
      good = false;
    }
  });
  if (!good) {
    indices_out_of_range(p);
  }
  const Tensor in(*x);  // r may be x
  Result out(r, sizes_of(in), Result::Compact, {&grad, &at});
  RealTypes::dispatch(compute_dtype(grad.dtype), [&]<class T>() {
    scatter<T>(p, WidenedParts<T>(grad), positions, {out, grad.dtype},
               widened_items<T>(grad.dtype, p.planes, p.cost(), p.in_plane() + p.out_plane()),
               two_by_two);
  });
  out.finish();
}

void max_pool_backward(TH_Tensor* r, const TH_Tensor* g, const TH_Tensor* x,
                       const TH_Tensor* indices, int dims, const int64_t* kernel,
                       const int64_t* stride, const int64_t* padding, const int64_t* dilation,
                       bool ceil_mode) {
  check_max_operands(r, indices, x);
  const Pooling p = check_pool_shape(*x, {dims, kernel, stride, padding, dilation, ceil_mode});
  check_max_gradient(g, *indices, p, *x);
  backward(p, r, g, x, indices, p.shape.two_by_two());
}

void adaptive_max_pool_backward(TH_Tensor* r, const TH_Tensor* g, const TH_Tensor* x,
                                const TH_Tensor* indices, int dims, const int64_t* sizes) {
  check_max_operands(r, indices, x);
  const Pooling p = check_adaptive_shape(*x, dims, sizes);
  check_max_gradient(g, *indices, p, *x);
  backward(p, r, g, x, indices, false);
}

void fractional_max_pool_backward(TH_Tensor* r, const TH_Tensor* g, const TH_Tensor* x,
                                  const TH_Tensor* indices, const TH_Tensor* samples, int dims,
                                  const int64_t* kernel, const int64_t* sizes) {
  check_max_operands(r, indices, x);
  const Pooling p = check_fractional_shape(*x, samples, dims, kernel, sizes);
  check_max_gradient(g, *indices, p, *x);
  backward(p, r, g, x, indices, false);
}

}  // namespace

void register_pooling(PoolingTable& b) {
  b.max_pool = max_pool;
  b.max_pool_backward = max_pool_backward;
  b.adaptive_max_pool = adaptive_max_pool;
  b.adaptive_max_pool_backward = adaptive_max_pool_backward;
  b.fractional_max_pool = fractional_max_pool;
  b.fractional_max_pool_backward = fractional_max_pool_backward;
}

}  // namespace th::cpu
