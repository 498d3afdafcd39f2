// The engine of element-wise operations: it walks tensors of any strides, shape and type, and
// hands contiguous blocks to a kernel.
#pragma once

#include <initializer_list>

#include "TH.h"
#include "cpu/kernels/kernels.h"

namespace th::cpu {

/// A tensor and the element type in which the kernel wants to see it.
struct Operand {
  const TH_Tensor* tensor;
  int dtype;
};

inline constexpr int kMaxOperands = 5;

/// Run `kernel` over all elements, in row-major order of each operand (their shapes may differ, the
/// counts must not). operands[0] is written, the others are read. `cost` is a rough number of
/// cheap operations per element; it decides from what size on threads help.
void elementwise(
    Kernel kernel, const Operand* operands, int count, const double* scalars, int cost);

}  // namespace th::cpu
