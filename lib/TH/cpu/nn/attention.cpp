// Attention, a block of queries of one pair of sequences at a time: scores, weights and their
// gradients stay in a cache, and of causal ones a block is as wide as its last query sees. Weights
// are computed anew for the gradients. Source: Dao et al., "FlashAttention", NeurIPS 2022
// (arXiv:2205.14135), but for the softmax, which has whole rows here.
#include <atomic>

#include "core/checks/attention.h"
#include "core/interrupt.h"
#include "core/tables/attention.h"
#include "cpu/kernels/nn/softmax.h"
#include "cpu/linalg/packed_columns.h"
#include "cpu/operands.h"
#include "cpu/parallel.h"
#include "cpu/register.h"
#include "cpu/select.h"

namespace th::cpu {
namespace {

const SoftmaxKernels& kernels() {
  static const SoftmaxKernels table = select_kernels<SoftmaxKernels>();
  return table;
}

/// Of a block: eight of the kernel's tiles. More would make causal blocks wider than need be.
constexpr int64_t kQueries = 48;

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

  T* at(int64_t n, int64_t h) const { return first + n * sample + h * head; }
};

bool has_whole_rows(const TH_Tensor& t) {
  return t.ndim > 0 && (t.sizes[t.ndim - 1] == 1 || t.strides[t.ndim - 1] == 1);
}

Tensor operand(const TH_Tensor& t) {
  return has_whole_rows(t) && !is_half(t.dtype) ? Tensor(t) : compact_copy(t);
}

/// A result of the sizes of `like`, but for its last; in the strides that it has where its rows are
/// whole, as heads side by side are.
class Matrices : public Result {
 public:
  Matrices(TH_Tensor* r, const TH_Tensor& like, int64_t last,
           std::initializer_list<const TH_Tensor*> operands)
      : Matrices(r, Sizes(like, last), operands) {}

  template <class T>
  Pairs<T> pairs() const {
    return Pairs<T>(shape(), data<T>());
  }

 private:
  struct Sizes {
    int64_t values[TH_MAX_DIMS];
    size_t count;
    Sizes(const TH_Tensor& like, int64_t last) : count(static_cast<size_t>(like.ndim)) {
      std::copy_n(like.sizes, like.ndim, values);
      values[count - 1] = last;
    }
  };
  Matrices(TH_Tensor* r, const Sizes& sizes, std::initializer_list<const TH_Tensor*> operands)
      : Result(r, {sizes.values, sizes.count},
               has_whole_rows(*r) && !may_overlap_itself(*r) ? Any : Compact, operands,
               compute_dtype(r->dtype)) {}
};

/// What is added to scores, or multiplied by weights: one number for several of them where a stride
/// is 0.
template <class T>
struct Numbers {
  const T* first = nullptr;
  int64_t sample = 0, head = 0, query = 0, key = 0;

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
    const auto softmax = kernels().row<T>().rows[0];
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
    const auto kernel = kernels().row<T>().rows_backward[0];
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

/// f(first, last, working memory) for parts of `items` on several threads; f says whether all was
/// done.
template <class T, class F>
void each_part(int64_t items, int64_t cost, int64_t memory, const F& f) {
  const Buffers<T> buffers(threads::share(), memory);
  std::atomic<bool> undone = false;
  parallel_items(items, cost / 8, [&](int64_t first, int64_t last) {
    if (!f(first, last, buffers[threads::part()])) {
      undone.store(true, std::memory_order_relaxed);
    }
  });
  if (undone.load(std::memory_order_relaxed)) [[unlikely]] {
    interrupt::left_undone();
  }
}

template <class T>
void forward(const Problem<T>& a, const Pairs<T>& y) {
  const AttentionShape& s = a.s;
  const int64_t values = PackedColumns<T>::size(s.S, s.V);
  each_part<T>(s.N * s.H * a.blocks(), a.cost_of_block(), Weights<T>::memory(a) + values,
               [&](int64_t first, int64_t last, T* memory) {
                 PackedColumns<T> v(memory);
                 Weights<T> weights(a, memory + values);
                 for (int64_t item = first, n = 0, h = 0; item < last; ++item) {
                   if (interrupt::asked()) [[unlikely]] {
                     return false;
                   }
                   if (item == first || item % a.blocks() == 0) {
                     n = item / a.blocks() / s.H;
                     h = item / a.blocks() % s.H;
                     weights.begin(n, h);
                     v.pack(false, a.v.at(n, h), a.v.row, s.S, s.V);
                   }
                   const Block b(a, item % a.blocks());
                   weights.compute(b);
                   v.multiply({false, false, b.steps, s.V, b.keys, T(1), weights.dropped(), b.keys,
                               nullptr, 0, T(0), y.at(n, h) + b.t * y.row, y.row});
                 }
                 return true;
               });
}

/// The gradients of one pair.
template <class T>
class Backward {
 public:
  static int64_t memory(const Problem<T>& a) {
    const AttentionShape& s = a.s;
    const int64_t steps = std::min(kQueries, s.T);
    return Weights<T>::memory(a) + a.scores() + PackedColumns<T>::size(s.V, s.S) +
           PackedColumns<T>::size(s.S, s.D) + PackedColumns<T>::size(steps, s.D) +
           PackedColumns<T>::size(steps, s.V);
  }
  Backward(const Problem<T>& a, T* memory)
      : a_(a),
        gradient_(memory),
        values_(memory += a.scores()),
        keys_(memory += PackedColumns<T>::size(a.s.V, a.s.S)),
        queries_(memory += PackedColumns<T>::size(a.s.S, a.s.D)),
        of_y_(memory += PackedColumns<T>::size(std::min(kQueries, a.s.T), a.s.D)),
        weights_(a, memory + PackedColumns<T>::size(std::min(kQueries, a.s.T), a.s.V)) {}

