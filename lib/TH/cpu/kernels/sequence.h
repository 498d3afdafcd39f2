// Sequences of numbers, compiled once per instruction set.
#pragma once

#include "cpu/kernels/kernels.h"

namespace th::cpu {

/// Elements begin ... begin + n - 1 of a sequence, to `to` and after.
template <class T>
struct SequenceRow {
  /// Of `count` elements from first to last.
  void (*spaced)(T* to, int64_t begin, int64_t n, double first, double last, int64_t count);
  /// first, first + step, ...
  void (*stepped)(T* to, int64_t begin, int64_t n, double first, double step);
};

struct SequenceKernels {
  SequenceRow<float> of_float;
  SequenceRow<double> of_double;

  template <class T>
  const SequenceRow<T>& row() const {
    if constexpr (sizeof(T) == sizeof(float)) {
      return of_float;
    } else {
      return of_double;
    }
  }
};

#ifdef __x86_64__
namespace v2 {
void fill(SequenceKernels&);
}
namespace v3 {
void fill(SequenceKernels&);
}
namespace v4 {
void fill(SequenceKernels&);
}
#else
namespace generic {
void fill(SequenceKernels&);
}
#endif

}  // namespace th::cpu
