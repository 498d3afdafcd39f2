// Attention: r = softmax(scale q k' + mask) v, a block of queries at a time, so that memory grows
// with the length of the sequences and not with its square. The backward pass computes the weights
// of a block anew. Sources: Vaswani et al., "Attention is all you need", NeurIPS 2017; Rabe and
// Staats, "Self-attention does not need O(n^2) memory", 2021 (arXiv:2112.05682).
#include "core/checks/attention.h"

#include <algorithm>
#include <limits>

#include "core/composite/attention.h"
#include "core/composite/register.h"
#include "core/composite/staged.h"
#include "core/composite/views.h"
#include "core/operations.h"
#include "core/tables/attention.h"
#include "core/tensor/sizes_with.h"

namespace th::composite {
namespace {

/// Scores that are computed at a time: some caches' worth, and on a device enough to fill it, while
/// the two or three buffers of a block stay in its largest cache.
int64_t most_scores(const TH_Tensor& q) {
  return q.device_type == TH_CPU ? int64_t{1} << 18 : int64_t{1} << 22;
}
constexpr int64_t kQueries = 128;

/// t as (N H) x rows x columns.
Tensor batches(const TH_Tensor& t) {
  const Tensor plain = contiguous(t);
  const int d = t.ndim;
  return viewed(plain,
                {numel(t) / (t.sizes[d - 2] * t.sizes[d - 1]), t.sizes[d - 2], t.sizes[d - 1]});
}

/// A result of the sizes of `like`, but for its last.
class Computed : public Staged {
 public:
  Computed(TH_Tensor* r, const TH_Tensor& like, int64_t last)
      : Staged(r, like, SizesWith(like, like.ndim - 1, last)) {}
};

/// mask or noise as N x H x T x S.
Tensor expanded(const TH_Tensor* t, const AttentionShape& s) {
  Tensor all;
  if (t == nullptr) {
    return all;
  }
  const int64_t sizes[] = {s.N, s.H, s.T, s.S};
  init(all, t->dtype, t->device_type, t->device);
  Tensor four(*t);
  if (t->ndim == 3) {
    th::unsqueeze(four, *t, 1);
  }
  th::expand(all, four, sizes);
  return all;
}

/// A block of queries: of samples [n, n + samples), of their heads [h, h + heads), steps
/// [t, t + steps), and the keys they may see. All heads where there is more than one sample.
struct Block {
  int64_t n, samples, h, heads, t, steps, keys;

  int64_t pairs() const { return samples * heads; }
};

/// The block's pairs of t, (N H) x rows x columns.
Tensor of_block(const Tensor& t, const AttentionShape& s, const Block& b) {
  return part(t, 0, b.n * s.H + b.h, b.pairs());
}

/// The weights of blocks, in buffers that all blocks share.
class Weights {
 public:
  Weights(const AttentionShape& s, const TH_Tensor& q, const Tensor& k, const TH_Tensor* mask,
          const TH_Tensor* noise, bool causal, double scale)
      : s_(s),
        k_(k),
        mask_(expanded(mask, s)),
        noise_(expanded(noise, s)),
        causal_(causal),
        scale_(scale) {
    steps_ = std::min(s.T, kQueries);
    const int64_t pairs = std::max<int64_t>(most_scores(q) / steps_ / s.S, 1);
    heads_ = std::min(pairs, s.H);
    samples_ = heads_ < s.H ? 1 : std::min(pairs / s.H, s.N);
    const int64_t size = samples_ * heads_ * steps_ * s.S;
    scores_ = Tensor::like(q, q.dtype, {&size, 1});
    weights_ = Tensor::like(q, q.dtype, {&size, 1});
    if (noise != nullptr) {
      dropped_ = Tensor::like(q, q.dtype, {&size, 1});
    }
    if (causal) {
      const int64_t square[] = {1, steps_, steps_};
      future_ = Tensor::like(q, q.dtype, square);
      ops::fill(&future_, -std::numeric_limits<double>::infinity());
      Tensor matrix = viewed(future_, {steps_, steps_});
      ops::triu(&matrix, &matrix, 1);
    }
  }