  /// @return whether all was done
  bool run(int64_t n, int64_t h, const Pairs<const T>& g, const Pairs<T>& gq, const Pairs<T>& gk,
           const Pairs<T>& gv) {
    const AttentionShape& s = a_.s;
    weights_.begin(n, h);
    values_.pack(true, a_.v.at(n, h), a_.v.row, s.V, s.S);
    keys_.pack(false, a_.k.at(n, h), a_.k.row, s.S, s.D);
    T* const to_keys = gk.at(n, h);
    T* const to_values = gv.at(n, h);
    int64_t seen = 0;  // keys that have got a gradient
    // The last block first: it sees all keys that any does.
    for (int64_t index = a_.blocks() - 1; index >= 0; --index) {
      if (interrupt::asked()) [[unlikely]] {
        return false;
      }
      const Block b(a_, index);
      const T* q = a_.q.at(n, h) + b.t * a_.q.row;
      const T* from = g.at(n, h) + b.t * g.row;
      const T keep = seen > 0 ? 1 : 0;
      weights_.compute(b);
      of_y_.pack(false, from, g.row, b.steps, s.V);
      of_y_.multiply({true, false, b.keys, s.V, b.steps, T(1), weights_.dropped(), b.keys, nullptr,
                      0, keep, to_values, gv.row});
      values_.multiply({false, false, b.steps, b.keys, s.V, T(1), from, g.row, nullptr, 0, T(0),
                        gradient_, b.keys});
      weights_.gradient(b, gradient_);
      keys_.multiply({false, false, b.steps, s.D, b.keys, a_.scale, gradient_, b.keys, nullptr, 0,
                      T(0), gq.at(n, h) + b.t * gq.row, gq.row});
      queries_.pack(false, q, a_.q.row, b.steps, s.D);
      queries_.multiply({true, false, b.keys, s.D, b.steps, a_.scale, gradient_, b.keys, nullptr,
                         0, keep, to_keys, gk.row});
      seen = std::max(seen, b.keys);
    }
    for (int64_t j = seen; j < s.S; ++j) {
      std::fill_n(to_keys + j * gk.row, s.D, T(0));
      std::fill_n(to_values + j * gv.row, s.V, T(0));
    }
    return true;
  }

