// Batch normalisation: a block for each plane finds its statistics, then every element is brought
// to them. Sums run in float (double for double) and in a fixed order.
#include <optional>

#include "core/checks_batch_norm.h"
#include "core/aliasing.h"
#include "cuda/fill_backend.h"
#include "cuda/launch.h"
#include "cuda/nn/grid.h"

namespace thc {
namespace {

struct Plus {
  template <class C>
  TH_HD C operator()(C a, C b) const {
    return a + b;
  }
};

/// The sum of f(offset) over the block's plane in all samples, known to all threads.
template <class C, class Block, class F>
TH_D C sum_plane(Block& block, const BatchNormShape& s, const Grid& grid, const F& f) {
  C sum = 0;
  for (int64_t i = block.thread(); i < s.N * s.P; i += block.threads()) {
    const Grid::Place at = grid(i);
    sum += f((at.plane * s.C + block.index()) * s.P + at.column);
  }
  return block.reduce(sum, Plus{});
}

template <class T>
struct Value {
  const T* x;
  TH_HD Compute<T> operator()(int64_t i) const { return widen(x[i]); }
};
template <class T>
struct SquaredDeviation {
  const T* x;
  Compute<T> mean;
  TH_HD Compute<T> operator()(int64_t i) const {
    const Compute<T> d = widen(x[i]) - mean;
    return d * d;
  }
};
template <class T>
struct GradientTimesDeviation {
  const T* g;
  const T* x;
  Compute<T> mean;
  TH_HD Compute<T> operator()(int64_t i) const { return widen(g[i]) * (widen(x[i]) - mean); }
};

/// Moves the running number towards that of the batch.
template <class T>
TH_HD void follow(T* running, Compute<T> momentum, Compute<T> now) {
  const Compute<T> before = widen(*running);
  *running = narrow<T>(before + momentum * (now - before));
}

/// Mean and 1 / sqrt(variance + eps) of each plane, from the batch.
template <class T>
struct BatchStatistics {
  using C = Compute<T>;
  BatchNormShape s;
  Grid grid;
  C momentum, eps;
  const T* x;
  T *save_mean, *save_std, *running_mean, *running_var;
  C *mean, *inverse;

  template <class Block>
  TH_D void operator()(Block& block) const {
    const int64_t c = block.index();
    const auto count = static_cast<C>(s.count());
    const C m = sum_plane<C>(block, s, grid, Value<T>{x}) / count;
    const C squares = sum_plane<C>(block, s, grid, SquaredDeviation<T>{x, m});
    if (block.thread() == 0) {
      const C inv = 1 / std::sqrt(squares / count + eps);
      mean[c] = m;
      inverse[c] = inv;
      save_mean[c] = narrow<T>(m);
      save_std[c] = narrow<T>(inv);
      follow(running_mean + c, momentum, m);
      follow(running_var + c, momentum, squares / (count - 1));
    }
  }
};

/// The same from what is known: the running numbers, or what the forward pass saved.
template <class T>
struct KnownStatistics {
  using C = Compute<T>;
  bool saved;
  C eps;
  const T *from_mean, *from;
  C *mean, *inverse;

  TH_HD void operator()(int64_t c) const {
    mean[c] = widen(from_mean[c]);
    inverse[c] = saved ? widen(from[c]) : 1 / std::sqrt(widen(from[c]) + eps);
  }
};

template <class T>
struct Normalise {
  using C = Compute<T>;
  Grid grid;
  const C *mean, *inverse;
  const T *weight, *bias;  // may be null
  const T* x;
  T* y;

