// Sequences of numbers, compiled once per instruction set.
#pragma once

#include "cpu/kernels/kernels.h"
#include "cpu/kernels/table.h"

namespace th::cpu {

/// Elements begin ... begin + n - 1 of a sequence, to `to` and after.
template <class T>
struct SequenceRow {
  /// Of `count` elements from first to last.
  void (*spaced)(T* to, int64_t begin, int64_t n, double first, double last, int64_t count);
  /// first, first + step, ...
  void (*stepped)(T* to, int64_t begin, int64_t n, double first, double step);
};

struct SequenceKernels : RealKernels<SequenceRow> {};

TH_KERNEL_TABLE(SequenceKernels)

}  // namespace th::cpu