  template <class F>
  void each_block(const F& f) {
    for (int64_t n = 0; n < s_.N; n += samples_) {
      for (int64_t h = 0; h < s_.H; h += heads_) {
        for (int64_t t = 0; t < s_.T; t += steps_) {
          const int64_t steps = std::min(steps_, s_.T - t);
          f(Block{n, std::min(samples_, s_.N - n), h, std::min(heads_, s_.H - h), t, steps,
                  causal_ ? std::min(s_.S, t + steps) : s_.S});
        }
      }
    }
  }

  /// Whether one block has all queries of a pair.
  bool at_once() const { return steps_ == s_.T; }

  /// softmax(scale q k' + mask) for the block's queries
  Tensor& compute(const Block& b, const Tensor& q) {
    shape(scores_, b);
    shape(weights_, b);
    const Tensor keys = transposed(part(of_block(k_, s_, b), 1, 0, b.keys));
    ops::baddbmm(&scores_, 0, &scores_, scale_, &q, &keys);
    if (mask_.ndim > 0) {
      Tensor four = viewed(scores_, {b.samples, b.heads, b.steps, b.keys});
      const Tensor mask = block_of(mask_, b);
      ops::add_scaled(&four, &four, 1, &mask);
    }
    if (causal_ && b.keys > b.t) {
      const int64_t seen = b.keys - b.t;  // keys from the block's first step on
      Tensor now = part(scores_, 2, b.t, seen);
      const int64_t sizes[] = {b.pairs(), b.steps, seen};
      Tensor future;
      init(future, future_.dtype, future_.device_type, future_.device);
      th::expand(future, part(part(future_, 1, 0, b.steps), 2, 0, seen), sizes);
      ops::add_scaled(&now, &now, 1, &future);
    }
    ops::softmax(&weights_, &scores_, 2);
    return weights_;
  }

  /// Weights times noise, or those themselves.
  Tensor& dropped(const Block& b) {
    if (noise_.ndim == 0) {
      return weights_;
    }
    shape(dropped_, b);
    multiply(dropped_, weights_, b);
    return dropped_;
  }

  /// The gradient of the scores, of that of the dropped weights, which lies in scores().
  Tensor& gradient(const Block& b) {
    if (noise_.ndim > 0) {
      multiply(scores_, scores_, b);
    }
    Tensor& r = noise_.ndim > 0 ? dropped_ : more_;
    if (r.ndim == 0) {
      r = Tensor::like(scores_, scores_.dtype, sizes_of(scores_));
    }
    shape(r, b);
    ops::softmax_backward(&r, &scores_, &weights_, 2);
    return r;
  }

  Tensor& scores() { return scores_; }

 private:
  void shape(Tensor& t, const Block& b) const {
    const int64_t sizes[] = {b.pairs(), b.steps, b.keys};
    resize(t, sizes);
  }
  static Tensor block_of(const Tensor& four, const Block& b) {
    const Tensor pairs = part(part(four, 0, b.n, b.samples), 1, b.h, b.heads);
    return part(part(pairs, 2, b.t, b.steps), 3, 0, b.keys);
  }
  void multiply(Tensor& r, const Tensor& x, const Block& b) const {
    Tensor to = viewed(r, {b.samples, b.heads, b.steps, b.keys});
    const Tensor from = viewed(x, {b.samples, b.heads, b.steps, b.keys});
    const Tensor noise = block_of(noise_, b);
    ops::cmul(&to, &from, &noise);
  }

  AttentionShape s_;
  const Tensor& k_;
  Tensor mask_, noise_;
  bool causal_;
  double scale_;
  int64_t steps_, heads_, samples_;
  Tensor scores_, weights_, dropped_, more_;
  Tensor future_;  // -inf where a key lies in a query's future
};

/// A gradient of keys or values, (N H) x S x features: the sum over a pair's blocks. Sums of 16
/// bits are kept in floats until the last block is there.
class Summed {
 public:
  Summed(Tensor& total, bool at_once) : total_(total) {
    if (!at_once && is_half(total.dtype)) {
      wide_ = Tensor::like(total, TH_FLOAT, sizes_of(total));
    }
    ops::fill(&sums(), 0);
  }

