// What has no gradient: results that are constants, and steps that nobody differentiates.
#include "core/gradient/derivation.h"

namespace th::gradient {

void define_constants(Derivative* table) {
#define TH_COMPARE(NAME, FUNCTOR, FORMULA) \
  TH_CONSTANT(NAME, "0 or 1")              \
  TH_CONSTANT(NAME##_value, "0 or 1")
#include "ops/compare.def"
#undef TH_COMPARE

  TH_CONSTANT(fill, "made of numbers")
  TH_CONSTANT(range, "made of numbers")
  TH_CONSTANT(linspace, "made of numbers")
  TH_CONSTANT(logspace, "made of numbers")
  TH_CONSTANT(eye, "made of numbers")

  TH_CONSTANT(uniform, "random numbers")
  TH_CONSTANT(normal, "random numbers")
  TH_CONSTANT(exponential, "random numbers")
  TH_CONSTANT(cauchy, "random numbers")
  TH_CONSTANT(log_normal, "random numbers")
  TH_CONSTANT(geometric, "random numbers")
  TH_CONSTANT(bernoulli, "random numbers")
  TH_CONSTANT(bernoulli_tensor, "draws")
  TH_CONSTANT(random, "random numbers")
  TH_CONSTANT(random_range, "random numbers")
  TH_CONSTANT(randperm, "random numbers")
  TH_CONSTANT(multinomial, "draws")
  TH_CONSTANT(multinomial_alias_setup, "a table for draws")
  TH_CONSTANT(multinomial_alias, "draws")

  TH_CONSTANT(quantize, "rounded; nn.FakeQuantize learns through that")
  TH_CONSTANT(quantized_linear, "rounded")
  TH_CONSTANT(quantized_conv, "rounded")
  TH_CONSTANT(quantized_add, "rounded")
  TH_CONSTANT(quantized_max_pool, "of whole numbers")
  TH_UNDIFFERENTIATED(unpack_rows, "packed rows do not learn")
  TH_UNDIFFERENTIATED(packed_linear, "packed rows do not learn; nn.PackedLinear has a gradInput")

#define TH_STEP(NAME, FUNCTOR, PARAMS, ARGS) TH_CONSTANT(NAME, "a step of an optimiser")
#include "ops/optim.def"
#undef TH_STEP
}

}  // namespace th::gradient
