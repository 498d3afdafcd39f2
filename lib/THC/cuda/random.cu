// Random fills from the device's generator. The numbers of an operation depend on the seed and on
// what was drawn before, not on types' strides or the order threads run in.
//
// Parameters are checked before anything is drawn.
#include "core/checks_random.h"
#include "core/generator_api.h"
#include "cpu/aliasing.h"
#include "cuda/fill_backend.h"
#include "cuda/first.h"
#include "cuda/random.h"
#include "cuda/wide_elements.h"
#include "functors/math.h"

namespace thc {
namespace {

/// Numbers that a counter's 128 bits are enough for.
template <class C>
inline constexpr int kLanes = 16 / static_cast<int>(sizeof(C));

/// A counter's bits as numbers in [0, 1), or in (0, 1).
TH_HD inline void units(const Random4& b, float* u) {
  for (int j = 0; j < 4; ++j) {
    u[j] = unit_float(b.x[j]);
  }
}
TH_HD inline void units(const Random4& b, double* u) {
  u[0] = unit_double(b.x[0], b.x[1]);
  u[1] = unit_double(b.x[2], b.x[3]);
}
TH_HD inline void open_units(const Random4& b, float* u) {
  for (int j = 0; j < 4; ++j) {
    u[j] = open_unit_float(b.x[j]);
  }
}
TH_HD inline void open_units(const Random4& b, double* u) {
  u[0] = open_unit_double(b.x[0], b.x[1]);
  u[1] = open_unit_double(b.x[2], b.x[3]);
}

/// Draw: Lanes numbers of type V, those of elements first, first + 1, ...
template <class V, int Lanes, class Draw>
struct Fill {
  PhiloxPosition random;
  WideElements<V> r;
  Layout layout;
  int64_t n;
  Draw draw;

