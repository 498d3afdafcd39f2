// Products of row-major matrices in memory: a routine for each size and layout.
#pragma once

#include <cstdint>

#include "cpu/kernels/linalg/gemm.h"

namespace th::cpu {

/// T: float, double. Runs threads, unless it is called by one of several. Memory for copies may run
/// out (std::bad_alloc).
template <class T>
void gemm(const Gemm<T>& g);

/// y = beta y + alpha op(A) x, A: m x n as stored. x is contiguous; elements of y are y_step apart.
template <class T>
void gemv(bool transpose,
          int64_t m,
          int64_t n,
          T alpha,
          const T* a,
          int64_t lda,
          const T* x,
          T beta,
          T* y,
          int64_t y_step);

}  // namespace th::cpu