 private:
  const Problem<T>& a_;
  T* gradient_;
  PackedColumns<T> values_, keys_, queries_, of_y_;
  Weights<T> weights_;
};

void attention(TH_Tensor* r, const TH_Tensor* q, const TH_Tensor* k, const TH_Tensor* v,
               const TH_Tensor* mask, const TH_Tensor* noise, bool causal, double scale) {
  TH_CHECK(r != nullptr, "an operand is missing");
  const AttentionShape s = check_attention(q, k, v, mask, noise);
  check_same_dtype(*r, *q);
  const Tensor qs = operand(*q);
  const Tensor ks = operand(*k);
  const Tensor vs = operand(*v);
  const Tensor added = compact(mask);
  const Tensor factors = compact(noise);
  Matrices out(r, qs, s.V, {&qs, &ks, &vs, &added, &factors});
  RealTypes::dispatch(qs.dtype, [&]<class T>() {
    const Problem<T> a{s,
                       Pairs<const T>(qs, data<T>(qs)),
                       Pairs<const T>(ks, data<T>(ks)),
                       Pairs<const T>(vs, data<T>(vs)),
                       Numbers<T>(added),
                       Numbers<T>(factors),
                       causal,
                       static_cast<T>(scale)};
    forward(a, out.pairs<T>());
  });
  out.finish();
}

void attention_backward(TH_Tensor* gq, TH_Tensor* gk, TH_Tensor* gv, const TH_Tensor* g,
                        const TH_Tensor* q, const TH_Tensor* k, const TH_Tensor* v,
                        const TH_Tensor* mask, const TH_Tensor* noise, bool causal, double scale) {
  TH_CHECK(gq != nullptr && gk != nullptr && gv != nullptr && g != nullptr,
           "an operand is missing");
  const AttentionShape s = check_attention(q, k, v, mask, noise);
  for (const TH_Tensor* t : {g, static_cast<const TH_Tensor*>(gq),
                             static_cast<const TH_Tensor*>(gk),
                             static_cast<const TH_Tensor*>(gv)}) {
    check_same_dtype(*t, *q);
  }
  TH_CHECK(numel(*g) == s.N * s.H * s.T * s.V, "gradOutput is ", shape(*g),
           ", expected the output's ", s.N * s.H, " x ", s.T, " x ", s.V);
  const Tensor qs = operand(*q);
  const Tensor ks = operand(*k);
  const Tensor vs = operand(*v);
  // Of other sizes it is the same elements in their order.
  const bool as_it_is = g->ndim == q->ndim && g->sizes[g->ndim - 1] == s.V &&
                        std::equal(g->sizes, g->sizes + g->ndim - 1, q->sizes);
  Tensor gs = as_it_is ? operand(*g) : compact(*g);
  const Tensor added = compact(mask);
  const Tensor factors = compact(noise);
  const std::initializer_list<const TH_Tensor*> operands = {&qs, &ks, &vs, &gs, &added, &factors};
  Matrices of_q(gq, qs, s.D, operands);
  Matrices of_k(gk, ks, s.D, operands);
  Matrices of_v(gv, vs, s.V, operands);
  RealTypes::dispatch(qs.dtype, [&]<class T>() {
    const Problem<T> a{s,
                       Pairs<const T>(qs, data<T>(qs)),
                       Pairs<const T>(ks, data<T>(ks)),
                       Pairs<const T>(vs, data<T>(vs)),
                       Numbers<T>(added),
                       Numbers<T>(factors),
                       causal,
                       static_cast<T>(scale)};
    Pairs<const T> from(gs, data<T>(gs));
    if (!as_it_is) {
      from.row = s.V;
      from.head = s.T * s.V;
      from.sample = s.H * from.head;
    }
    const Pairs<T> to_q = of_q.pairs<T>();
    const Pairs<T> to_k = of_k.pairs<T>();
    const Pairs<T> to_v = of_v.pairs<T>();
    each_part<T>(s.N * s.H, 3 * a.blocks() * a.cost_of_block(), Backward<T>::memory(a),
                 [&](int64_t first, int64_t last, T* memory) {
                   Backward<T> backward(a, memory);
                   for (int64_t pair = first; pair < last; ++pair) {
                     if (!backward.run(pair / s.H, pair % s.H, from, to_q, to_k, to_v)) {
                       return false;
                     }
                   }
                   return true;
                 });
  });
  of_q.finish();
  of_k.finish();
  of_v.finish();
}

}  // namespace

void register_attention(AttentionTable& b) {
  b.attention = attention;
  b.attention_backward = attention_backward;
}

}  // namespace th::cpu
