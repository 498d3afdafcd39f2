// What attention checks, whoever computes it.
#pragma once

#include "core/checks/nn.h"

namespace th {

/// N x H pairs of sequences: T queries of D features, S keys, and values of V features.
struct AttentionShape {
  int64_t N, H, T, S, D, V;
};

inline AttentionShape check_attention(const TH_Tensor* q, const TH_Tensor* k, const TH_Tensor* v,
                                      const TH_Tensor* mask, const TH_Tensor* noise) {
  TH_CHECK(q != nullptr && k != nullptr && v != nullptr, "an operand is missing");
  check_floating(*q);
  check_same_dtype(*q, *k);
  check_same_dtype(*q, *v);
  TH_CHECK(q->ndim == 3 || q->ndim == 4, "q is ", shape(*q),
           ", expected sequences x steps x features, or N x heads x steps x features");
  const int d = q->ndim - 2;
  bool agree = k->ndim == q->ndim && v->ndim == q->ndim;
  for (int i = 0; agree && i < d; ++i) {
    agree = q->sizes[i] == k->sizes[i] && q->sizes[i] == v->sizes[i];
  }
  TH_CHECK(agree && q->sizes[d + 1] == k->sizes[d + 1] && k->sizes[d] == v->sizes[d],
           "sizes do not match: q is ", shape(*q), ", k is ", shape(*k), ", v is ", shape(*v),
           "; wanted as many features in q and k, as many steps in k and v");
  const AttentionShape s{q->sizes[0], d == 2 ? q->sizes[1] : 1, q->sizes[d],
                         k->sizes[d], q->sizes[d + 1],          v->sizes[d + 1]};
  for (const TH_Tensor* t : {mask, noise}) {
    if (t == nullptr) {
      continue;
    }
    check_same_dtype(*q, *t);
    const int64_t scores[] = {s.N, d == 2 ? s.H : s.T, d == 2 ? s.T : s.S, s.S};
    bool fits = t->ndim == q->ndim;
    for (int i = 0; fits && i < t->ndim; ++i) {
      fits = t->sizes[i] == scores[i] || t->sizes[i] == 1;
    }
    TH_CHECK(fits, t == mask ? "mask is " : "noise is ", shape(*t),
             ", which does not expand to the scores' ",
             shape(std::span<const int64_t>(scores, static_cast<size_t>(q->ndim))));
  }
  return s;
}

/// g: the gradient of the output; gq, gk and gv: results.
inline AttentionShape check_attention_backward(const TH_Tensor* gq, const TH_Tensor* gk,
                                               const TH_Tensor* gv, const TH_Tensor* g,
                                               const TH_Tensor* q, const TH_Tensor* k,
                                               const TH_Tensor* v, const TH_Tensor* mask,
                                               const TH_Tensor* noise) {
  TH_CHECK(gq != nullptr && gk != nullptr && gv != nullptr && g != nullptr,
           "an operand is missing");
  const AttentionShape s = check_attention(q, k, v, mask, noise);
  for (const TH_Tensor* t : {g, gq, gk, gv}) {
    check_same_dtype(*t, *q);
  }
  TH_CHECK(numel(*g) == s.N * s.H * s.T * s.V, "gradOutput is ", shape(*g),
           ", expected the output's ", s.N * s.H, " x ", s.T, " x ", s.V);
  return s;
}

}  // namespace th
