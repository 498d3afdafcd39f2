// Softmax where the elements of a column are `inner` apart, as the classes of an image are:
// neighbouring threads have neighbouring columns. Many columns: a thread each. Few: several
// threads, which meet in shared memory.
#pragma once

#include "cuda/launch.h"
#include "cuda/nn/softmax_formula.h"
#include "cuda/offsets.h"

namespace thc {

/// outer x n x inner elements, compact; r may be x.
template <class T>
struct SoftmaxColumns {
  using A = Compute<T>;

  int64_t columns;  // outer * inner
  int64_t n;
  int64_t inner;
  int across;  // columns of a block; a power of two
  bool log;
  const T* g;  // gradients of the output; NULL: forward
  const T* x;  // the input, or where there is a g the output
  T* r;

  /// op over the values of the threads of this thread's column.
  template <class Block, class V, class Op>
  TH_D V reduce(Block& block, V value, Op op) const {
    if (across == block.threads()) {
      return value;
    }
    V* const values = block.template shared<V>();
    values[block.thread()] = value;
    for (int half = block.threads() / 2; half >= across; half /= 2) {
      block.sync();
      if (block.thread() < half) {
        values[block.thread()] = op(values[block.thread()], values[block.thread() + half]);
      }
    }
    block.sync();
    return values[block.thread() % across];
  }

  template <class Block>
  TH_D void operator()(Block& block) const {
    const int64_t column = block.index() * across + block.thread() % across;
    const int64_t outer = column / inner;
    const int64_t at = outer * (n - 1) * inner + column;
    const int64_t end = column < columns ? n : 0;
    const int64_t first = block.thread() / across;
    const int64_t step = block.threads() / across;
    if (g != nullptr) {
      const SoftmaxGradient<A> gradient{log};
      A sum = 0;
      for (int64_t i = first; i < end; i += step) {
        sum += gradient.term(widen(g[at + i * inner]), widen(x[at + i * inner]));
      }
      sum = reduce(block, sum, Add{});
      for (int64_t i = first; i < end; i += step) {
        const int64_t place = at + i * inner;
        r[place] = narrow<T>(gradient.finish(widen(g[place]), widen(x[place]), sum));
      }
      return;
    }
    PowerSum<A> s;
    for (int64_t i = first; i < end; i += step) {
      s.take(widen(x[at + i * inner]));
    }
    const Normalize<A> normalize(reduce(block, s, MergeSums{}), log);
    for (int64_t i = first; i < end; i += step) {
      r[at + i * inner] = narrow<T>(normalize(widen(x[at + i * inner])));
    }
  }
};

/// a.across is chosen here.
template <class T>
void softmax_columns(cudaStream_t stream, SoftmaxColumns<T> a) {
  constexpr int64_t kManyColumns = 65536;  // a thread for each keeps a device busy
  a.across = kThreads;
  if (a.n > kWarp && a.columns < kManyColumns) {
    a.across = kWarp;
    while (a.across / 2 >= a.columns) {
      a.across /= 2;
    }
  }
  const int64_t blocks = (a.columns + a.across - 1) / a.across;
  const size_t bytes = a.across == kThreads ? 0 : kThreads * sizeof(PowerSum<Compute<T>>);
  launch_blocks(stream, blocks, kThreads, bytes, a);
}

}  // namespace thc
