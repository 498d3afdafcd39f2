// Products of row-major matrices in memory: the best routine for each size and layout.
#pragma once

#include <cstdint>

namespace th::cpu {

/// C = beta C + alpha op(A) op(B), op(A): m x k, op(B): k x n, op = transpose where asked for.
///
/// T: float, double. Rows are lda (ldb, ldc) elements apart. beta == 0 does not read C. Runs
/// threads, unless it is called by one of several. Prepare with gemm_ready<T>() before a parallel
/// region: the first product of doubles opens OpenBLAS, which may throw.
template <class T>
void gemm(bool transpose_a,
          bool transpose_b,
          int64_t m,
          int64_t n,
          int64_t k,
          T alpha,
          const T* a,
          int64_t lda,
          const T* b,
          int64_t ldb,
          T beta,
          T* c,
          int64_t ldc);
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
