// Softmax where the elements of a row are neighbours: small rows by a few threads of a warp, larger
// ones by a block, each row read once and kept in registers; huge ones by a block that reads twice.
#pragma once

#include "cuda/launch.h"
#include "cuda/nn/softmax_formula.h"
#include "cuda/offsets.h"

namespace thc {

/// Compact rows of n elements; r may be x (or y).
template <class T>
struct SoftmaxRows {
  int64_t rows;
  int64_t n;
  bool log;
  const T* g;  // gradients of the output; NULL: forward
  const T* x;  // the input, or where there is a g the output
  T* r;
};

/// `width` neighbouring threads of a warp, a power of two, that have a row together.
template <class Block>
struct RowLanes {
  const Block& block;
  int width;

  TH_D int rank() const { return block.thread() % width; }
  TH_D int size() const { return width; }
  template <class A, class Op>
  TH_D A reduce(A value, Op op) const {
    for (int distance = width / 2; distance > 0; distance /= 2) {
      value = op(value, block.shuffle_xor(value, distance));
    }
    return value;
  }
};

/// All threads of a block.
template <class Block>
struct WholeBlock {
  const Block& block;

  TH_D int rank() const { return block.thread(); }
  TH_D int size() const { return block.threads(); }
  template <class A, class Op>
  TH_D A reduce(A value, Op op) const {
    return block.reduce(value, op);
  }
};

namespace detail {

/// A row of `n` elements by a group of threads, up to K elements each. n = 0: no row, but the
/// group's other threads need this one's part in their reductions.
template <int K, class T, class Group>
TH_D void softmax_row(const Group& group, const T* x, T* r, int n, bool log) {
  using A = Compute<T>;
  A v[K];
  PowerSum<A> s;
  for (int k = 0; k < K; ++k) {
    const int i = k * group.size() + group.rank();
    v[k] = i < n ? widen(x[i]) : -std::numeric_limits<A>::infinity();
    s.top = Larger{}(s.top, v[k]);
  }
  s.top = group.reduce(s.top, Larger{});
  for (int k = 0; k < K; ++k) {
    v[k] -= s.top;
    const A power = th::math::exp(v[k]);
    s.sum += k * group.size() + group.rank() < n ? power : A(0);
    v[k] = log ? v[k] : power;
  }
  s.sum = group.reduce(s.sum, Add{});
  const A last = Normalize<A>(s, log).last;
  for (int k = 0; k < K; ++k) {
    const int i = k * group.size() + group.rank();
    if (i < n) {
      r[i] = narrow<T>(log ? v[k] - last : v[k] * last);
    }
  }
}

template <int K, class T, class Group>
TH_D void softmax_row_backward(const Group& group, const T* g, const T* y, T* r, int n, bool log) {
  using A = Compute<T>;
  const SoftmaxGradient<A> gradient{log};
  A gs[K];
  A ys[K];
  A sum = 0;
  for (int k = 0; k < K; ++k) {
    const int i = k * group.size() + group.rank();
    gs[k] = i < n ? widen(g[i]) : A(0);
    ys[k] = i < n ? widen(y[i]) : A(0);
    sum += gradient.term(gs[k], ys[k]);
  }
  sum = group.reduce(sum, Add{});
  for (int k = 0; k < K; ++k) {
    const int i = k * group.size() + group.rank();
    if (i < n) {
      r[i] = narrow<T>(gradient.finish(gs[k], ys[k], sum));
    }
  }
}

}  // namespace detail

/// Rows of up to K * width elements.
template <int K, class T>
struct SoftmaxByLanes {
  SoftmaxRows<T> a;
  int width;

