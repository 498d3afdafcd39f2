// Fills with continuous random numbers.
#include "core/checks/random.h"
#include "core/random/generator_api.h"
#include "core/tables/random.h"
#include "cuda/random/random.h"
#include "cuda/register.h"
#include "functors/math.h"

namespace thc {
namespace {

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

// A distribution is a function of its parameters a and b and of a number that is drawn by
// `source`: in [0, 1), in (0, 1), or standard normal.

struct Uniform {
  template <class C>
  TH_HD static void source(const Random4& bits, C* u) {
    units(bits, u);
  }
  template <class C>
  TH_HD static C of(C u, C a, C b) {
    return a + u * (b - a);
  }
};

struct Normal {
  template <class C>
  TH_HD static void source(const Random4& bits, C* z) {
    normals(bits, z);
  }
  template <class C>
  TH_HD static C of(C z, C mean, C stdv) {
    return mean + stdv * z;
  }
};

struct LogNormal : Normal {
  template <class C>
  TH_HD static C of(C z, C mean, C stdv) {
    return th::math::exp(mean + stdv * z);
  }
};

struct OfOpenUnits {
  template <class C>
  TH_HD static void source(const Random4& bits, C* u) {
    open_units(bits, u);
  }
};

struct Exponential : OfOpenUnits {
  template <class C>
  TH_HD static C of(C u, C lambda, C) {
    return -th::math::log(u) / lambda;
  }
};

struct Cauchy : OfOpenUnits {
  template <class C>
  TH_HD static C of(C u, C median, C sigma) {
    return median + sigma * th::math::tan(C(M_PI) * (u - C(0.5)));
  }
};

template <class Distribution, class C>
struct Draw {
  C a;
  C b;
  TH_HD void operator()(const Random4& bits, int64_t, double* v) const {
    C drawn[kLanes<C>];
    Distribution::source(bits, drawn);
    for (int j = 0; j < kLanes<C>; ++j) {
      v[j] = Distribution::of(drawn[j], a, b);
    }
  }
};

/// In the type that r's numbers are computed in: double for doubles, else float.
template <class Distribution>
void fill_floating(TH_Tensor& r, double a, double b = 0) {
  if (r.dtype == TH_DOUBLE) {
    fill_drawn<double, kLanes<double>>(r, Draw<Distribution, double>{a, b});
  } else {
    fill_drawn<double, kLanes<float>>(
        r, Draw<Distribution, float>{static_cast<float>(a), static_cast<float>(b)});
  }
}

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

}  // namespace

void register_random(th::RandomTable& b) {
  b.uniform = uniform;
  b.normal = normal;
  b.exponential = exponential;
  b.cauchy = cauchy;
  b.log_normal = log_normal;
}

}  // namespace thc
