// Joining tensors along a dimension: checks, sizes and results among the operands are found here
// once; a backend may bring a faster way to put the parts side by side.
#pragma once

#include "TH_core.h"

#pragma GCC visibility push(default)  // for backends in libraries of their own
namespace th {

/// Writes the parts into r, which has its sizes and none of the parts' memory.
using Join = void (*)(TH_Tensor& r, const TH_Tensor* const* parts, int count, int dim);

/// A copy for each part.
void join_by_copies(TH_Tensor& r, const TH_Tensor* const* parts, int count, int dim);

void cat(Join join, TH_Tensor* r, const TH_Tensor* const* parts, int count, int dim);

}  // namespace th
#pragma GCC visibility pop
