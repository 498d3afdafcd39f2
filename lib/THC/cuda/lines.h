// The lines of a tensor along a dimension.
#pragma once

#include "core/check.h"
#include "core/tensor/sizes_with.h"
#include "cuda/offsets.h"

namespace thc {

/// Where each line of t along `dim` begins.
inline OffsetCalculator lines_along(const TH_Tensor& t, int dim) {
  return OffsetCalculator(t.ndim, SizesWith(t, dim, 1).data(), t.strides);
}

}  // namespace thc
