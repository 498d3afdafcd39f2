// Fills with continuous random numbers.
#include "core/checks/random.h"
#include "core/random/generator_api.h"
#include "core/tables/random.h"
#include "cuda/random/random.h"
#include "cuda/register.h"
#include "functors/math.h"

namespace thc {
namespace {

/// In the type that r's numbers are computed in: double for doubles, else float.
template <template <class> class Draw, class... Parameters>
void fill_floating(TH_Tensor& r, Parameters... parameters) {
  if (r.dtype == TH_DOUBLE) {
    fill_drawn<double, kLanes<double>>(r, Draw<double>{parameters...});
  } else {
    fill_drawn<double, kLanes<float>>(r, Draw<float>{static_cast<float>(parameters)...});
  }
}

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

}  // namespace

void register_random(th::RandomTable& b) {
  b.uniform = uniform;
  b.normal = normal;
  b.exponential = exponential;
  b.cauchy = cauchy;
  b.log_normal = log_normal;
}

}  // namespace thc
