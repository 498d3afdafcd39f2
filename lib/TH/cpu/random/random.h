// What random fills and random samples share.
#pragma once

#include "core/checks/random.h"
#include "core/random/generator_api.h"
#include "core/tensor/tensor.h"

namespace th::cpu {

inline Generator& generator_for(const TH_Tensor* r, TH_Generator* g) {
  TH_CHECK(r != nullptr, "the tensor is missing");
  return generator(g);
}

}  // namespace th::cpu
