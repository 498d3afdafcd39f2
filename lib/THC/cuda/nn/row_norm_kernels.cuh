// A group of threads for each row finds its statistics and brings its elements to them; short rows
// have a few lanes of a warp, long ones a block. Gradients of weight and bias are summed in an
// order that the sizes fix. Sums run in float (double for double).
#pragma once

#include <cmath>

#include "core/checks/row_norm.h"
#include "cuda/nn/plane_sum.cuh"
#include "cuda/nn/softmax_rows.cuh"

namespace thc::row_norm {

using th::RowNormShape;

/// The plane of an element of a row, whose planes have P elements each; without 64-bit divisions
/// where rows have fewer than 2^31 elements.
struct PlaneOf {
  bool wide;
  int64_t P;
  Divisor by_P;

  explicit PlaneOf(const RowNormShape &s) : wide(s.length() > 0x7fffffff), P(s.P) {
    if (!wide && P > 0) {
      by_P = Divisor(static_cast<uint32_t>(P));
    }
  }

  TH_HD int64_t operator()(int64_t i) const {
    return wide ? i / P : by_P.divide(static_cast<uint32_t>(i));
  }
};

template <class T>
struct Forward {
  using C = Compute<T>;
  RowNormShape s;
  PlaneOf plane;
  bool centred;
  C eps;
  const T *x;
  const T *weight, *bias;  // may be null
  T *y;
  C *mean, *inverse;

  template <class Group>
  TH_D void operator()(const Group &group, int64_t row, int64_t n) const {
    const T *from = x + row * n;
    C center = 0;
    if (centred) {
      for (int64_t i = group.rank(); i < n; i += group.size()) {
        center += widen(from[i]);
      }
      center = group.reduce(center, Plus{}) / static_cast<C>(s.length());
    }
    C squares = 0;
    for (int64_t i = group.rank(); i < n; i += group.size()) {
      const C d = widen(from[i]) - center;
      squares += d * d;
    }
    squares = group.reduce(squares, Plus{}) / static_cast<C>(s.length());
    const C inv = 1 / std::sqrt(squares + eps);
    if (n > 0 && group.rank() == 0) {
      mean[row] = center;
      inverse[row] = inv;
    }
    const int64_t first = row % s.groups * s.K;
    for (int64_t i = group.rank(); i < n; i += group.size()) {
      const int64_t c = first + plane(i);
      C v = (widen(from[i]) - center) * inv;
      if (weight != nullptr) {
        v *= widen(weight[c]);
      }
      if (bias != nullptr) {
        v += widen(bias[c]);
      }
      y[row * n + i] = narrow<T>(v);
    }
  }
};

template <class T>
struct InputGradient {
  using C = Compute<T>;
  RowNormShape s;
  PlaneOf plane;
  bool centred;
  const T *g, *x;
  const T *weight;  // may be null
  const C *mean, *inverse;
  T *r;

  TH_D C weighted(int64_t row, int64_t n, int64_t i) const {
    const C gradient = widen(g[row * n + i]);
    if (weight == nullptr) {
      return gradient;
    }
    return gradient * widen(weight[row % s.groups * s.K + plane(i)]);
  }

  template <class Group>
  TH_D void operator()(const Group &group, int64_t row, int64_t n) const {
    const C m = n > 0 ? mean[row] : C(0);
    const C inv = n > 0 ? inverse[row] : C(0);
    C sum = 0;
    C product = 0;
    for (int64_t i = group.rank(); i < n; i += group.size()) {
      const C v = weighted(row, n, i);
      sum += v;
      product += v * (widen(x[row * n + i]) - m);
    }
    const auto count = static_cast<C>(s.length());
    sum = group.reduce(sum, Plus{});
    product = group.reduce(product, Plus{});
    const C shift = centred ? sum / count : C(0);
    const C slope = product / count * inv * inv;
    for (int64_t i = group.rank(); i < n; i += group.size()) {
      const C v = weighted(row, n, i) - shift - (widen(x[row * n + i]) - m) * slope;
      r[row * n + i] = narrow<T>(v * inv);
    }
  }
};

/// Rows by neighbouring lanes, several rows in a block.
template <class Work>
struct ByLanes {
  Work work;
  int width;

