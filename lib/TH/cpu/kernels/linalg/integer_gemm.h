// Products of integer matrices that fit a thread.
#pragma once

#include <cstdint>

#include "TH_core.h"
#include "cpu/kernels/table.h"

namespace th::cpu {

/// Integers, modulo 2^bits. C += A B; B' where `transposed`.
struct IntegerGemmRow {
  void (*gemm)(int64_t m, int64_t n, int64_t k, const void* a, const void* b, bool transposed,
               void* c);
  /// Sum of products in 64 bits.
  int64_t (*dot)(int64_t n, const void* x, const void* y);
  /// r = beta t + alpha c
  void (*scale_add)(int64_t n, void* r, double beta, const void* t, double alpha, const void* c);
};

struct IntegerGemmKernels {
  IntegerGemmRow by_dtype[TH_NUM_DTYPES];  // TH_BYTE to TH_LONG
};

TH_KERNEL_TABLE(IntegerGemmKernels)

}  // namespace th::cpu
