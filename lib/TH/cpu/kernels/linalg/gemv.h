// Products of a matrix and a vector, and of two vectors, that fit a thread.
#pragma once

#include <cstdint>

#include "cpu/kernels/table.h"
#include "functors/numeric.h"

namespace th::cpu {

/// Row-major; rows of A are `lda` elements apart.
template <class T>
struct GemvRow {
  /// y[i * y_step] = beta y[i * y_step] + alpha (row i of A) . x
  void (*rows_by_vector)(int64_t m, int64_t n, T alpha, const T* a, int64_t lda, const T* x, T beta,
                         T* y, int64_t y_step);
  /// y = beta y + alpha sum over i of x[i] (row i of A)
  void (*vector_by_rows)(int64_t m, int64_t n, T alpha, const T* a, int64_t lda, const T* x, T beta,
                         T* y);
  /// r = beta t + s y; r may be t. beta == 0 does not read t.
  void (*add_scaled)(int64_t n, T* r, T beta, const T* t, T s, const T* y);
  /// R = beta R + alpha x y', m x n; rows of R are `r_row` elements apart. beta == 0 does not read
  /// R.
  void (*outer)(int64_t m, int64_t n, T* r, int64_t r_row, T beta, T alpha, const T* x, const T* y);
  /// Sum, in double, of products in T.
  double (*dot)(int64_t n, const T* x, const T* y);
};

struct GemvKernels : RealKernels<GemvRow> {
  /// As rows_by_vector, of elements that are widened on the way.
  void (*bfloat16_rows_by_vector)(int64_t m, int64_t n, float alpha, const BFloat16* a, int64_t lda,
                                  const float* x, float beta, float* y, int64_t y_step);
};

TH_KERNEL_TABLE(GemvKernels)

const GemvKernels& gemv_kernels();

}  // namespace th::cpu
