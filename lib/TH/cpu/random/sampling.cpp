// Random permutations, and draws from weighted categories.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/tables/random.h"
#include "core/tensor/aliasing.h"
#include "cpu/random/random.h"
#include "cpu/register.h"

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

void check_row(const double* weights, int64_t categories, int64_t row, int64_t n,
               bool replacement) {
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

/// Categories to draw from again and again, by their cumulative distribution. Impossible ones have
/// the cumulative probability of their predecessor, exactly, so that the search never ends on them.
class Categories {
 public:
  /// `cumulative` has room for as many.
  Categories(const double* weights, double* cumulative, int64_t count)
      : cumulative_(cumulative), count_(count) {
    double sum = 0;
    for (int64_t i = 0; i < count; ++i) {
      sum += weights[i];
      cumulative[i] = sum;
    }
    for (int64_t i = 0; i < count; ++i) {
      cumulative[i] /= sum;
    }
  }

  /// The first category with a cumulative probability of at least u (and above 0: u may be 0).
  int64_t draw(double u) {
    const double* found = std::lower_bound(cumulative_, cumulative_ + count_, u);
    while (*found <= 0) {
      ++found;
    }
    return found - cumulative_;
  }

 private:
  double* cumulative_;
  int64_t count_;
};

/// The same for categories that are taken out when they were drawn. A new cumulative distribution
/// after every draw would take time in proportion to the categories; in a binary tree of sums,
/// those along one path change. Sums are never subtracted from, so no rounding errors pile up.
class Shrinking {
 public:
  static int64_t room(int64_t count) { return 2 * ceil(count); }

  Shrinking(const double* weights, double* sums, int64_t count)
      : sums_(sums), leaves_(ceil(count)) {
    std::copy_n(weights, count, sums + leaves_);
    std::fill(sums + leaves_ + count, sums + 2 * leaves_, 0.0);
    for (int64_t node = leaves_ - 1; node > 0; --node) {
      add(node);
    }
  }

  int64_t draw(double u) {
    double rest = u * sums_[1];
    int64_t node = 1;
    while (node < leaves_) {
      const double left = sums_[2 * node];
      const double right = sums_[2 * node + 1];
      const bool go_right = left <= 0 || (right > 0 && rest > left);
      rest -= go_right ? left : 0;
      node = 2 * node + go_right;
    }
    const int64_t drawn = node - leaves_;
    sums_[node] = 0;
    while ((node /= 2) > 0) {
      add(node);
    }
    return drawn;
  }

 private:
  static int64_t ceil(int64_t count) {
    return static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(count)));
  }
  void add(int64_t node) { sums_[node] = sums_[2 * node] + sums_[2 * node + 1]; }

  double* sums_;  // of node i's children 2 i and 2 i + 1; the categories are the last ones
  int64_t leaves_;
};

void multinomial(TH_Tensor* r, TH_Generator* g, const TH_Tensor* probabilities, int64_t n,
                 bool replacement) {
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
  const int64_t room = replacement ? categories : Shrinking::room(categories);
  const Tensor sums = Tensor::like(p, TH_DOUBLE, {&room, 1});
  const int64_t sizes[] = {rows, n};
  Result result(r, std::span(sizes).last(p.ndim), Result::Compact, {});
  int64_t* out = data<int64_t>(result.tensor());
  const auto draw_from = [&]<class Urn>() {
    for (int64_t row = 0; row < rows; ++row) {
      Urn urn(row_of(row), data<double>(sums), categories);
      out = std::generate_n(out, n, [&] { return urn.draw(gen.uniform()) + 1; });
    }
  };
  if (replacement) {
    draw_from.operator()<Categories>();
  } else {
    draw_from.operator()<Shrinking>();
  }
  result.finish();
}

}  // namespace

void register_sampling(RandomTable& b) {
  b.randperm = randperm;
  b.multinomial = multinomial;
}

}  // namespace th::cpu
