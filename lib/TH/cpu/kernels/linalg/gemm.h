// Products of matrices and vectors that fit a thread: the inner loops of cpu/linalg/gemm.h
// and of convolutions.
#pragma once

#include <cstdint>

#include "TH_core.h"
#include "cpu/kernels/table.h"
#include "functors/numeric.h"

namespace th::cpu {

/// Elements behind the end of a work buffer that kernels may read, and may write in their own.
inline constexpr int64_t kSlack = 64;
/// Columns of the widest tile of table_gemm.
inline constexpr int64_t kStrip = 64;

/// C(i,j) = beta C(i,j) + alpha sum over k of A(i,k) B(k,j), with A and B found through tables of
/// offsets (in elements), so that a convolution reads its input where it lies:
///   A(i,k) = a[a_i[i] + a_k[k]]   B(k,j) = b[b_k[k] + j]   C(i,j) = c[i * c_row + j]
/// beta == 0 does not read C. bias[i], unless bias is null, is added to row i.
template <class T>
struct TableGemm {
  int64_t m, n, k;
  const T* a;
  const int64_t* a_i;
  const int64_t* a_k;
  const T* b;
  const int64_t* b_k;
  T* c;
  int64_t c_row;
  T alpha, beta;
  const T* bias;
};

/// C(i,j) += sum over p < n of a[a_i[i] + p] b[b_j[j] + p], for C(i,j) = c[i * c_row + j].
template <class T>
struct TableDots {
  int64_t rows, columns, n;
  const T* a;
  const int64_t* a_i;
  const T* b;
  const int64_t* b_j;
  T* c;
  int64_t c_row;
};

/// C = beta C + alpha op(A) op(B), op(A): m x k, op(B): k x n, op = transpose where asked for.
/// Row-major; rows are lda (ldb, ldc) elements apart. beta == 0 does not read C. With `start`, beta
/// is of its rows, `start_row` elements apart, instead of C's: 0 for a bias that is every row.
/// With `pairs` (of floats, and where has_fast_pairs()) an element of A or B is the bits of two of
/// bfloat16: those of columns 2p and 2p + 1 of A's, of such rows of B's; k counts pairs. Then C may
/// be `rounded` (see rounds_as_it_goes), rows without gaps of ldc elements, and c is not touched.
/// `tiled`: A' (transpose_a) lies as DenseGemmRow::pack_tiles left it, which was given these m rows
/// and this depth k, no more and no fewer: both decide where a tile begins. lda is of no matter.
template <class T>
struct Gemm {
  bool transpose_a, transpose_b;
  int64_t m, n, k;
  T alpha;
  const T* a;
  int64_t lda;
  const T* b;
  int64_t ldb;
  T beta;
  T* c;
  int64_t ldc;
  const T* start = nullptr;
  int64_t start_row = 0;
  bool pairs = false;
  BFloat16* rounded = nullptr;
  bool tiled = false;

  /// What beta is of, in row i from column j on.
  const T* before(int64_t i, int64_t j) const {
    return start == nullptr ? c + i * ldc + j : start + i * start_row + j;
  }
};

template <class T>
struct GemmRow {
  void (*table_gemm)(const TableGemm<T>& g);
  void (*table_dots)(const TableDots<T>& d);
  /// A B' for a few rows of A (not transposed), without `start`: every element is a dot product of
  /// two rows.
  void (*rows_by_rows)(const Gemm<T>& g);
};

struct GemmKernels : RealKernels<GemmRow> {};

TH_KERNEL_TABLE(GemmKernels)

const GemmKernels& gemm_kernels();

}  // namespace th::cpu
