// Steps of optimisers over contiguous blocks: pointers[0] is x, pointers[1] the gradient, the
// states follow; all but the gradient are changed.
#pragma once

#include "cpu/kernels/kernels.h"

namespace th::cpu {

struct OptimKernels {
#define TH_STEP(NAME, FUNCTOR, PARAMS, ARGS) KernelRow NAME;
#define TH_OP(NAME, PARAMS, ARGS)
#include "ops/optim.def"
#undef TH_STEP
#undef TH_OP
};

TH_KERNEL_TABLE(OptimKernels)

}  // namespace th::cpu
