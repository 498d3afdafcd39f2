// What random fills and random samples share.
#pragma once

#include "core/random_state.h"
#include "core/tensor.h"

namespace thc {

inline void check_drawn(const TH_Tensor* r, const TH_Generator* g) {
  TH_CHECK(r != nullptr, "the tensor is missing");
  TH_CHECK(g == nullptr,
           "a CUDA tensor draws from its device's generator, got one of the CPU; leave it out");
}

}  // namespace thc