  TH_HD void operator()(int64_t i) const {
    const int64_t c = grid(i).row;
    C v = (widen(x[i]) - mean[c]) * inverse[c];
    if (weight != nullptr) {
      v *= widen(weight[c]);
    }
    if (bias != nullptr) {
      v += widen(bias[c]);
    }
    y[i] = narrow<T>(v);
  }
};

/// What a plane's gradients share: a = mean of g, b = mean of g (x - mean) / variance.
template <class T>
struct GradientSums {
  using C = Compute<T>;
  BatchNormShape s;
  Grid grid;
  bool train;
  C scale;
  const T *g, *x;
  const C *mean, *inverse;
  C *a, *b;
  T *grad_weight, *grad_bias;  // may be null

  template <class Block>
  TH_D void operator()(Block& block) const {
    const int64_t c = block.index();
    const C inv = inverse[c];
    const C sum = sum_plane<C>(block, s, grid, Value<T>{g});
    const C product = sum_plane<C>(block, s, grid, GradientTimesDeviation<T>{g, x, mean[c]});
    if (block.thread() == 0) {
      const auto count = static_cast<C>(s.count());
      a[c] = train ? sum / count : 0;
      b[c] = train ? product / count * inv * inv : 0;
      if (grad_weight != nullptr) {
        grad_weight[c] = narrow<T>(widen(grad_weight[c]) + scale * product * inv);
      }
      if (grad_bias != nullptr) {
        grad_bias[c] = narrow<T>(widen(grad_bias[c]) + scale * sum);
      }
    }
  }
};

template <class T>
struct InputGradient {
  using C = Compute<T>;
  Grid grid;
  const C *mean, *inverse, *a, *b;
  const T* weight;  // may be null
  const T *g, *x;
  T* r;

