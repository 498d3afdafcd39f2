// The inner loop of convolution and correlation by their definition.
#pragma once

#include <cstdint>

#include "TH_core.h"
#include "cpu/kernels/table.h"

namespace th::cpu {

struct CorrelateKernels {
  /// out[i] += sum over t < taps of kernel[t] in[i + t], for i < n; by element type, null for the
  /// 16-bit ones. Integers wrap.
  void (*row[TH_NUM_DTYPES])(void* out, const void* in, const void* kernel, int64_t n,
                             int64_t taps) = {};
};

TH_KERNEL_TABLE(CorrelateKernels)

}  // namespace th::cpu
