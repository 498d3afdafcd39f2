// Attention, a block of queries of one pair of sequences at a time: scores, weights and their
// gradients stay in a cache, and of causal ones a block is as wide as its last query sees. Weights
// are computed anew for the gradients. Source: Dao et al., "FlashAttention", NeurIPS 2022
// (arXiv:2205.14135), but for the softmax, which has whole rows here.
#include "core/checks/attention.h"

#include "core/composite/attention.h"
#include "core/runtime/interrupt.h"
#include "core/tables/attention.h"
#include "core/tensor/sizes_with.h"
#include "cpu/nn/attention_blocks.h"
#include "cpu/nn/attention_halves.h"
#include "cpu/operands.h"
#include "cpu/parts.h"
#include "cpu/register.h"

namespace th::cpu {
namespace {

/// With fewer queries than these, moving the keys and values to where the kernels want them takes
/// longer than it gains: one query of 2048 keys in steps 0.5 ms, by products 0.3.
constexpr int64_t kFewQueries = 24;

bool has_whole_rows(const TH_Tensor& t) {
  return t.ndim > 0 && (t.sizes[t.ndim - 1] == 1 || t.strides[t.ndim - 1] == 1);
}

/// As it lies, where that is in whole rows; of 16-bit types, too.
Tensor operand(const TH_Tensor& t) { return has_whole_rows(t) ? Tensor(t) : contiguous(t); }

/// A result of the sizes of `like`, but for its last; in the strides that it has where its rows are
/// whole, as heads side by side are.
class Matrices : public Result {
 public:
  Matrices(TH_Tensor* r, const TH_Tensor& like, int64_t last,
           std::initializer_list<const TH_Tensor*> operands)
      : Matrices(r, SizesWith(like, like.ndim - 1, last), operands) {}

  template <class T>
  Pairs<T> pairs() const {
    return Pairs<T>(shape(), data<T>());
  }

