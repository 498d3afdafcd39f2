// Maxima and means over windows of a plane, which may be a volume.
#pragma once

#include <cstdint>

#include "cpu/kernels/table.h"
#include "functors/image_shapes.h"

namespace th::cpu {

template <class T>
struct PoolRow {
  /// One plane. indices: the maximum's position in the plane plus 1; the first one of several. A
  /// NaN counts as the maximum.
  void (*maxima)(const PoolShape& s, const T* x, T* y, int64_t* indices);
  void (*means)(const PoolShape& s, bool count_padding, const T* x, T* y);
  /// For two_by_two() shapes: writes all of r, the gradient of one plane, from g = dL/dy. False,
  /// with r in any state, if an index lies outside its window.
  bool (*backward_two_by_two)(const PoolShape& s, const T* g, const int64_t* indices, T* r);
};

struct PoolKernels : RealKernels<PoolRow> {
  /// Whether all of n indices lie in [1, last].
  bool (*within)(int64_t n, const int64_t* indices, int64_t last);
};

TH_KERNEL_TABLE(PoolKernels)

}  // namespace th::cpu
