// Products of row-major matrices in memory: the best routine for each size and layout.
#pragma once

#include <cstdint>

#include "cpu/kernels/linalg/gemm.h"

namespace th::cpu {

/// T: float, double. Runs threads, unless it is called by one of several. Prepare with
/// gemm_ready<T>() before a parallel region: the first product of doubles opens OpenBLAS, which may
/// throw.
template <class T>
void gemm(const Gemm<T>& g);
template <class T>
void gemm_ready();

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
