// Normalisation of rows, each on its own.
#pragma once

#include <cstdint>

#include "cpu/kernels/table.h"

namespace th::cpu {

/// Rows without gaps of K * P elements: number k of weight and bias is for P elements. `groups`
/// rows take K numbers each, then it begins again. x, y, g and r begin with row `start`.
template <class T>
struct RowNormForward {
  int64_t K, P, groups;
  bool centred;
  double eps;
  const T* x;
  const T* weight;  // as many as all groups have, and so is bias
  const T* bias;
  T* y;
  T* mean;  // of each row
  T* inverse;
  int64_t start = 0;
};

template <class T>
struct RowNormBackward {
  int64_t K, P, groups;
  bool centred;
  const T* g;
  const T* x;
  const T* weight;
  const T* mean;
  const T* inverse;
  T* r;  // null: not wanted
  int64_t start = 0;
};

template <class T>
struct RowNormRow {
  /// Rows [first, last).
  void (*forward)(const RowNormForward<T>& a, int64_t first, int64_t last);
  /// Also adds to the sums of g (x - mean) inverse and of g that belong to weight and bias; null:
  /// not wanted. They begin with the numbers of row `first`, and of the next ones up to where the
  /// groups begin again.
  void (*backward)(const RowNormBackward<T>& a, int64_t first, int64_t last, T* to_weight,
                   T* to_bias);
};

struct RowNormKernels : RealKernels<RowNormRow> {};

TH_KERNEL_TABLE(RowNormKernels)

}  // namespace th::cpu