 private:
  Matrices(TH_Tensor* r, std::span<const int64_t> sizes,
           std::initializer_list<const TH_Tensor*> operands)
      : Result(r, sizes, has_whole_rows(*r) && !may_overlap_itself(*r) ? Any : Compact, operands) {}
};

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
      queries_.multiply({true, false, b.keys, s.D, b.steps, a_.scale, gradient_, b.keys, nullptr, 0,
                         keep, to_keys, gk.row});
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

template <class T>
Problem<T> problem(const AttentionShape& s, const Tensor& q, const Tensor& k, const Tensor& v,
                   const Tensor& mask, const Tensor& noise, bool causal, double scale) {
  return {s,
          Pairs<const T>(q, data<T>(q)),
          Pairs<const T>(k, data<T>(k)),
          Pairs<const T>(v, data<T>(v)),
          Numbers<T>(mask),
          Numbers<T>(noise),
          causal,
          static_cast<T>(scale)};
}

/// Some samples of 16-bit elements from the n-th on, widened.
Problem<float> problem_of_halves(const AttentionShape& some, int64_t n, float* const* inputs,
                                 const Tensor& mask, const Tensor& noise, bool causal,
                                 double scale) {
  return {some,
          {inputs[0], some.H, some.T, some.D},
          {inputs[1], some.H, some.S, some.D},
          {inputs[2], some.H, some.S, some.V},
          Numbers<float>(mask).from(n),
          Numbers<float>(noise).from(n),
          causal,
          static_cast<float>(scale)};
}

template <class T>
void backward(const Problem<T>& a, const Pairs<const T>& from, const Pairs<T>& to_q,
              const Pairs<T>& to_k, const Pairs<T>& to_v) {
  const AttentionShape& s = a.s;
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
}

void attention(TH_Tensor* r, const TH_Tensor* q, const TH_Tensor* k, const TH_Tensor* v,
               const TH_Tensor* mask, const TH_Tensor* noise, bool causal, double scale) {
  TH_CHECK(r != nullptr, "an operand is missing");
  const AttentionShape s = check_attention(q, k, v, mask, noise);
  check_same_dtype(*r, *q);
  if (s.T < kFewQueries) {
    composite::attention(r, q, k, v, mask, noise, causal, scale);
    return;
  }
  const Tensor qs = operand(*q);
  const Tensor ks = operand(*k);
  const Tensor vs = operand(*v);
  const Tensor added = compact(mask);
  const Tensor factors = compact(noise);
  Matrices out(r, qs, s.V, {&qs, &ks, &vs, &added, &factors});
  if (is_half(qs.dtype)) {
    const Halves inputs[] = {{Pairs<uint16_t>(qs), qs.dtype, s.H, s.T, s.D},
                             {Pairs<uint16_t>(ks), qs.dtype, s.H, s.S, s.D},
                             {Pairs<uint16_t>(vs), qs.dtype, s.H, s.S, s.V}};
    const Halves outputs[] = {{out.pairs<uint16_t>(), qs.dtype, s.H, s.T, s.V}};
    Widening(s, inputs, outputs)
        .run([&](const AttentionShape& some, int64_t n, float** from, float** to) {
          const auto a = problem_of_halves(some, n, from, added, factors, causal, scale);
          forward(a, outputs[0].floats(to[0]));
        });
    out.finish();
    return;
  }
  RealTypes::dispatch(qs.dtype, [&]<class T>() {
    const auto a = problem<T>(s, qs, ks, vs, added, factors, causal, scale);
    forward(a, out.pairs<T>());
  });
  out.finish();
}

void attention_backward(TH_Tensor* gq, TH_Tensor* gk, TH_Tensor* gv, const TH_Tensor* g,
                        const TH_Tensor* q, const TH_Tensor* k, const TH_Tensor* v,
                        const TH_Tensor* mask, const TH_Tensor* noise, bool causal, double scale) {
  const AttentionShape s = check_attention_backward(gq, gk, gv, g, q, k, v, mask, noise);
  const Tensor qs = operand(*q);
  const Tensor ks = operand(*k);
  const Tensor vs = operand(*v);
  // Of other sizes it is the same elements in their order.
  const bool as_it_is = g->ndim == q->ndim && g->sizes[g->ndim - 1] == s.V &&
                        std::equal(g->sizes, g->sizes + g->ndim - 1, q->sizes);
  const Tensor gs = as_it_is ? operand(*g) : contiguous(*g);
  const Tensor added = compact(mask);
  const Tensor factors = compact(noise);
  const std::initializer_list<const TH_Tensor*> operands = {&qs, &ks, &vs, &gs, &added, &factors};
  Matrices of_q(gq, qs, s.D, operands);
  Matrices of_k(gk, ks, s.D, operands);
  Matrices of_v(gv, vs, s.V, operands);
  const auto gradients = [&]<class T>(T* p) {
    return as_it_is ? Pairs<T>(gs, p) : Pairs<T>(p, s.H, s.T, s.V);
  };
  if (is_half(qs.dtype)) {
    const int dtype = qs.dtype;
    const Halves inputs[] = {{Pairs<uint16_t>(qs), dtype, s.H, s.T, s.D},
                             {Pairs<uint16_t>(ks), dtype, s.H, s.S, s.D},
                             {Pairs<uint16_t>(vs), dtype, s.H, s.S, s.V},
                             {gradients(data<uint16_t>(gs)), dtype, s.H, s.T, s.V}};
    const Halves outputs[] = {{of_q.pairs<uint16_t>(), dtype, s.H, s.T, s.D},
                              {of_k.pairs<uint16_t>(), dtype, s.H, s.S, s.D},
                              {of_v.pairs<uint16_t>(), dtype, s.H, s.S, s.V}};
    Widening(s, inputs, outputs)
        .run([&](const AttentionShape& some, int64_t n, float** from, float** to) {
          const auto a = problem_of_halves(some, n, from, added, factors, causal, scale);
          backward(a, Pairs<const float>(from[3], s.H, s.T, s.V), outputs[0].floats(to[0]),
                   outputs[1].floats(to[1]), outputs[2].floats(to[2]));
        });
  } else {
    RealTypes::dispatch(qs.dtype, [&]<class T>() {
      const auto a = problem<T>(s, qs, ks, vs, added, factors, causal, scale);
      backward<T>(a, gradients(static_cast<const T*>(data<T>(gs))), of_q.pairs<T>(),
                  of_k.pairs<T>(), of_v.pairs<T>());
    });
  }
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
