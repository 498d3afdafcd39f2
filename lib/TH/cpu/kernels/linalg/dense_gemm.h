// Products of dense matrices: the inner loops of cpu/linalg/gemm and blocked_gemm.
#pragma once

#include "cpu/kernels/linalg/gemm.h"
#include "cpu/kernels/table.h"

namespace th::cpu {

/// Columns of the next strip when so many are left, of tiles that are `widest`: three vectors and
/// two rather than four and one.
constexpr int64_t strip_columns(int64_t left, int64_t vector, int64_t widest) {
  return widest == 4 * vector && left > widest && left <= 6 * vector ? 3 * vector
         : left < widest                                             ? left
                                                                     : widest;
}

template <class T>
struct DenseGemmRow {
  /// C = beta C + alpha op(A) B, B not transposed, best with B in a cache. Every element's sum is
  /// made in the order of k, whatever lies around it.
  void (*product)(const Gemm<T>& g);
  /// to[p * width + j] = B(p, j), where b[p * step + j] is B or (`transposed`) B'; columns are
  /// filled up to whole vectors by zeros, for which `width` has room.
  void (*pack)(bool transposed, const T* b, int64_t step, int64_t depth, int64_t columns, T* to,
               int64_t width);
  /// The rows of A that a tile takes, one tile after the other, each by columns: to[i * depth +
  /// p * height + r] = A(i + r, p), where a tile of `height` rows begins at i and a[p * step + i]
  /// is A'. A tile reads neighbours then, not a part of each of A's lines.
  void (*pack_tiles)(const T* a, int64_t step, int64_t rows, int64_t depth, T* to);
  int64_t vector, widest;  // columns of a vector and of the widest tile

  int64_t strip(int64_t left) const { return strip_columns(left, vector, widest); }
};

struct DenseGemmKernels : RealKernels<DenseGemmRow> {
  /// Bits of bfloat16 of two lines as Gemm::pairs has them: to[i] = {first[i], second[i]}, where
  /// zeros are the second line if there is none.
  void (*pair_up)(int64_t n, const uint16_t* first, const uint16_t* second, float* to);
};

TH_KERNEL_TABLE(DenseGemmKernels)

const DenseGemmKernels& dense_gemm_kernels();

}  // namespace th::cpu
