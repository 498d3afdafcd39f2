// A block for each plane finds its statistics, then every element is brought to them. Sums run in
// float (double for double) and in a fixed order.
#pragma once

#include <cmath>

#include "cuda/nn/plane_sum.cuh"

namespace thc::batch_norm {

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
  static constexpr int kMostThreads = BatchPlanes::kMostThreads;
  using C = Compute<T>;
  BatchPlanes planes;
  C momentum, eps;
  const T* x;
  T *save_mean, *save_std, *running_mean, *running_var;
  C *mean, *inverse;

  template <class Block>
  TH_D void operator()(Block& block) const {
    const int64_t c = block.index();
    const auto count = static_cast<C>(planes.count());
    const C m = sum_plane<C>(block, planes, Value<T>{x}) / count;
    const C squares = sum_plane<C>(block, planes, SquaredDeviation<T>{x, m});
    if (block.thread() == 0) {
      const C inv = 1 / std::sqrt(squares / count + eps);
      mean[c] = m;
      inverse[c] = inv;
      save_mean[c] = narrow<T>(m);
      save_std[c] = narrow<T>(inv);
      follow(running_mean + c, momentum, m);
      if (count > 1) {  // one element says nothing of the variance
        follow(running_var + c, momentum, squares / (count - 1));
      }
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
  static constexpr int kMostThreads = BatchPlanes::kMostThreads;
  using C = Compute<T>;
  BatchPlanes planes;
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
    const C sum = sum_plane<C>(block, planes, Value<T>{g});
    const C product = sum_plane<C>(block, planes, GradientTimesDeviation<T>{g, x, mean[c]});
    if (block.thread() == 0) {
      const auto count = static_cast<C>(planes.count());
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

}  // namespace thc::batch_norm
