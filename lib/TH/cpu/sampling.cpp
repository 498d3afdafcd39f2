// Random permutations, and draws from weighted categories.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/backend.h"
#include "core/aliasing.h"
#include "cpu/fill_backend.h"
#include "cpu/random.h"

namespace th::cpu {
namespace {

/// Fisher and Yates' shuffle of 1 ... n.
template <class T>
void shuffle(T* out, int64_t n, Generator& gen) {
  std::iota(out, out + n, T{1});
  for (int64_t i = 0; i < n - 1; ++i) {
    const int64_t left = n - i;
    const uint32_t output = gen.random();
    // A division of 32 bits is several times faster than one of 64.
    const int64_t skip = left <= std::numeric_limits<uint32_t>::max()
                             ? output % static_cast<uint32_t>(left)
                             : output;
    std::swap(out[i], out[i + skip]);
  }
}

void randperm(TH_Tensor* r, TH_Generator* g, int64_t n) {
  Generator& gen = generator_for(r, g);
  check_permutation(*r, n);
  const bool narrow = n <= std::numeric_limits<int32_t>::max();
  Tensor order = Tensor::like(*r, narrow ? TH_INT : TH_LONG, {&n, 1});
  resize(*r, {&n, 1});
  if (narrow) {
    shuffle(data<int32_t>(order), n, gen);
  } else {
    shuffle(data<int64_t>(order), n, gen);
  }
  copy(*r, order);
}

void check_row(
    const double* weights, int64_t categories, int64_t row, int64_t n, bool replacement) {
  double sum = 0;
  int64_t possible = 0;
  for (int64_t i = 0; i < categories; ++i) {
    if (!(weights[i] >= 0 && std::isfinite(weights[i]))) [[unlikely]] {
      not_a_weight(i, row, weights[i]);
    }
    possible += weights[i] > 0;
    sum += weights[i];
  }
  check_weights(sum, possible, row, n, replacement);
}

/// Categories to draw from by their cumulative distribution. Impossible ones have the cumulative
/// probability of their predecessor, exactly, so that the search never ends on them.
class Categories {
 public:
  /// `weights` are set to 0 as categories are taken out; `cumulative` has room for as many.
  Categories(double* weights, double* cumulative, int64_t count)
      : weights_(weights), cumulative_(cumulative), count_(count) {
    cumulate();
  }

  /// The first category with a cumulative probability of at least u (and above 0: u may be 0).
  int64_t at(double u) const {
    const double* found = std::lower_bound(cumulative_, cumulative_ + count_, u);
    while (*found <= 0) {
      ++found;
    }
    return found - cumulative_;
  }

  /// Make a category impossible and the rest sum to 1 again.
  void take_out(int64_t drawn) {
    weights_[drawn] = 0;
    const double before = drawn == 0 ? 0 : cumulative_[drawn - 1];
    const double top = cumulative_[drawn];
    const double mass = top - before;
    const double rest = 1 - mass;
    left_ *= rest;
    if (left_ < 0x1p-20) {  // by now most of it is rounding error
      cumulate();
      return;
    }
    for (int64_t i = 0; i < drawn; ++i) {
      cumulative_[i] /= rest;
    }
    for (int64_t i = drawn; i < count_; ++i) {
      const double c = cumulative_[i];
      cumulative_[i] = (c == top ? before : std::max(c - mass, before)) / rest;
    }
    const double last = cumulative_[count_ - 1];  // 1, but for rounding
    for (int64_t i = count_ - 1; i >= 0 && cumulative_[i] == last; --i) {
      cumulative_[i] = 1;
    }
  }

 private:
  void cumulate() {
    double sum = 0;
    for (int64_t i = 0; i < count_; ++i) {
      sum += weights_[i];
      cumulative_[i] = sum;
    }
    for (int64_t i = 0; i < count_; ++i) {
      cumulative_[i] /= sum;
    }
    left_ = 1;
  }

  double* weights_;
  double* cumulative_;
  int64_t count_;
  double left_;  // the part of the mass at the last cumulate() that was not taken out since
};

void multinomial(
    TH_Tensor* r, TH_Generator* g, const TH_Tensor* probabilities, int64_t n, bool replacement) {
  Generator& gen = generator_for(r, g);
  check_multinomial(*r, probabilities, n);
  const TH_Tensor& p = *probabilities;
  const int64_t rows = p.ndim == 2 ? p.sizes[0] : 1;
  const int64_t categories = p.sizes[p.ndim - 1];
  Tensor weights = Tensor::like(p, TH_DOUBLE, sizes_of(p));
  copy(weights, p);
  const auto row_of = [&](int64_t row) { return data<double>(weights) + row * categories; };
  for (int64_t row = 0; row < rows; ++row) {
    check_row(row_of(row), categories, row, n, replacement);
  }
  const Tensor cumulative = Tensor::like(p, TH_DOUBLE, {&categories, 1});
  const int64_t sizes[] = {rows, n};
  Result result(r, std::span(sizes).last(p.ndim), Result::Compact, {});
  int64_t* out = data<int64_t>(result.tensor());
  for (int64_t row = 0; row < rows; ++row) {
    Categories possible(row_of(row), data<double>(cumulative), categories);
    for (int64_t i = 0; i < n; ++i) {
      const int64_t drawn = possible.at(gen.uniform());
      *out++ = drawn + 1;
      if (!replacement && i + 1 < n) {
        possible.take_out(drawn);
      }
    }
  }
  result.finish();
}

}  // namespace

void fill_sampling(Backend& b) {
  b.randperm = randperm;
  b.multinomial = multinomial;
}

}  // namespace th::cpu