  template <class Block>
  TH_D void operator()(Block& block) const {
    const int per_block = block.threads() / width;
    const int64_t row = block.index() * per_block + block.thread() / width;
    const int n = row < a.rows ? static_cast<int>(a.n) : 0;
    const int64_t at = n > 0 ? row * a.n : 0;
    const RowLanes<Block> group{block, width};
    if (a.g != nullptr) {
      detail::softmax_row_backward<K>(group, a.g + at, a.x + at, a.r + at, n, a.log);
    } else {
      detail::softmax_row<K>(group, a.x + at, a.r + at, n, a.log);
    }
  }
};

inline constexpr int kSoftmaxThreads = 512;

/// Rows of up to K elements for each thread of the block.
template <int K, class T>
struct SoftmaxByBlocks {
  static constexpr int kMostThreads = kSoftmaxThreads;
  SoftmaxRows<T> a;

  template <class Block>
  TH_D void operator()(Block& block) const {
    const int64_t at = block.index() * a.n;
    const int n = static_cast<int>(a.n);
    const WholeBlock<Block> group{block};
    if (a.g != nullptr) {
      detail::softmax_row_backward<K>(group, a.g + at, a.x + at, a.r + at, n, a.log);
    } else {
      detail::softmax_row<K>(group, a.x + at, a.r + at, n, a.log);
    }
  }
};

/// Rows of any length.
template <class T>
struct SoftmaxByPasses {
  static constexpr int kMostThreads = kSoftmaxThreads;
  using A = Compute<T>;
  SoftmaxRows<T> a;

  template <class Block>
  TH_D void forward(Block& block, int64_t at) const {
    PowerSum<A> s;
    for (int64_t i = block.thread(); i < a.n; i += block.threads()) {
      s.take(widen(a.x[at + i]));
    }
    const Normalize<A> normalize(block.reduce(s, MergeSums{}), a.log);
    for (int64_t i = block.thread(); i < a.n; i += block.threads()) {
      a.r[at + i] = narrow<T>(normalize(widen(a.x[at + i])));
    }
  }

  template <class Block>
  TH_D void backward(Block& block, int64_t at) const {
    const SoftmaxGradient<A> gradient{a.log};
    A sum = 0;
    for (int64_t i = block.thread(); i < a.n; i += block.threads()) {
      sum += gradient.term(widen(a.g[at + i]), widen(a.x[at + i]));
    }
    sum = block.reduce(sum, Add{});
    for (int64_t i = block.thread(); i < a.n; i += block.threads()) {
      a.r[at + i] = narrow<T>(gradient.finish(widen(a.g[at + i]), widen(a.x[at + i]), sum));
    }
  }

  template <class Block>
  TH_D void operator()(Block& block) const {
    if (a.g != nullptr) {
      backward(block, block.index() * a.n);
    } else {
      forward(block, block.index() * a.n);
    }
  }
};

template <class T>
void softmax_rows(cudaStream_t stream, const SoftmaxRows<T>& a) {
  constexpr int kInWarp = 4;  // elements of a thread
  constexpr int kInBlock = 8;
  if (a.n <= kInWarp * kWarp) {
    int width = 1;
    while (width < a.n && width < kWarp) {
      width *= 2;
    }
    const int64_t per_block = kThreads / width;
    const int64_t blocks = (a.rows + per_block - 1) / per_block;
    if (a.n <= kWarp) {
      launch_blocks(stream, blocks, kThreads, 0, SoftmaxByLanes<1, T>{a, width});
    } else {
      launch_blocks(stream, blocks, kThreads, 0, SoftmaxByLanes<kInWarp, T>{a, width});
    }
  } else if (a.n <= kInBlock * kSoftmaxThreads) {
    constexpr int64_t kOfWarp = kInBlock * kWarp;
    const auto threads = static_cast<int>((a.n + kOfWarp - 1) / kOfWarp * kWarp);
    launch_blocks(stream, a.rows, threads, 0, SoftmaxByBlocks<kInBlock, T>{a});
  } else {
    launch_blocks(stream, a.rows, kSoftmaxThreads, 0, SoftmaxByPasses<T>{a});
  }
}

}  // namespace thc