  TH_HD void operator()(int64_t i) const {
    const int64_t c = grid(i).row;
    const C k = weight == nullptr ? inverse[c] : inverse[c] * widen(weight[c]);
    r[i] = narrow<T>((widen(g[i]) - a[c] - (widen(x[i]) - mean[c]) * b[c]) * k);
  }
};

/// Element i of a plane lies in sample grid(i).plane, at grid(i).column.
Grid sample_grid(const BatchNormShape& s) { return Grid(s.N, 1, s.P); }
/// Element i belongs to plane grid(i).row.
Grid plane_grid(const BatchNormShape& s) { return Grid(s.N, s.C, s.P); }

Tensor contiguous_or_none(const TH_Tensor* t) { return t == nullptr ? Tensor() : contiguous(*t); }

void bring_back(TH_Tensor* to, const Tensor& from) {
  if (to != nullptr && bytes(*to) != bytes(from)) {
    th::copy(*to, from);
  }
}

void batch_norm(TH_Tensor* r,
                TH_Tensor* save_mean,
                TH_Tensor* save_std,
                const TH_Tensor* x,
                const TH_Tensor* weight,
                const TH_Tensor* bias,
                TH_Tensor* running_mean,
                TH_Tensor* running_var,
                bool train,
                double momentum,
                double eps) {
  const BatchNormShape s =
      check_batch_norm(r, save_mean, save_std, x, weight, bias, running_mean, running_var, train);
  const Tensor in = contiguous(*x);
  const Tensor w = contiguous_or_none(weight);
  const Tensor b = contiguous_or_none(bias);
  const Tensor known_mean = contiguous(*running_mean);
  const Tensor known_var = contiguous(*running_var);
  const Scratch scratch(in, 2 * s.C * element_size(compute_dtype(in.dtype)));
  Result result(r, sizes_of(in), Result::Compact, {&in, &w, &b, &known_mean, &known_var});
  const cudaStream_t stream = stream_for(in);
  Floating::dispatch(in.dtype, [&]<class T>() {
    using C = Compute<T>;
    C* mean = scratch.data<C>();
    C* inverse = mean + s.C;
    if (train) {
      const std::span<const int64_t> planes(&s.C, 1);
      Result out_mean(save_mean, planes, Result::Compact, {&in});
      Result out_std(save_std, planes, Result::Compact, {&in});
      launch_blocks(stream,
                    s.C,
                    kThreads,
                    0,
                    BatchStatistics<T>{s,
                                       sample_grid(s),
                                       static_cast<C>(momentum),
                                       static_cast<C>(eps),
                                       data<T>(in),
                                       data<T>(out_mean.tensor()),
                                       data<T>(out_std.tensor()),
                                       data<T>(known_mean),
                                       data<T>(known_var),
                                       mean,
                                       inverse});
      out_mean.finish();
      out_std.finish();
      bring_back(running_mean, known_mean);
      bring_back(running_var, known_var);
    } else {
      launch(
          stream,
          s.C,
          KnownStatistics<T>{
              false, static_cast<C>(eps), data<T>(known_mean), data<T>(known_var), mean, inverse});
    }
    launch(stream,
           s.N * s.C * s.P,
           Normalise<T>{plane_grid(s),
                        mean,
                        inverse,
                        data<T>(w),
                        data<T>(b),
                        data<T>(in),
                        data<T>(result.tensor())});
  });
  result.finish();
}

void batch_norm_backward(TH_Tensor* r,
                         TH_Tensor* grad_weight,
                         TH_Tensor* grad_bias,
                         const TH_Tensor* g,
                         const TH_Tensor* x,
                         const TH_Tensor* weight,
                         const TH_Tensor* running_mean,
                         const TH_Tensor* running_var,
                         const TH_Tensor* save_mean,
                         const TH_Tensor* save_std,
                         bool train,
                         double eps,
                         double scale) {
  const BatchNormShape s = check_batch_norm_backward(r,
                                                     grad_weight,
                                                     grad_bias,
                                                     g,
                                                     x,
                                                     weight,
                                                     running_mean,
                                                     running_var,
                                                     save_mean,
                                                     save_std,
                                                     train);
  const Tensor in = contiguous(*x);
  const Tensor grad = contiguous(*g);
  const Tensor w = contiguous_or_none(weight);
  const Tensor from_mean = contiguous(train ? *save_mean : *running_mean);
  const Tensor from = contiguous(train ? *save_std : *running_var);
  const Tensor gw = contiguous_or_none(grad_weight);
  const Tensor gb = contiguous_or_none(grad_bias);
  const Scratch scratch(in, 4 * s.C * element_size(compute_dtype(in.dtype)));
  const cudaStream_t stream = stream_for(in);
  Floating::dispatch(in.dtype, [&]<class T>() {
    using C = Compute<T>;
    C* mean = scratch.data<C>();
    C* inverse = mean + s.C;
    C* a = inverse + s.C;
    C* b = a + s.C;
    std::optional<Result> result;
    if (r != nullptr) {
      result.emplace(r,
                     sizes_of(in),
                     Result::Compact,
                     std::initializer_list<const TH_Tensor*>{&in, &grad, &w, &from_mean, &from});
    }
    launch(stream,
           s.C,
           KnownStatistics<T>{
               train, static_cast<C>(eps), data<T>(from_mean), data<T>(from), mean, inverse});
    launch_blocks(stream,
                  s.C,
                  kThreads,
                  0,
                  GradientSums<T>{s,
                                  sample_grid(s),
                                  train,
                                  static_cast<C>(scale),
                                  data<T>(grad),
                                  data<T>(in),
                                  mean,
                                  inverse,
                                  a,
                                  b,
                                  data<T>(gw),
                                  data<T>(gb)});
    if (result) {
      launch(stream,
             s.N * s.C * s.P,
             InputGradient<T>{plane_grid(s),
                              mean,
                              inverse,
                              a,
                              b,
                              data<T>(w),
                              data<T>(grad),
                              data<T>(in),
                              data<T>(result->tensor())});
      result->finish();
    }
  });
  bring_back(grad_weight, gw);
  bring_back(grad_bias, gb);
}

}  // namespace

void fill_batch_norm(Backend& b) {
  b.batch_norm = batch_norm;
  b.batch_norm_backward = batch_norm_backward;
}

}  // namespace thc
