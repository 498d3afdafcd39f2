// Gradients of parameters, to which an operation adds.
#pragma once

#include <initializer_list>

#include "core/device_functions.h"
#include "core/tensor/aliasing.h"
#include "cuda/launch.h"

namespace thc {

inline Tensor contiguous_or_none(const TH_Tensor* t) {
  return t == nullptr ? Tensor() : contiguous(*t);
}

/// Where a gradient is added up: t itself if that is compact and no operand lies there.
inline Tensor accumulator(const TH_Tensor* t, std::initializer_list<const TH_Tensor*> operands) {
  for (const TH_Tensor* operand : operands) {
    if (t != nullptr && shares_memory(*t, *operand)) {
      return clone(*t);
    }
  }
  return contiguous_or_none(t);
}

inline void bring_back(TH_Tensor* to, const Tensor& from) {
  if (to != nullptr && bytes(*to) != bytes(from)) {
    th::copy(*to, from);
  }
}

}  // namespace thc
