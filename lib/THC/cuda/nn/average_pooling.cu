// Means over windows of images.
#include "core/aliasing.h"
#include "core/checks/pooling.h"
#include "core/tables/pooling.h"
#include "cuda/launch.h"
#include "cuda/nn/grid.h"
#include "cuda/register.h"
#include "functors/pooling.h"

namespace thc {
namespace {

using th::functors::Covering;
using th::functors::Window2d;

template <class T>
struct AveragePool {
  PoolShape s;
  bool count_padding;
  Grid grid;
  const T* x;
  T* y;

  TH_HD void operator()(int64_t i) const {
    const Grid::Place at = grid(i);
    const Window2d window(s, at.row, at.column);
    const T* plane = x + at.plane * s.H * s.W;
    Compute<T> sum = 0;
    for (int64_t h = window.h.begin; h < window.h.end; ++h) {
      for (int64_t w = window.w.begin; w < window.w.end; ++w) {
        sum += widen(plane[h * s.W + w]);
      }
    }
    y[i] = narrow<T>(sum / static_cast<Compute<T>>(window.count(count_padding)));
  }
};

/// A thread for each element of the input, which takes its share of the windows that hold it, in a
/// fixed order.
template <class T>
struct AveragePoolBackward {
  PoolShape s;
  bool count_padding;
  Grid grid;
  const T* g;
  T* r;

  TH_HD void operator()(int64_t i) const {
    const Grid::Place at = grid(i);
    const Covering rows(at.row, s.kH, s.dH, s.padH, s.outH);
    const Covering columns(at.column, s.kW, s.dW, s.padW, s.outW);
    Compute<T> sum = 0;
    for (int64_t oh = rows.first; oh <= rows.last; ++oh) {
      for (int64_t ow = columns.first; ow <= columns.last; ++ow) {
        const int64_t count = Window2d(s, oh, ow).count(count_padding);
        sum += widen(g[(at.plane * s.outH + oh) * s.outW + ow]) / static_cast<Compute<T>>(count);
      }
    }
    r[i] = narrow<T>(sum);
  }
};

void avg_pool2d(TH_Tensor* r, const TH_Tensor* x, int kH, int kW, int dH, int dW, int padH,
                int padW, bool ceil_mode, bool count_padding) {
  const Pooling p = check_avg_pool2d(r, x, kH, kW, dH, dW, padH, padW, ceil_mode);
  const Tensor in = contiguous(*x);
  Result result(r, p.out.span(), Result::Compact, {&in});
  Floating::dispatch(in.dtype, [&]<class T>() {
    launch(stream_for(in), p.planes * p.out_plane(),
           AveragePool<T>{p.shape, count_padding, Grid(p.planes, p.shape.outH, p.shape.outW),
                          data<T>(in), data<T>(result.tensor())});
  });
  result.finish();
}

void avg_pool2d_backward(TH_Tensor* r, const TH_Tensor* g, const TH_Tensor* x, int kH, int kW,
                         int dH, int dW, int padH, int padW, bool ceil_mode, bool count_padding) {
  const Pooling p = check_avg_pool2d_backward(r, g, x, kH, kW, dH, dW, padH, padW, ceil_mode);
  const Tensor grad = contiguous(*g);
  const Tensor in(*x);  // for its sizes: r may be x
  Result result(r, sizes_of(in), Result::Compact, {&grad});
  Floating::dispatch(grad.dtype, [&]<class T>() {
    launch(stream_for(grad), p.planes * p.in_plane(),
           AveragePoolBackward<T>{p.shape, count_padding, Grid(p.planes, p.shape.H, p.shape.W),
                                  data<T>(grad), data<T>(result.tensor())});
  });
  result.finish();
}

}  // namespace

void register_average_pooling(th::PoolingTable& b) {
  b.avg_pool2d = avg_pool2d;
  b.avg_pool2d_backward = avg_pool2d_backward;
}

}  // namespace thc
