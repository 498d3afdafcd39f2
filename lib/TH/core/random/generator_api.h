// TH_Generator, the name the C ABI has for th::Generator.
#pragma once

#include "TH_core.h"
#include "core/random/generator.h"

namespace th {

inline Generator& generator(TH_Generator* g) {
  TH_CHECK(g != nullptr, "needs a generator, got none");
  return *reinterpret_cast<Generator*>(g);
}

inline const Generator& generator(const TH_Generator* g) {
  return generator(const_cast<TH_Generator*>(g));
}

// Domains that Torch7 guards and th::Generator, which is wider, does not.

inline void check_stdv(double stdv) {
  TH_CHECK(stdv > 0, "the standard deviation is ", stdv, ", it must be greater than 0");
}

inline void check_lambda(double lambda) {
  TH_CHECK(lambda > 0, "lambda is ", lambda, ", it must be greater than 0");
}

}  // namespace th
