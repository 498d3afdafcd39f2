// Draws from weighted categories in constant time each, by Walker's alias method with Vose's tables
// (M. D. Vose, A linear algorithm for generating random numbers with a given distribution, IEEE
// Transactions on Software Engineering 17 (1991), 972-975).
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/tables/signal.h"
#include "core/tensor/aliasing.h"
#include "cpu/random/random.h"
#include "cpu/register.h"

namespace th::cpu {
namespace {

/// q[i]: probability to keep category i when column i was hit; alias[i]: what else it becomes.
void fill_tables(double* q, int64_t* alias, int64_t n) {
  std::vector<int64_t> small;
  std::vector<int64_t> large;
  for (int64_t i = 0; i < n; ++i) {
    alias[i] = i + 1;
    (q[i] < 1 ? small : large).push_back(i);
  }
  while (!small.empty() && !large.empty()) {
    const int64_t poor = small.back();
    const int64_t rich = large.back();
    alias[poor] = rich + 1;
    q[rich] -= 1 - q[poor];
    small.pop_back();
    if (q[rich] < 1) {
      large.pop_back();
      small.push_back(rich);
    }
  }
  // What is left has weight 1, but for rounding.
  for (const int64_t i : small) {
    q[i] = 1;
  }
  for (const int64_t i : large) {
    q[i] = 1;
  }
}

void multinomial_alias_setup(TH_Tensor* alias, TH_Tensor* q, const TH_Tensor* probabilities) {
  check_alias_setup(alias, q, probabilities);
  const TH_Tensor& p = *probabilities;
  const int64_t n = p.sizes[0];
  Tensor weights = Tensor::like(p, TH_DOUBLE, {&n, 1});
  const Tensor aliases = Tensor::like(p, TH_LONG, {&n, 1});
  copy(weights, p);
  double* w = data<double>(weights);
  double sum = 0;
  for (int64_t i = 0; i < n; ++i) {
    TH_CHECK(w[i] >= 0 && std::isfinite(w[i]), "probability ", i + 1, " is ", w[i],
             ", wanted a finite number that is not negative");
    sum += w[i];
  }
  TH_CHECK(sum > 0 && std::isfinite(sum), "the probabilities sum to ", sum,
           ", wanted a finite number greater than 0");
  for (int64_t i = 0; i < n; ++i) {
    w[i] *= static_cast<double>(n) / sum;
  }
  fill_tables(w, data<int64_t>(aliases), n);
  reserve(*alias, {&n, 1});
  reserve(*q, {&n, 1});
  resize(*alias, {&n, 1});
  resize(*q, {&n, 1});
  copy(*alias, aliases);
  copy(*q, weights);
}

void multinomial_alias(TH_Tensor* r, TH_Generator* g, const TH_Tensor* alias, const TH_Tensor* q) {
  Generator& gen = generator_for(r, g);
  check_alias_table(*r, alias, q);
  const int64_t n = q->sizes[0];
  Tensor keep = Tensor::like(*q, TH_DOUBLE, {&n, 1});
  copy(keep, *q);
  const Tensor aliases = contiguous(*alias);
  const double* kept = data<double>(keep);
  const int64_t* others = data<int64_t>(aliases);
  for (int64_t i = 0; i < n; ++i) {
    if (!is_alias_entry(kept[i], others[i], n)) {
      not_an_alias_entry(i, kept[i], others[i]);
    }
  }
  if (r->ndim == 0) {
    return;
  }
  const Tensor drawn = Tensor::like(*r, TH_LONG, sizes_of(*r));
  int64_t* out = data<int64_t>(drawn);
  for (int64_t i = 0; i < numel(drawn); ++i) {
    const auto column = static_cast<int64_t>(gen.uniform(0, static_cast<double>(n)));
    out[i] = gen.uniform() <= kept[column] ? column + 1 : others[column];
  }
  copy(*r, drawn);
}

}  // namespace

void register_alias_sampling(SignalTable& b) {
  b.multinomial_alias_setup = multinomial_alias_setup;
  b.multinomial_alias = multinomial_alias;
}

}  // namespace th::cpu
