// The C ABI of generators and of single draws.
//
// A draw returns its number, not a status. Where a parameter is outside of its domain
// TH_lastError() has the text, nothing was drawn, and what is returned is no draw: NaN, a geometric
// of 0, a bernoulli of -1.
#include "core/random/generator_api.h"

#include <algorithm>
#include <limits>

using th::generator;
using th::guarded;

namespace {

/// f's number, or `failure` with the error recorded.
template <class T, class F>
T draw(const char* operation, T failure, F&& f) noexcept {
  T value = failure;
  guarded(operation, [&] { value = f(); });
  return value;
}

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

}  // namespace

extern "C" {

TH_Generator* TH_Generator_new() {
  return draw<TH_Generator*>("Generator", nullptr,
                             [] { return reinterpret_cast<TH_Generator*>(new th::Generator); });
}

void TH_Generator_free(TH_Generator* g) { delete reinterpret_cast<th::Generator*>(g); }

void TH_Generator_copy(TH_Generator* g, const TH_Generator* source) {
  guarded("Generator", [&] { generator(g) = generator(source); });
}

uint64_t TH_Generator_seed(TH_Generator* g) {
  return draw<uint64_t>("seed", 0, [&] { return generator(g).seed(); });
}

void TH_Generator_manualSeed(TH_Generator* g, uint64_t seed) {
  guarded("manualSeed", [&] { generator(g).manual_seed(seed); });
}

uint64_t TH_Generator_initialSeed(const TH_Generator* g) {
  return draw<uint64_t>("initialSeed", 0, [&] { return generator(g).initial_seed(); });
}

int TH_Generator_getState(const TH_Generator* g, uint8_t* state, int64_t bytes) {
  return guarded("getRNGState", [&] {
    generator(g).get_state({state, static_cast<size_t>(std::max<int64_t>(bytes, 0))});
  });
}

int TH_Generator_setState(TH_Generator* g, const uint8_t* state, int64_t bytes) {
  return guarded("setRNGState", [&] {
    generator(g).set_state({state, static_cast<size_t>(std::max<int64_t>(bytes, 0))});
  });
}

uint32_t TH_Generator_random(TH_Generator* g) {
  return draw<uint32_t>("random", 0, [&] { return generator(g).random(); });
}

double TH_Generator_uniform(TH_Generator* g, double a, double b) {
  return draw("uniform", kNaN, [&] { return generator(g).uniform(a, b); });
}

double TH_Generator_normal(TH_Generator* g, double mean, double stdv) {
  return draw("normal", kNaN, [&] {
    th::check_stdv(stdv);
    return generator(g).normal(mean, stdv);
  });
}

double TH_Generator_exponential(TH_Generator* g, double lambda) {
  return draw("exponential", kNaN, [&] {
    th::check_lambda(lambda);
    return generator(g).exponential(lambda);
  });
}

double TH_Generator_cauchy(TH_Generator* g, double median, double sigma) {
  return draw("cauchy", kNaN, [&] { return generator(g).cauchy(median, sigma); });
}

double TH_Generator_logNormal(TH_Generator* g, double mean, double stdv) {
  return draw("logNormal", kNaN, [&] {
    th::check_stdv(stdv);
    return generator(g).log_normal(mean, stdv);
  });
}

int64_t TH_Generator_geometric(TH_Generator* g, double p) {
  return draw<int64_t>("geometric", 0, [&] { return generator(g).geometric(p); });
}

int TH_Generator_bernoulli(TH_Generator* g, double p) {
  return draw("bernoulli", -1, [&] { return static_cast<int>(generator(g).bernoulli(p)); });
}

}  // extern "C"