  template <class Block>
  TH_D void operator()(Block &block) const {
    const int64_t row = block.index() * (block.threads() / width) + block.thread() / width;
    // Threads without a row take part in the reductions of their warp.
    const bool has = row < work.s.R;
    work(RowLanes<Block>{block, width}, has ? row : 0, has ? work.s.length() : 0);
  }
};

template <class Work>
struct ByBlocks {
  static constexpr int kMostThreads = 512;
  Work work;

  template <class Block>
  TH_D void operator()(Block &block) const {
    work(WholeBlock<Block>{block}, block.index(), work.s.length());
  }
};

template <class Work>
void each_row(cudaStream_t stream, const Work &work) {
  const int64_t n = work.s.length();
  if (n <= 16 * kWarp) {
    int width = 1;
    while (width < kWarp && width * 4 < n) {
      width *= 2;
    }
    const int64_t per_block = kThreads / width;
    launch_blocks(stream, (work.s.R + per_block - 1) / per_block, kThreads, 0,
                  ByLanes<Work>{work, width});
  } else {
    const int64_t warps = (n / 8 + kWarp - 1) / kWarp;
    const auto threads = static_cast<int>(std::min<int64_t>(warps, 512 / kWarp)) * kWarp;
    launch_blocks(stream, work.s.R, threads, 0, ByBlocks<Work>{work});
  }
}

// --- weight and bias ----------------------------------------------------------------------------

/// Sums over some samples, for each number of weight and bias of its own element (P = 1): threads
/// that are neighbours have columns that are neighbours.
template <class T>
struct PartialSums {
  using C = Compute<T>;
  RowNormShape s;
  int64_t together;
  const T *g, *x;
  const C *mean, *inverse;
  C *products, *sums;  // of each part

  TH_HD void operator()(int64_t index) const {
    const int64_t c = index % s.C();
    const int64_t first = index / s.C() * together;
    const int64_t last = first + together < s.samples() ? first + together : s.samples();
    C product = 0;
    C sum = 0;
    for (int64_t sample = first; sample < last; ++sample) {
      const int64_t row = sample * s.groups + c / s.K;
      const int64_t at = sample * s.C() + c;
      const C gradient = widen(g[at]);
      product += gradient * (widen(x[at]) - mean[row]) * inverse[row];
      sum += gradient;
    }
    products[index] = product;
    sums[index] = sum;
  }
};

template <class T>
struct JoinSums {
  using C = Compute<T>;
  int64_t parts, count;
  C scale;
  const C *products, *sums;
  T *grad_weight, *grad_bias;  // may be null

  TH_HD void operator()(int64_t c) const {
    C product = 0;
    C sum = 0;
    for (int64_t part = 0; part < parts; ++part) {
      product += products[part * count + c];
      sum += sums[part * count + c];
    }
    if (grad_weight != nullptr) {
      grad_weight[c] = narrow<T>(widen(grad_weight[c]) + scale * product);
    }
    if (grad_bias != nullptr) {
      grad_bias[c] = narrow<T>(widen(grad_bias[c]) + scale * sum);
    }
  }
};

/// A block for each plane of N x C x P.
template <class T>
struct PlaneSums {
  static constexpr int kMostThreads = BatchPlanes::kMostThreads;
  using C = Compute<T>;
  BatchPlanes planes;
  RowNormShape s;
  C scale;
  const T *g, *x;
  const C *mean, *inverse;
  T *grad_weight, *grad_bias;  // may be null

  struct Gradient {
    const T *g;
    TH_HD C operator()(int64_t i) const { return widen(g[i]); }
  };
  struct Product {
    const T *g, *x;
    const C *mean, *inverse;
    Grid rows;
    TH_HD C operator()(int64_t i) const {
      const int64_t row = rows(i).row;
      return widen(g[i]) * (widen(x[i]) - mean[row]) * inverse[row];
    }
  };
  Grid rows;

  template <class Block>
  TH_D void operator()(Block &block) const {
    const int64_t c = block.index();
    const C product = sum_plane<C>(block, planes, Product{g, x, mean, inverse, rows});
    const C sum = sum_plane<C>(block, planes, Gradient{g});
    if (block.thread() == 0) {
      if (grad_weight != nullptr) {
        grad_weight[c] = narrow<T>(widen(grad_weight[c]) + scale * product);
      }
      if (grad_bias != nullptr) {
        grad_bias[c] = narrow<T>(widen(grad_bias[c]) + scale * sum);
      }
    }
  }
};

}  // namespace thc::row_norm
