// Joining tensors along a dimension: checks, sizes and results among the operands; a backend may
// bring a faster way to put the parts side by side.
#pragma once

#include "TH_core.h"

namespace th::composite {

/// Writes the parts into r, which has its sizes and none of the parts' memory.
using Join = void (*)(TH_Tensor& r, const TH_Tensor* const* parts, int count, int dim);

/// A copy for each part.
void join_by_copies(TH_Tensor& r, const TH_Tensor* const* parts, int count, int dim);

void cat(Join join, TH_Tensor* r, const TH_Tensor* const* parts, int count, int dim);

}  // namespace th::composite
