// Products of dense matrices: the inner loops of cpu/linalg/gemm and blocked_gemm.
#pragma once

#include "cpu/kernels/linalg/gemm.h"

namespace th::cpu {

template <class T>
struct DenseGemmRow {
  /// C = beta C + alpha op(A) B, B not transposed, best with B in a cache. Every element's sum is
  /// made in the order of k, whatever lies around it.
  void (*product)(const Gemm<T>& g);
  /// to[p * width + j] = B(p, j), where b[p * step + j] is B or (`transposed`) B'; columns are
  /// filled up to whole vectors by zeros, for which `width` has room.
  void (*pack)(bool transposed, const T* b, int64_t step, int64_t depth, int64_t columns, T* to,
               int64_t width);
};

struct DenseGemmKernels {
  DenseGemmRow<float> of_float;
  DenseGemmRow<double> of_double;

  template <class T>
  const DenseGemmRow<T>& row() const {
    if constexpr (sizeof(T) == sizeof(float)) {
      return of_float;
    } else {
      return of_double;
    }
  }
};

#ifdef __x86_64__
namespace v2 {
void fill(DenseGemmKernels&);
}
namespace v3 {
void fill(DenseGemmKernels&);
}
namespace v4 {
void fill(DenseGemmKernels&);
}
#else
namespace generic {
void fill(DenseGemmKernels&);
}
#endif

const DenseGemmKernels& dense_gemm_kernels();

}  // namespace th::cpu
