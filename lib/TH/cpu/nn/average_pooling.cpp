// Means over windows.
#include <algorithm>

#include "core/checks/pooling.h"
#include "core/tables/pooling.h"
#include "cpu/kernels/nn/pooling.h"
#include "cpu/operands.h"
#include "cpu/parallel.h"
#include "cpu/register.h"
#include "cpu/select.h"

namespace th::cpu {
namespace {

using functors::Adaptive;
using functors::Strided;
using functors::Window;

const PoolKernels& kernels() {
  static const PoolKernels table = select_kernels<PoolKernels>();
  return table;
}

/// f(output) for each output of a plane, in order.
template <class F>
void for_outputs(const PoolShape& s, const F& f) {
  for (int64_t t = 0; t < s.axes[0].out; ++t) {
    for (int64_t h = 0; h < s.axes[1].out; ++h) {
      for (int64_t w = 0; w < s.axes[2].out; ++w) {
        f(functors::Triple{t, h, w});
      }
    }
  }
}

/// one(x, y) for each plane, of float or double.
template <class One>
void forward(const Pooling& p, TH_Tensor* r, const TH_Tensor* x, const One& one) {
  const Tensor in = compact(*x);
  Output out(r, p.out(), {&in});
  RealTypes::dispatch(in.dtype, [&]<class T>() {
    const T* from = data<T>(in);
    T* to = out.data<T>();
    parallel_items(p.planes, p.cost(), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        one(from + i * p.in_plane(), to + i * p.out_plane());
      }
    });
  });
  out.finish();
}

/// Spreads each gradient over its window; windows may overlap.
template <class Windows>
void backward(const Pooling& p, TH_Tensor* r, const TH_Tensor* g, const TH_Tensor* x,
              bool count_padding) {
  const Tensor grad = compact(*g);
  const Tensor in(*x);  // for its sizes: r may be x
  const Windows windows{p.shape};
  Output out(r, sizes_of(in), {&grad});
  RealTypes::dispatch(grad.dtype, [&]<class T>() {
    const T* all = data<T>(grad);
    T* to = out.data<T>();
    parallel_items(p.planes, p.cost(), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const T* from = all + i * p.out_plane();
        T* plane = to + i * p.in_plane();
        std::fill_n(plane, p.in_plane(), T(0));
        for_outputs(p.shape, [&](const functors::Triple& place) {
          const Window<Windows> window(windows, i, place);
          const T share = *from++ / static_cast<T>(window.count(count_padding));
          window.walk(p.shape, [&](int64_t at) { plane[at] += share; });
        });
      }
    });
  });
  out.finish();
}

void avg_pool(TH_Tensor* r, const TH_Tensor* x, bool count_padding, int dims, const int64_t* kernel,
              const int64_t* stride, const int64_t* padding, const int64_t* dilation,
              bool ceil_mode) {
  check_pool_operands(r, x);
  const Pooling p = check_pool_shape(*x, {dims, kernel, stride, padding, dilation, ceil_mode});
  forward(p, r, x, [&]<class T>(const T* from, T* to) {
    kernels().row<T>().means(p.shape, count_padding, from, to);
  });
}

void avg_pool_backward(TH_Tensor* r, const TH_Tensor* g, const TH_Tensor* x, bool count_padding,
                       int dims, const int64_t* kernel, const int64_t* stride,
                       const int64_t* padding, const int64_t* dilation, bool ceil_mode) {
  check_pool_operands(r, x);
  const Pooling p = check_pool_shape(*x, {dims, kernel, stride, padding, dilation, ceil_mode});
  check_pool_gradient(g, p, *x);
  backward<Strided>(p, r, g, x, count_padding);
}

void adaptive_avg_pool(TH_Tensor* r, const TH_Tensor* x, int dims, const int64_t* sizes) {
  check_pool_operands(r, x);
  const Pooling p = check_adaptive_shape(*x, dims, sizes);
  forward(p, r, x, [&]<class T>(const T* from, T* to) {
    for_outputs(p.shape, [&](const functors::Triple& place) {
      *to++ = functors::mean(Adaptive{p.shape}, 0, place, false, from);
    });
  });
}

void adaptive_avg_pool_backward(TH_Tensor* r, const TH_Tensor* g, const TH_Tensor* x, int dims,
                                const int64_t* sizes) {
  check_pool_operands(r, x);
  const Pooling p = check_adaptive_shape(*x, dims, sizes);
  check_pool_gradient(g, p, *x);
  backward<Adaptive>(p, r, g, x, false);
}

}  // namespace

void register_average_pooling(PoolingTable& b) {
  b.avg_pool = avg_pool;
  b.avg_pool_backward = avg_pool_backward;
  b.adaptive_avg_pool = adaptive_avg_pool;
  b.adaptive_avg_pool_backward = adaptive_avg_pool_backward;
}

}  // namespace th::cpu
