// What random fills and random samples share.
#pragma once

#include "core/generator_api.h"
#include "core/tensor.h"

namespace th::cpu {

inline Generator& generator_for(const TH_Tensor* r, TH_Generator* g) {
  TH_CHECK(r != nullptr, "the tensor is missing");
  return generator(g);
}

/// Non-negative integers that a type holds exactly: all of an integer type, those before the first
/// gap of a floating type.
inline uint64_t exact_integers(int dtype) {
  constexpr uint64_t counts[] = {uint64_t{1} << 8,
                                 uint64_t{1} << 7,
                                 uint64_t{1} << 15,
                                 uint64_t{1} << 31,
                                 uint64_t{1} << 63,
                                 (uint64_t{1} << 11) + 1,
                                 (uint64_t{1} << 8) + 1,
                                 (uint64_t{1} << 24) + 1,
                                 (uint64_t{1} << 53) + 1};
  return counts[dtype];
}

}  // namespace th::cpu
