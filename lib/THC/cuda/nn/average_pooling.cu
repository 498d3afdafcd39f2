// Means over windows.
#include "core/tables/pooling.h"
#include "core/tensor/aliasing.h"
#include "cuda/launch.h"
#include "cuda/nn/pooling.h"
#include "cuda/register.h"

namespace thc {
namespace {

using th::functors::Adaptive;
using th::functors::Strided;
using th::functors::Triple;
using th::functors::Window;

template <class T, class Windows>
struct AveragePool {
  Windows windows;
  bool count_padding;
  VolumeGrid grid;
  const T* x;
  T* y;

  TH_HD void operator()(int64_t i) const {
    const VolumeGrid::Place at = grid(i);
    y[i] = narrow<T>(th::functors::mean(windows, at.plane, Triple{at.t, at.h, at.w}, count_padding,
                                        x + at.plane * windows.s.in_elements()));
  }
};

/// A thread for each element of the input, which takes its share of the windows that hold it, in a
/// fixed order.
template <class T, class Windows>
struct AveragePoolBackward {
  Windows windows;
  bool count_padding;
  VolumeGrid grid;
  const T* g;
  T* r;

  TH_HD void operator()(int64_t i) const {
    const VolumeGrid::Place at = grid(i);
    const T* plane = g + at.plane * windows.s.out_elements();
    Compute<T> sum = 0;
    th::functors::for_covering(
        windows, at.plane, Triple{at.t, at.h, at.w}, [&](const Triple& out, int64_t position) {
          const Window<Windows> window(windows, at.plane, out);
          if (window.holds({at.t, at.h, at.w})) {
            sum += widen(plane[position]) / static_cast<Compute<T>>(window.count(count_padding));
          }
        });
    r[i] = narrow<T>(sum);
  }
};

template <class Windows>
void forward(const Pooling& p, TH_Tensor* r, const TH_Tensor* x, bool count_padding) {
  const Tensor in = contiguous(*x);
  Result result(r, p.out(), Result::Compact, {&in});
  Floating::dispatch(in.dtype, [&]<class T>() {
    launch(stream_for(in), p.planes * p.out_plane(),
           AveragePool<T, Windows>{
               {p.shape}, count_padding, outputs_of(p), data<T>(in), data<T>(result.tensor())});
  });
  result.finish();
}

template <class Windows>
void backward(const Pooling& p, TH_Tensor* r, const TH_Tensor* g, const TH_Tensor* x,
              bool count_padding) {
  const Tensor grad = contiguous(*g);
  const Tensor in(*x);  // for its sizes: r may be x
  Result result(r, sizes_of(in), Result::Compact, {&grad});
  Floating::dispatch(grad.dtype, [&]<class T>() {
    launch(stream_for(grad), p.planes * p.in_plane(),
           AveragePoolBackward<T, Windows>{
               {p.shape}, count_padding, inputs_of(p), data<T>(grad), data<T>(result.tensor())});
  });
  result.finish();
}

void avg_pool(TH_Tensor* r, const TH_Tensor* x, bool count_padding, int dims, const int64_t* kernel,
              const int64_t* stride, const int64_t* padding, const int64_t* dilation,
              bool ceil_mode) {
  th::check_pool_operands(r, x);
  forward<Strided>(check_pool_shape(*x, {dims, kernel, stride, padding, dilation, ceil_mode}), r, x,
                   count_padding);
}

void avg_pool_backward(TH_Tensor* r, const TH_Tensor* g, const TH_Tensor* x, bool count_padding,
                       int dims, const int64_t* kernel, const int64_t* stride,
                       const int64_t* padding, const int64_t* dilation, bool ceil_mode) {
  th::check_pool_operands(r, x);
  const Pooling p = check_pool_shape(*x, {dims, kernel, stride, padding, dilation, ceil_mode});
  check_pool_gradient(g, p, *x);
  backward<Strided>(p, r, g, x, count_padding);
}

void adaptive_avg_pool(TH_Tensor* r, const TH_Tensor* x, int dims, const int64_t* sizes) {
  th::check_pool_operands(r, x);
  forward<Adaptive>(check_adaptive_shape(*x, dims, sizes), r, x, false);
}

void adaptive_avg_pool_backward(TH_Tensor* r, const TH_Tensor* g, const TH_Tensor* x, int dims,
                                const int64_t* sizes) {
  th::check_pool_operands(r, x);
  const Pooling p = check_adaptive_shape(*x, dims, sizes);
  check_pool_gradient(g, p, *x);
  backward<Adaptive>(p, r, g, x, false);
}

}  // namespace

void register_average_pooling(th::PoolingTable& b) {
  b.avg_pool = avg_pool;
  b.avg_pool_backward = avg_pool_backward;
  b.adaptive_avg_pool = adaptive_avg_pool;
  b.adaptive_avg_pool_backward = adaptive_avg_pool_backward;
}

}  // namespace thc