  TH_HD void operator()(int64_t i) const {
    const int64_t first = i * Lanes;
    V v[Lanes];
    draw(random(static_cast<uint64_t>(i)), first, v);
    for (int j = 0; j < Lanes && first + j < n; ++j) {
      r.store(layout.offset(first + j), v[j]);
    }
  }
};

template <class V, int Lanes, class Draw>
void fill(TH_Tensor& r, const Draw& draw) {
  const int64_t n = numel(r);
  const int64_t counters = (n + Lanes - 1) / Lanes;
  const cudaStream_t stream = stream_for(r);
  const PhiloxPosition random = take_random(r.device, static_cast<uint64_t>(counters));
  launch(stream,
         counters,
         Fill<V, Lanes, Draw>{random, WideElements<V>(r), Layout(r), n, draw});
}

/// In the type that r's numbers are computed in: double for doubles, else float.
template <template <class> class Draw, class... Parameters>
void fill_floating(TH_Tensor& r, Parameters... parameters) {
  if (r.dtype == TH_DOUBLE) {
    fill<double, kLanes<double>>(r, Draw<double>{parameters...});
  } else {
    fill<double, kLanes<float>>(r, Draw<float>{static_cast<float>(parameters)...});
  }
}

// --- continuous distributions ---------------------------------------------------------------------

template <class C>
struct Uniform {
  C a;
  C b;
  TH_HD void operator()(const Random4& bits, int64_t, double* v) const {
    C u[kLanes<C>];
    units(bits, u);
    for (int j = 0; j < kLanes<C>; ++j) {
      v[j] = a + u[j] * (b - a);
    }
  }
};

/// Standard normal numbers, a pair from each pair of uniform ones.
/// Source: Box and Muller, "A note on the generation of random normal deviates", 1958.
template <class C>
TH_HD inline void normals(const Random4& bits, C* z) {
  open_units(bits, z);
  for (int j = 0; j < kLanes<C>; j += 2) {
    const C radius = th::math::sqrt(C(-2) * th::math::log(z[j]));
    const C angle = C(2 * M_PI) * z[j + 1];
    z[j] = radius * th::math::cos(angle);
    z[j + 1] = radius * th::math::sin(angle);
  }
}

template <class C>
struct Normal {
  C mean;
  C stdv;
  TH_HD void operator()(const Random4& bits, int64_t, double* v) const {
    C z[kLanes<C>];
    normals(bits, z);
    for (int j = 0; j < kLanes<C>; ++j) {
      v[j] = mean + stdv * z[j];
    }
  }
};

template <class C>
struct LogNormal {
  C mean;
  C stdv;
  TH_HD void operator()(const Random4& bits, int64_t, double* v) const {
    C z[kLanes<C>];
    normals(bits, z);
    for (int j = 0; j < kLanes<C>; ++j) {
      v[j] = th::math::exp(mean + stdv * z[j]);
    }
  }
};

template <class C>
struct Exponential {
  C lambda;
  TH_HD void operator()(const Random4& bits, int64_t, double* v) const {
    C u[kLanes<C>];
    open_units(bits, u);
    for (int j = 0; j < kLanes<C>; ++j) {
      v[j] = -th::math::log(u[j]) / lambda;
    }
  }
};

template <class C>
struct Cauchy {
  C median;
  C sigma;
  TH_HD void operator()(const Random4& bits, int64_t, double* v) const {
    C u[kLanes<C>];
    open_units(bits, u);
    for (int j = 0; j < kLanes<C>; ++j) {
      v[j] = median + sigma * th::math::tan(C(M_PI) * (u[j] - C(0.5)));
    }
  }
};

void uniform(TH_Tensor* r, TH_Generator* g, double a, double b) {
  check_drawn(r, g);
  check_floating_result(*r);
  fill_floating<Uniform>(*r, a, b);
}

void normal(TH_Tensor* r, TH_Generator* g, double mean, double stdv) {
  check_drawn(r, g);
  check_stdv(stdv);
  check_floating_result(*r);
  fill_floating<Normal>(*r, mean, stdv);
}

void log_normal(TH_Tensor* r, TH_Generator* g, double mean, double stdv) {
  check_drawn(r, g);
  check_stdv(stdv);
  check_floating_result(*r);
  fill_floating<LogNormal>(*r, mean, stdv);
}

void exponential(TH_Tensor* r, TH_Generator* g, double lambda) {
  check_drawn(r, g);
  check_lambda(lambda);
  check_floating_result(*r);
  fill_floating<Exponential>(*r, lambda);
}

void cauchy(TH_Tensor* r, TH_Generator* g, double median, double sigma) {
  check_drawn(r, g);
  check_floating_result(*r);
  fill_floating<Cauchy>(*r, median, sigma);
}

// --- discrete distributions -----------------------------------------------------------------------

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
  fill<int64_t, 2>(*r, Geometric{std::log(p)});
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
  fill<int64_t, 4>(*r, Bernoulli{p});
}

struct Probabilities {
  WideElements<double> p;
  Layout layout;
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
  const Tensor apart = th::cpu::unaliased(*p, *r);
  const Probabilities probabilities{WideElements<double>(apart), Layout(apart)};
  const int64_t n = numel(apart);
  const int64_t bad = first_where(apart, n, probabilities);
  if (bad >= 0) [[unlikely]] {
    const Scratch value(apart, sizeof(double));
    launch(stream_for(apart), 1, Fetch{probabilities, bad, value.data<double>()});
    not_a_probability(bad, fetch(value.data<double>(), stream_for(apart)));
  }
  fill<int64_t, 4>(*r, BernoulliEach{probabilities, n});
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
    fill<int64_t, 4>(r, FewIntegers{first, count});
  } else {
    fill<int64_t, 2>(r, ManyIntegers{first, count});
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

void fill_random(Backend& b) {
  b.uniform = uniform;
  b.normal = normal;
  b.exponential = exponential;
  b.cauchy = cauchy;
  b.log_normal = log_normal;
  b.geometric = geometric;
  b.bernoulli = bernoulli;
  b.bernoulli_tensor = bernoulli_tensor;
  b.random = random;
  b.random_range = random_range;
}

}  // namespace thc
