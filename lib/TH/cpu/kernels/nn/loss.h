// Losses of elements and their gradients, over contiguous blocks; compiled once per instruction
// set.
#pragma once

#include <cstdint>

#include "cpu/kernels/kernels.h"

namespace th::cpu {

/// pointers: result, x, target, weights (null where there are none); scalars: a, b and, of
/// gradients, the factor of all of them.
struct LossKernels {
#define TH_LOSS(NAME, FUNCTOR, FORMULA) \
  KernelRow NAME;                       \
  KernelRow NAME##_backward;
#include "ops/nn/element_loss.def"
#undef TH_LOSS
};

TH_KERNEL_TABLE(LossKernels)

}  // namespace th::cpu
