// Products of 16-bit matrices and vectors of floats.
#pragma once

#include "core/product.h"

namespace th::cpu {

/// y = beta y + alpha A x, A being p's, whose elements lie as `lines` says. Some lines are widened
/// at a time, so that the matrix is read once.
void halves_by_vector(const Product& p, const MatrixLayout& lines, const float* x, float* y);

}  // namespace th::cpu
