// Means over windows of images.
#include <algorithm>

#include "core/checks/pooling.h"
#include "core/tables/pooling.h"
#include "cpu/operands.h"
#include "cpu/parallel.h"
#include "cpu/register.h"
#include "functors/pooling.h"

namespace th::cpu {
namespace {

using functors::Window2d;

int64_t cost(const Pooling& p) { return p.in_plane() + p.out_plane() * p.shape.kH * p.shape.kW; }

template <class T>
void average_plane(const PoolShape& s, bool count_padding, const T* x, T* y) {
  for (int64_t i = 0; i < s.outH; ++i) {
    for (int64_t j = 0; j < s.outW; ++j) {
      const Window2d window(s, i, j);
      T sum = 0;
      for (int64_t h = window.h.begin; h < window.h.end; ++h) {
        for (int64_t w = window.w.begin; w < window.w.end; ++w) {
          sum += x[h * s.W + w];
        }
      }
      *y++ = sum / static_cast<T>(window.count(count_padding));
    }
  }
}

/// Spreads each gradient over its window; windows may overlap.
template <class T>
void spread_plane(const PoolShape& s, bool count_padding, const T* g, T* r) {
  std::fill_n(r, s.H * s.W, T(0));
  for (int64_t i = 0; i < s.outH; ++i) {
    for (int64_t j = 0; j < s.outW; ++j) {
      const Window2d window(s, i, j);
      const T share = *g++ / static_cast<T>(window.count(count_padding));
      for (int64_t h = window.h.begin; h < window.h.end; ++h) {
        for (int64_t w = window.w.begin; w < window.w.end; ++w) {
          r[h * s.W + w] += share;
        }
      }
    }
  }
}

void avg_pool2d(TH_Tensor* r, const TH_Tensor* x, int kH, int kW, int dH, int dW, int padH,
                int padW, bool ceil_mode, bool count_padding) {
  const Pooling p = check_avg_pool2d(r, x, kH, kW, dH, dW, padH, padW, ceil_mode);
  const Tensor in = compact(*x);
  Output out(r, p.out.span(), {&in});
  RealTypes::dispatch(in.dtype, [&]<class T>() {
    const T* from = data<T>(in);
    T* to = out.data<T>();
    parallel_items(p.planes, cost(p), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        average_plane(p.shape, count_padding, from + i * p.in_plane(), to + i * p.out_plane());
      }
    });
  });
  out.finish();
}

void avg_pool2d_backward(TH_Tensor* r, const TH_Tensor* g, const TH_Tensor* x, int kH, int kW,
                         int dH, int dW, int padH, int padW, bool ceil_mode, bool count_padding) {
  const Pooling p = check_avg_pool2d_backward(r, g, x, kH, kW, dH, dW, padH, padW, ceil_mode);
  const Tensor grad = compact(*g);
  const Tensor in(*x);  // for its sizes: r may be x
  Output out(r, sizes_of(in), {&grad});
  RealTypes::dispatch(grad.dtype, [&]<class T>() {
    const T* from = data<T>(grad);
    T* to = out.data<T>();
    parallel_items(p.planes, cost(p), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        spread_plane(p.shape, count_padding, from + i * p.out_plane(), to + i * p.in_plane());
      }
    });
  });
  out.finish();
}

}  // namespace

void register_average_pooling(PoolingTable& b) {
  b.avg_pool2d = avg_pool2d;
  b.avg_pool2d_backward = avg_pool2d_backward;
}

}  // namespace th::cpu
