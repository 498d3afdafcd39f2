// Softmax over rows and over columns of a matrix.
#pragma once

#include <cstdint>

#include "cpu/kernels/table.h"

namespace th::cpu {

/// Columns are taken this many at a time, `stride` elements between the rows.
inline constexpr int64_t kSoftmaxColumns = 128;

/// [0]: softmax, y = e^x / sum e^x; [1]: its logarithm.
template <class T>
struct SoftmaxRow {
  void (*rows[2])(int64_t rows, int64_t n, const T* x, T* y);
  void (*columns[2])(int64_t n, int64_t count, int64_t stride, const T* x, T* y);
  /// r = dL/dx from g = dL/dy and y.
  void (*rows_backward[2])(int64_t rows, int64_t n, const T* g, const T* y, T* r);
  void (*columns_backward[2])(int64_t n, int64_t count, int64_t stride, const T* g, const T* y,
                              T* r);
};

struct SoftmaxKernels : RealKernels<SoftmaxRow> {};

TH_KERNEL_TABLE(SoftmaxKernels)

const SoftmaxKernels& softmax_kernels();

}  // namespace th::cpu
