// Maxima over windows of images, and where they were.
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

/// The first of several equal maxima counts; a NaN counts as the maximum.
template <class T>
struct MaxPool {
  PoolShape s;
  Grid grid;
  const T* x;
  T* y;
  int64_t* indices;

  TH_HD void operator()(int64_t i) const {
    const Grid::Place at = grid(i);
    const Window2d window(s, at.row, at.column);
    const T* plane = x + at.plane * s.H * s.W;
    int64_t place = window.h.begin * s.W + window.w.begin;
    Compute<T> top = widen(plane[place]);
    for (int64_t h = window.h.begin; h < window.h.end; ++h) {
      for (int64_t w = window.w.begin; w < window.w.end; ++w) {
        const Compute<T> v = widen(plane[h * s.W + w]);
        if (v > top || v != v) {
          top = v;
          place = h * s.W + w;
        }
      }
    }
    y[i] = narrow<T>(top);
    indices[i] = place + 1;
  }
};

/// A thread for each element of the input: windows that overlap may share their maximum, and the
/// element adds up their gradients in a fixed order.
///
/// An index outside of its window counts nowhere, and nothing outside of memory is touched. The CPU
/// refuses indices outside of the plane; to find them here, each call would wait for the device.
template <class T>
struct MaxPoolBackward {
  PoolShape s;
  Grid grid;
  const T* g;
  const int64_t* indices;
  T* r;

  TH_HD void operator()(int64_t i) const {
    const Grid::Place at = grid(i);
    const Covering rows(at.row, s.kH, s.dH, s.padH, s.outH);
    const Covering columns(at.column, s.kW, s.dW, s.padW, s.outW);
    const int64_t own = at.row * s.W + at.column + 1;
    Compute<T> sum = 0;
    for (int64_t oh = rows.first; oh <= rows.last; ++oh) {
      for (int64_t ow = columns.first; ow <= columns.last; ++ow) {
        const int64_t window = (at.plane * s.outH + oh) * s.outW + ow;
        if (indices[window] == own) {
          sum += widen(g[window]);
        }
      }
    }
    r[i] = narrow<T>(sum);
  }
};

void max_pool2d(TH_Tensor* r, TH_Tensor* indices, const TH_Tensor* x, int kH, int kW, int dH,
                int dW, int padH, int padW, bool ceil_mode) {
  const Pooling p = check_max_pool2d(r, indices, x, kH, kW, dH, dW, padH, padW, ceil_mode);
  const Tensor in = contiguous(*x);
  Result positions(indices, p.out.span(), Result::Compact, {&in, r});
  Result result(r, p.out.span(), Result::Compact, {&in});
  Floating::dispatch(in.dtype, [&]<class T>() {
    launch(stream_for(in), p.planes * p.out_plane(),
           MaxPool<T>{p.shape, Grid(p.planes, p.shape.outH, p.shape.outW), data<T>(in),
                      data<T>(result.tensor()), data<int64_t>(positions.tensor())});
  });
  result.finish();
  positions.finish();
}

void max_pool2d_backward(TH_Tensor* r, const TH_Tensor* g, const TH_Tensor* x,
                         const TH_Tensor* indices, int kH, int kW, int dH, int dW, int padH,
                         int padW, bool ceil_mode) {
  const Pooling p =
      check_max_pool2d_backward(r, g, x, indices, kH, kW, dH, dW, padH, padW, ceil_mode);
  const Tensor grad = contiguous(*g);
  const Tensor at = contiguous(*indices);
  const Tensor in(*x);  // for its sizes: r may be x
  Result result(r, sizes_of(in), Result::Compact, {&grad, &at});
  Floating::dispatch(grad.dtype, [&]<class T>() {
    launch(stream_for(grad), p.planes * p.in_plane(),
           MaxPoolBackward<T>{p.shape, Grid(p.planes, p.shape.H, p.shape.W), data<T>(grad),
                              data<int64_t>(at), data<T>(result.tensor())});
  });
  result.finish();
}

}  // namespace

void register_pooling(th::PoolingTable& b) {
  b.max_pool2d = max_pool2d;
  b.max_pool2d_backward = max_pool2d_backward;
}

}  // namespace thc
