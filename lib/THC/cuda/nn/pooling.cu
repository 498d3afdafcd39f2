// Maxima over windows, and where they were.
#include "core/tables/pooling.h"
#include "core/tensor/aliasing.h"
#include "cuda/launch.h"
#include "cuda/nn/pooling.h"
#include "cuda/register.h"

namespace thc {
namespace {

using th::functors::Adaptive;
using th::functors::Fractional;
using th::functors::Strided;
using th::functors::Triple;

template <class T, class Windows>
struct MaxPool {
  Windows windows;
  VolumeGrid grid;
  const T* x;
  T* y;
  int64_t* indices;

  TH_HD void operator()(int64_t i) const {
    const VolumeGrid::Place at = grid(i);
    const auto top = th::functors::maximum(windows, at.plane, Triple{at.t, at.h, at.w},
                                           x + at.plane * windows.s.in_elements());
    y[i] = narrow<T>(top.value);
    indices[i] = top.at + 1;
  }
};

/// A thread for each element of the input: windows that overlap may share their maximum, and the
/// element adds up their gradients in a fixed order.
///
/// An index outside of its window counts nowhere, and nothing outside of memory is touched. The CPU
/// refuses indices outside of the plane; to find them here, each call would wait for the device.
template <class T, class Windows>
struct MaxPoolBackward {
  Windows windows;
  VolumeGrid grid;
  const T* g;
  const int64_t* indices;
  T* r;

  TH_HD void operator()(int64_t i) const {
    const VolumeGrid::Place at = grid(i);
    const int64_t first = at.plane * windows.s.out_elements();
    const int64_t own = i - at.plane * windows.s.in_elements() + 1;
    Compute<T> sum = 0;
    th::functors::for_covering(windows, at.plane, Triple{at.t, at.h, at.w},
                               [&](const Triple&, int64_t out) {
                                 if (indices[first + out] == own) {
                                   sum += widen(g[first + out]);
                                 }
                               });
    r[i] = narrow<T>(sum);
  }
};

/// `windows.template operator()<T>()` makes the windows for elements of type T.
template <class MakeWindows>
void forward(const Pooling& p, TH_Tensor* r, TH_Tensor* indices, const TH_Tensor* x,
             const MakeWindows& windows) {
  const Tensor in = contiguous(*x);
  Result positions(indices, p.out(), Result::Compact, {&in, r});
  Result result(r, p.out(), Result::Compact, {&in});
  Floating::dispatch(in.dtype, [&]<class T>() {
    const auto of_type = windows.template operator()<T>();
    launch(stream_for(in), p.planes * p.out_plane(),
           MaxPool<T, std::remove_const_t<decltype(of_type)>>{of_type, outputs_of(p), data<T>(in),
                                                              data<T>(result.tensor()),
                                                              data<int64_t>(positions.tensor())});
  });
  result.finish();
  positions.finish();
}

template <class MakeWindows>
void backward(const Pooling& p, TH_Tensor* r, const TH_Tensor* g, const TH_Tensor* x,
              const TH_Tensor* indices, const MakeWindows& windows) {
  const Tensor grad = contiguous(*g);
  const Tensor at = contiguous(*indices);
  const Tensor in(*x);  // for its sizes: r may be x
  Result result(r, sizes_of(in), Result::Compact, {&grad, &at});
  Floating::dispatch(grad.dtype, [&]<class T>() {
    const auto of_type = windows.template operator()<T>();
    launch(stream_for(grad), p.planes * p.in_plane(),
           MaxPoolBackward<T, std::remove_const_t<decltype(of_type)>>{
               of_type, inputs_of(p), data<T>(grad), data<int64_t>(at), data<T>(result.tensor())});
  });
  result.finish();
}

void max_pool(TH_Tensor* r, TH_Tensor* indices, const TH_Tensor* x, int dims, const int64_t* kernel,
              const int64_t* stride, const int64_t* padding, const int64_t* dilation,
              bool ceil_mode) {
  th::check_max_operands(r, indices, x);
  const Pooling p = check_pool_shape(*x, {dims, kernel, stride, padding, dilation, ceil_mode});
  forward(p, r, indices, x, [&]<class T>() { return Strided{p.shape}; });
}

void max_pool_backward(TH_Tensor* r, const TH_Tensor* g, const TH_Tensor* x,
                       const TH_Tensor* indices, int dims, const int64_t* kernel,
                       const int64_t* stride, const int64_t* padding, const int64_t* dilation,
                       bool ceil_mode) {
  th::check_max_operands(r, indices, x);
  const Pooling p = check_pool_shape(*x, {dims, kernel, stride, padding, dilation, ceil_mode});
  check_max_gradient(g, *indices, p, *x);
  backward(p, r, g, x, indices, [&]<class T>() { return Strided{p.shape}; });
}

void adaptive_max_pool(TH_Tensor* r, TH_Tensor* indices, const TH_Tensor* x, int dims,
                       const int64_t* sizes) {
  th::check_max_operands(r, indices, x);
  const Pooling p = check_adaptive_shape(*x, dims, sizes);
  forward(p, r, indices, x, [&]<class T>() { return Adaptive{p.shape}; });
}

void adaptive_max_pool_backward(TH_Tensor* r, const TH_Tensor* g, const TH_Tensor* x,
                                const TH_Tensor* indices, int dims, const int64_t* sizes) {
  th::check_max_operands(r, indices, x);
  const Pooling p = check_adaptive_shape(*x, dims, sizes);
  check_max_gradient(g, *indices, p, *x);
  backward(p, r, g, x, indices, [&]<class T>() { return Adaptive{p.shape}; });
}

/// Samples that no result lies in.
Tensor own_samples(const TH_Tensor& samples, const TH_Tensor& r, const TH_Tensor& indices) {
  Tensor u = contiguous(samples);
  if (shares_memory(u, r) || shares_memory(u, indices)) {
    u = clone(u);
  }
  return u;
}

void fractional_max_pool(TH_Tensor* r, TH_Tensor* indices, const TH_Tensor* x,
                         const TH_Tensor* samples, int dims, const int64_t* kernel,
                         const int64_t* sizes) {
  th::check_max_operands(r, indices, x);
  const Pooling p = check_fractional_shape(*x, samples, dims, kernel, sizes);
  const Tensor u = own_samples(*samples, *r, *indices);
  forward(p, r, indices, x, [&]<class T>() { return Fractional<T>{p.shape, data<T>(u), dims}; });
}

void fractional_max_pool_backward(TH_Tensor* r, const TH_Tensor* g, const TH_Tensor* x,
                                  const TH_Tensor* indices, const TH_Tensor* samples, int dims,
                                  const int64_t* kernel, const int64_t* sizes) {
  th::check_max_operands(r, indices, x);
  const Pooling p = check_fractional_shape(*x, samples, dims, kernel, sizes);
  check_max_gradient(g, *indices, p, *x);
  const Tensor u = own_samples(*samples, *r, *indices);
  backward(p, r, g, x, indices, [&]<class T>() {
    return Fractional<T>{p.shape, data<T>(u), dims};
  });
}

}  // namespace

void register_pooling(th::PoolingTable& b) {
  b.max_pool = max_pool;
  b.max_pool_backward = max_pool_backward;
  b.adaptive_max_pool = adaptive_max_pool;
  b.adaptive_max_pool_backward = adaptive_max_pool_backward;
  b.fractional_max_pool = fractional_max_pool;
  b.fractional_max_pool_backward = fractional_max_pool_backward;
}

}  // namespace thc