  /// Adds scale a b to the block's keys.
  void add(const AttentionShape& s, const Block& b, double scale, const Tensor& a,
           const Tensor& by) {
    Tensor to = part(of_block(sums(), s, b), 1, 0, b.keys);
    if (wide_.ndim == 0) {
      ops::baddbmm(&to, 1, &to, scale, &a, &by);
      return;
    }
    Tensor product = Tensor::like(total_, total_.dtype, sizes_of(to));
    ops::baddbmm(&product, 0, &product, scale, &a, &by);
    Tensor more = Tensor::like(total_, TH_FLOAT, sizes_of(to));
    th::copy(more, product);
    ops::add_scaled(&to, &to, 1, &more);
  }

  void finish() {
    if (wide_.ndim > 0) {
      th::copy(total_, wide_);
    }
  }

 private:
  Tensor& sums() { return wide_.ndim > 0 ? wide_ : total_; }

  Tensor& total_;
  Tensor wide_;
};

void attention_backward(TH_Tensor* gq, TH_Tensor* gk, TH_Tensor* gv, const TH_Tensor* g,
                        const TH_Tensor* q, const TH_Tensor* k, const TH_Tensor* v,
                        const TH_Tensor* mask, const TH_Tensor* noise, bool causal, double scale) {
  const AttentionShape s = check_attention_backward(gq, gk, gv, g, q, k, v, mask, noise);
  const Tensor qs = batches(*q);
  const Tensor ks = batches(*k);
  const Tensor vs = batches(*v);
  const Tensor plain = contiguous(*g);
  const Tensor gs = viewed(plain, {s.N * s.H, s.T, s.V});
  Weights weights(s, *q, ks, mask, noise, causal, scale);
  Computed q_out(gq, *q, s.D);
  Computed k_out(gk, *k, s.D);
  Computed v_out(gv, *v, s.V);
  const Tensor qr = batches(q_out.tensor());
  Tensor kr = batches(k_out.tensor());
  Tensor vr = batches(v_out.tensor());
  Summed of_keys(kr, weights.at_once());
  Summed of_values(vr, weights.at_once());
  weights.each_block([&](const Block& b) {
    const Tensor queries = part(of_block(qs, s, b), 1, b.t, b.steps);
    const Tensor keys = part(of_block(ks, s, b), 1, 0, b.keys);
    const Tensor values = transposed(part(of_block(vs, s, b), 1, 0, b.keys));
    const Tensor gradient = part(of_block(gs, s, b), 1, b.t, b.steps);
    weights.compute(b, queries);
    of_values.add(s, b, 1, transposed(weights.dropped(b)), gradient);
    Tensor& scores = weights.scores();
    ops::baddbmm(&scores, 0, &scores, 1, &gradient, &values);
    const Tensor& of_scores = weights.gradient(b);
    Tensor to_queries = part(of_block(qr, s, b), 1, b.t, b.steps);
    ops::baddbmm(&to_queries, 0, &to_queries, scale, &of_scores, &keys);
    of_keys.add(s, b, scale, transposed(of_scores), queries);
  });
  of_keys.finish();
  of_values.finish();
  q_out.finish();
  k_out.finish();
  v_out.finish();
}

}  // namespace

void attention(TH_Tensor* r, const TH_Tensor* q, const TH_Tensor* k, const TH_Tensor* v,
               const TH_Tensor* mask, const TH_Tensor* noise, bool causal, double scale) {
  TH_CHECK(r != nullptr, "an operand is missing");
  const AttentionShape s = check_attention(q, k, v, mask, noise);
  check_same_dtype(*r, *q);
  const Tensor qs = batches(*q);
  const Tensor ks = batches(*k);
  const Tensor vs = batches(*v);
  Weights weights(s, *q, ks, mask, noise, causal, scale);
  Computed out(r, *q, s.V);
  const Tensor ys = batches(out.tensor());
  weights.each_block([&](const Block& b) {
    weights.compute(b, part(of_block(qs, s, b), 1, b.t, b.steps));
    const Tensor values = part(of_block(vs, s, b), 1, 0, b.keys);
    Tensor y = part(of_block(ys, s, b), 1, b.t, b.steps);
    ops::baddbmm(&y, 0, &y, 1, &weights.dropped(b), &values);
  });
  out.finish();
}

void register_attention(AttentionTable& b) {
  offer(b.attention, attention);
  offer(b.attention_backward, attention_backward);
}

}  // namespace th::composite
