// LSTMs over whole sequences, some sequences at a time through all steps: none needs another, so
// threads meet at the end only, a step's gates stay in a first-level cache, and gradients of sums
// of products are gone before they leave a second-level one. What both passes share.
#pragma once

#include <algorithm>
#include <bit>

#include "core/checks/recurrent.h"
#include "core/operations.h"
#include "cpu/nn/recurrent/few_states.h"
#include "cpu/parts.h"

namespace th::cpu {

/// Sequences of a product's tile, and the fewest on average for which another group pays. Groups at
/// most: each has sums of its own for the gradients of parameters.
inline constexpr int64_t kTile = 6;
inline constexpr int64_t kGroup = 9;
inline constexpr int64_t kGroups = 16;
/// Rows from which those sums grow at a time: a second-level cache has them beside the sums.
inline constexpr int64_t kRows = 192;
/// Elements by which rows are longer than they need be: at a power of two they would share a few
/// sets of a cache.
inline constexpr int64_t kApart = 16;
/// Sequences, too few to fill a product's tiles; and weights that a second-level cache has.
inline constexpr int64_t kFew = 4;
inline constexpr int64_t kWeights = 1 << 19;
/// Multiplications of a step that one thread had better make alone.
inline constexpr int64_t kAlone = 1 << 19;

/// Groups of sequences. Where sums depend on them they are cut by shape alone, so that results do
/// not depend on the number of threads. There is a power of two of those, which two or four threads
/// share evenly.
struct Groups {
  int64_t sequences, count, multiple = kTile;

  explicit Groups(int64_t N)
      : sequences(N),
        count(std::bit_floor(std::clamp<uint64_t>((N + kTile / 2) / kGroup, 1, kGroups))) {}
  /// So many, if that leaves half a tile of sequences to each.
  Groups(int64_t N, int64_t wanted)
      : sequences(N),
        count(std::clamp<int64_t>(wanted, 1, std::max<int64_t>(N / (kTile / 2), 1))),
        multiple(count * kTile > N ? kTile / 2 : kTile) {}
  /// For what is each sequence's own: one for each thread, where those by shape are fewer.
  static Groups for_threads(int64_t N, int64_t threads) {
    const Groups by_shape(N);
    return by_shape.count < threads ? Groups(N, threads) : by_shape;
  }

  int64_t begin(int64_t group) const {
    return group == count ? sequences
                          : (sequences * group / count + multiple / 2) / multiple * multiple;
  }
  int64_t most() const {
    int64_t most = 0;
    for (int64_t g = 0; g < count; ++g) {
      most = std::max(most, begin(g + 1) - begin(g));
    }
    return most;
  }
};

/// Multiplications of a step of one sequence.
inline int64_t products(const SequenceShape& s) { return 4 * s.H * (s.F + s.H); }

/// How many threads so many multiplications keep busy, as each_part() takes them.
inline int64_t threads_for(int64_t multiplications) {
  return std::clamp<int64_t>(multiplications / 8 / kGrain, 1, threads::share());
}

/// Whether sequences are worth taking by groups: large weights are better read once for all, and
/// threads better share a single group's products where these are worth it.
inline bool by_groups(const TH_Tensor& x, const SequenceShape& s) {
  const int64_t weights = products(s);
  return !is_half(x.dtype) && !has_few_states(x, s) && s.N >= kFew && weights <= kWeights &&
         (Groups(s.N).count > 1 || s.N * weights <= kAlone);
}

/// T x N x features, whose rows may lie anywhere.
template <class T>
struct Steps {
  T* data;
  int64_t step, row;

  explicit Steps(const TH_Tensor& t)
      : data(th::data<T>(t)), step(t.strides[0]), row(t.strides[1]) {}
  T* operator()(int64_t t, int64_t n) const { return data + t * step + n * row; }
};

/// t, or a copy of it where the features of a row are not neighbours.
inline Tensor with_rows(const TH_Tensor& t) {
  return t.sizes[2] == 1 || t.strides[2] == 1 ? Tensor(t) : contiguous(t);
}
inline Tensor rows_or_none(const TH_Tensor* t) { return t == nullptr ? Tensor() : contiguous(*t); }

/// What both passes go through. i counts the steps in their order, t is a step's place.
template <class T>
struct Sequences {
  SequenceShape s;
  Steps<const T> x;
  Steps<T> y, c, gates;
  const T *h0, *c0;
  const int64_t* lengths;
  bool reverse;

  int64_t place(int64_t i) const { return reverse ? s.T - 1 - i : i; }
  bool live(int64_t t, int64_t n) const { return lengths == nullptr || t < lengths[n]; }
  const T* state_before(int64_t i, int64_t n) const { return before(y, h0, i, n); }
  const T* memory_before(int64_t i, int64_t n) const { return before(c, c0, i, n); }

 private:
  const T* before(const Steps<T>& all, const T* first, int64_t i, int64_t n) const {
    return i > 0 ? all(place(i - 1), n) : first == nullptr ? nullptr : first + n * s.H;
  }
};

/// f(begin, end, group, working memory) for all groups, on several threads; f says whether all was
/// done.
template <class T, class F>
void each_group(const SequenceShape& s, const Groups& groups, int64_t memory, const F& f) {
  const int64_t cost = s.T * s.N / groups.count * products(s);
  each_part<T>(groups.count, cost, memory, [&](int64_t first, int64_t last, T* own) {
    for (int64_t g = first; g < last; ++g) {
      if (!f(groups.begin(g), groups.begin(g + 1), g, own)) {
        return false;
      }
    }
    return true;
  });
}

}  // namespace th::cpu
