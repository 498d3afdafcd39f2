// Products of dense matrices: the inner loops of cpu/linalg/gemm and blocked_gemm.
#pragma once

#include "cpu/kernels/linalg/gemm.h"
#include "cpu/kernels/table.h"

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
  int64_t widest;  // columns of the widest tile
};

struct DenseGemmKernels : RealKernels<DenseGemmRow> {
  /// Bits of bfloat16 of two lines as Gemm::pairs has them: to[i] = {first[i], second[i]}, where
  /// zeros are the second line if there is none.
  void (*pair_up)(int64_t n, const uint16_t* first, const uint16_t* second, float* to);
};

TH_KERNEL_TABLE(DenseGemmKernels)

const DenseGemmKernels& dense_gemm_kernels();

}  // namespace th::cpu
