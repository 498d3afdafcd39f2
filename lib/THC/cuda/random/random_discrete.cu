// Fills with random integers.
#include "core/checks/random.h"
#include "core/tables/random.h"
#include "core/tensor/aliasing.h"
#include "cuda/first.h"
#include "cuda/random/random.h"
#include "cuda/register.h"
#include "functors/math.h"

namespace thc {
namespace {

struct Geometric {
  double log_p;
  TH_HD void operator()(const Random4& bits, int64_t, int64_t* v) const {
    double u[2];
    open_units(bits, u);
    for (int j = 0; j < 2; ++j) {
      v[j] = static_cast<int64_t>(th::math::log(u[j]) / log_p) + 1;
    }
  }
};

void geometric(TH_Tensor* r, TH_Generator* g, double p) {
  check_drawn(r, g);
  check_geometric(p);
  fill_drawn<int64_t, 2>(*r, Geometric{std::log(p)});
}

/// One with probability p: never for 0, always for 1.
TH_HD inline int64_t one_of(uint32_t bits, double p) { return bits * 0x1p-32 < p ? 1 : 0; }

struct Bernoulli {
  double p;
  TH_HD void operator()(const Random4& bits, int64_t, int64_t* v) const {
    for (int j = 0; j < 4; ++j) {
      v[j] = one_of(bits.x[j], p);
    }
  }
};

void bernoulli(TH_Tensor* r, TH_Generator* g, double p) {
  check_drawn(r, g);
  check_bernoulli(p);
  fill_drawn<int64_t, 4>(*r, Bernoulli{p});
}

struct Probabilities {
  WideElements<double> p;
  OffsetCalculator layout;
  TH_HD double at(int64_t i) const { return p.load(layout.offset(i)); }
  /// For first_where: those that are none.
  TH_HD bool operator()(int64_t i) const { return !(at(i) >= 0 && at(i) <= 1); }
};

struct BernoulliEach {
  Probabilities p;
  int64_t n;
  TH_HD void operator()(const Random4& bits, int64_t first, int64_t* v) const {
    for (int j = 0; j < 4; ++j) {
      v[j] = first + j < n ? one_of(bits.x[j], p.at(first + j)) : 0;
    }
  }
};

struct Fetch {
  Probabilities p;
  int64_t i;
  double* to;
  TH_HD void operator()(int64_t) const { *to = p.at(i); }
};

void bernoulli_tensor(TH_Tensor* r, TH_Generator* g, const TH_Tensor* p) {
  check_drawn(r, g);
  check_probabilities(*r, p);
  const Tensor apart = unaliased(*p, *r);
  const Probabilities probabilities{WideElements<double>(apart), OffsetCalculator(apart)};
  const int64_t n = numel(apart);
  const int64_t bad = first_where(apart, n, probabilities);
  if (bad >= 0) [[unlikely]] {
    const Scratch value(apart, sizeof(double));
    launch(stream_for(apart), 1, Fetch{probabilities, bad, value.data<double>()});
    not_a_probability(bad, fetch(value.data<double>(), stream_for(apart)));
  }
  fill_drawn<int64_t, 4>(*r, BernoulliEach{probabilities, n});
}

/// first, first + 1, ... of `count` integers; few enough for 32 bits, or any number (0: 2^64).
struct FewIntegers {
  int64_t first;
  uint64_t count;
  TH_HD void operator()(const Random4& bits, int64_t, int64_t* v) const {
    for (int j = 0; j < 4; ++j) {
      v[j] = first + static_cast<int64_t>((bits.x[j] * count) >> 32);
    }
  }
};

struct ManyIntegers {
  int64_t first;
  uint64_t count;
  TH_HD void operator()(const Random4& bits, int64_t, int64_t* v) const {
    for (int j = 0; j < 2; ++j) {
      const uint64_t number = uint64_t{bits.x[2 * j]} << 32 | bits.x[2 * j + 1];
      v[j] = static_cast<int64_t>(static_cast<uint64_t>(first) +
                                  (count == 0 ? number : number % count));
    }
  }
};

void fill_integers(TH_Tensor& r, int64_t first, uint64_t count) {
  if (count != 0 && count <= uint64_t{1} << 32) {
    fill_drawn<int64_t, 4>(r, FewIntegers{first, count});
  } else {
    fill_drawn<int64_t, 2>(r, ManyIntegers{first, count});
  }
}

void random(TH_Tensor* r, TH_Generator* g) {
  check_drawn(r, g);
  fill_integers(*r, 0, exact_integers(r->dtype));
}

void random_range(TH_Tensor* r, TH_Generator* g, int64_t a, int64_t b) {
  check_drawn(r, g);
  fill_integers(*r, a, checked_range(a, b));
}

}  // namespace

void register_random_discrete(th::RandomTable& b) {
  b.geometric = geometric;
  b.bernoulli = bernoulli;
  b.bernoulli_tensor = bernoulli_tensor;
  b.random = random;
  b.random_range = random_range;
}

}  // namespace thc
