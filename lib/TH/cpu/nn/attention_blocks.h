// Blocks of attention: some queries of a pair of sequences, their scores and weights.
#pragma once

#include <algorithm>

#include "core/checks/attention.h"
#include "cpu/kernels/nn/softmax.h"
#include "cpu/linalg/packed_columns.h"

namespace th::cpu {

/// Of a block: eight of the kernel's tiles. More would make causal blocks wider than need be.
inline constexpr int64_t kQueries = 48;

/// A matrix for each of N x H pairs, the elements of its rows side by side.
template <class T>
struct Pairs {
  T* first;
  int64_t sample, head, row;

  explicit Pairs(const TH_Tensor& t, T* p)
      : first(p),
        sample(t.strides[0]),
        head(t.ndim == 4 ? t.strides[1] : 0),
        row(t.strides[t.ndim - 2]) {}
  explicit Pairs(const TH_Tensor& t) : Pairs(t, data<T>(t)) {}
  /// Of `heads` pairs a sample, without gaps.
  Pairs(T* p, int64_t heads, int64_t rows, int64_t columns)
      : first(p), sample(heads * rows * columns), head(rows * columns), row(columns) {}

  T* at(int64_t n, int64_t h) const { return first + n * sample + h * head; }
};

/// What is added to scores, or multiplied by weights: one number for several of them where a stride
/// is 0.
template <class T>
struct Numbers {
  const T* first = nullptr;
  int64_t sample = 0, head = 0, query = 0, key = 0;

  Numbers() = default;
  explicit Numbers(const Tensor& t) {
    if (t.ndim == 0) {
      return;
    }
    const auto stride = [&](int d) { return t.sizes[d] == 1 ? 0 : t.strides[d]; };
    const int last = t.ndim - 1;
    first = data<T>(t);
    sample = stride(0);
    head = t.ndim == 4 ? stride(1) : 0;
    query = stride(last - 1);
    key = stride(last);
  }

  /// From the n-th sample on.
  Numbers from(int64_t n) const {
    Numbers rest = *this;
    rest.first = first == nullptr ? nullptr : first + n * sample;
    return rest;
  }

  /// f(element of the matrix, number) for some queries of a pair.
  template <class F>
  void with(T* matrix, int64_t n, int64_t h, int64_t t, int64_t steps, int64_t keys,
            const F& f) const {
    for (int64_t i = 0; i < steps; ++i) {
      const T* p = first + n * sample + h * head + (t + i) * query;
      for (int64_t j = 0; j < keys; ++j) {
        f(matrix[i * keys + j], p[j * key]);
      }
    }
  }
};

template <class T>
struct Problem {
  AttentionShape s;
  Pairs<const T> q, k, v;
  Numbers<T> mask, noise;
  bool causal;
  T scale;

  int64_t blocks() const { return (s.T + kQueries - 1) / kQueries; }
  int64_t scores() const { return round_up(std::min(kQueries, s.T) * s.S, kVector); }
  int64_t cost_of_block() const { return std::min(kQueries, s.T) * s.S * (s.D + s.V); }
};

/// Steps [t, t + steps), which see the first `keys` keys; of causal ones a step sees fewer.
struct Block {
  int64_t t, steps, keys;
  bool causal;

  template <class T>
  Block(const Problem<T>& a, int64_t index)
      : t(index * kQueries),
        steps(std::min(kQueries, a.s.T - t)),
        keys(a.causal ? std::min(a.s.S, t + steps) : a.s.S),
        causal(a.causal) {}

  /// f(row of a matrix, its elements that count), and zeros for those that do not.
  template <class T, class F>
  void each_row(T* matrix, const F& f) const {
    for (int64_t i = 0; i < steps; ++i) {
      T* row = matrix + i * keys;
      const int64_t seen = causal ? std::min(keys, t + i + 1) : keys;
      f(i, row, seen);
      std::fill_n(row + seen, keys - seen, T(0));
    }
  }
};

/// One pair at a time: its keys, and the weights of a block.
template <class T>
class Weights {
 public:
  static int64_t memory(const Problem<T>& a) {
    return PackedColumns<T>::size(a.s.D, a.s.S) + (a.noise.first == nullptr ? 1 : 2) * a.scores();
  }
  Weights(const Problem<T>& a, T* memory)
      : a_(a), weights_(memory), dropped_(weights_), keys_(memory + a.scores()) {
    if (a.noise.first != nullptr) {
      dropped_ = weights_ + a.scores();
      keys_ = PackedColumns<T>(dropped_ + a.scores());
    }
  }

  void begin(int64_t n, int64_t h) {
    n_ = n;
    h_ = h;
    keys_.pack(true, a_.k.at(n, h), a_.k.row, a_.s.D, a_.s.S);
  }

  void compute(const Block& b) {
    keys_.multiply({false, false, b.steps, b.keys, a_.s.D, a_.scale,
                    a_.q.at(n_, h_) + b.t * a_.q.row, a_.q.row, nullptr, 0, T(0), weights_,
                    b.keys});
    if (a_.mask.first != nullptr) {
      a_.mask.with(weights_, n_, h_, b.t, b.steps, b.keys, [](T& x, T add) { x += add; });
    }
    const auto softmax = softmax_kernels().row<T>().rows[0];
    b.each_row(weights_, [&](int64_t, T* row, int64_t seen) { softmax(1, seen, row, row); });
    if (a_.noise.first != nullptr) {
      std::copy_n(weights_, b.steps * b.keys, dropped_);
      drop(b, dropped_);
    }
  }

  void drop(const Block& b, T* matrix) const {
    if (a_.noise.first != nullptr) {
      a_.noise.with(matrix, n_, h_, b.t, b.steps, b.keys, [](T& x, T factor) { x *= factor; });
    }
  }

  /// From the gradient of the weights, after dropout, that of the scores.
  void gradient(const Block& b, T* matrix) const {
    drop(b, matrix);
    const auto kernel = softmax_kernels().row<T>().rows_backward[0];
    b.each_row(matrix, [&](int64_t i, T* row, int64_t seen) {
      kernel(1, seen, row, weights_ + i * b.keys, row);
    });
  }

  /// Weights times noise, or those themselves.
  const T* dropped() const { return dropped_; }

 private:
  const Problem<T>& a_;
  T *weights_, *dropped_;
  PackedColumns<T> keys_;
  int64_t n_ = 0, h_ = 0;
};

}  // namespace th::cpu
