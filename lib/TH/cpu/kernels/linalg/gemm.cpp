#include "cpu/kernels/linalg/gemm.h"

#include "cpu/kernels/linalg/put.h"
#include "cpu/kernels/vectors.h"

namespace th::cpu::TH_ISA {
namespace {

// Accumulators in registers: 6 x 4 of 32 with AVX-512, 6 x 2 of 16 otherwise.
constexpr int kVectors = kVectorBytes == 64 ? 4 : 2;
constexpr int kRows = 6;
/// Sums at least this long take longer than C's lines need to come.
constexpr int64_t kFarAhead = 64;

/// Rows x (Count * Lanes) elements of C, held in registers over all of k.
template <class T, int Lanes, int Rows, int Count>
void tile(const TableGemm<T>& g, int64_t i0, int64_t j0) {
  using V = Vector<T, Lanes>;
  V sums[Rows][Count] = {};
  const T* a[Rows];
#pragma GCC unroll 16
  for (int i = 0; i < Rows; ++i) {
    a[i] = g.a + g.a_i[i0 + i];
  }
  if (g.k >= kFarAhead) {
#pragma GCC unroll 16
    for (int i = 0; i < Rows; ++i) {
      const T* c = g.c + (i0 + i) * g.c_row + j0;
#pragma GCC unroll 8
      for (int j = 0; j < Count; ++j) {
        __builtin_prefetch(c + j * Lanes, 1);
      }
    }
  }
  const T* b0 = g.b + j0;
  for (int64_t k = 0; k < g.k; ++k) {
    const T* b = b0 + g.b_k[k];
    const int64_t step = g.a_k[k];
    V columns[Count];
#pragma GCC unroll 8
    for (int j = 0; j < Count; ++j) {
      columns[j] = load<V>(b + j * Lanes);
    }
#pragma GCC unroll 16
    for (int i = 0; i < Rows; ++i) {
      const T factor = a[i][step];
#pragma GCC unroll 8
      for (int j = 0; j < Count; ++j) {
        sums[i][j] += columns[j] * factor;
      }
    }
  }
#pragma GCC unroll 16
  for (int i = 0; i < Rows; ++i) {
    T* c = g.c + (i0 + i) * g.c_row + j0;
#pragma GCC unroll 8
    for (int j = 0; j < Count; ++j) {
      V value = sums[i][j] * g.alpha;
      if (g.beta != 0) {
        value += load<V>(c + j * Lanes) * g.beta;
      }
      if (g.bias != nullptr) {
        value += g.bias[i0 + i];
      }
      std::memcpy(c + j * Lanes, &value, sizeof(V));
    }
  }
}

/// All rows of one strip of columns.
template <class T, int Lanes, int Count>
void strip(const TableGemm<T>& g, int64_t j0) {
  int64_t i = 0;
  if constexpr (Count == 1 && kVectors > 2) {
    // A narrow strip needs more rows to keep the multipliers busy.
    for (; i + 2 * kRows <= g.m; i += 2 * kRows) {
      tile<T, Lanes, 2 * kRows, Count>(g, i, j0);
    }
  }
  for (; i + kRows <= g.m; i += kRows) {
    tile<T, Lanes, kRows, Count>(g, i, j0);
  }
  switch (g.m - i) {
    case 5:
      tile<T, Lanes, 5, Count>(g, i, j0);
      break;
    case 4:
      tile<T, Lanes, 4, Count>(g, i, j0);
      break;
    case 3:
      tile<T, Lanes, 3, Count>(g, i, j0);
      break;
    case 2:
      tile<T, Lanes, 2, Count>(g, i, j0);
      break;
    case 1:
      tile<T, Lanes, 1, Count>(g, i, j0);
      break;
    default:
      break;
  }
}

/// Columns that do not fill a vector: halves, quarters, ... down to one.
template <class T, int Lanes>
void narrow_strips(const TableGemm<T>& g, int64_t j) {
  if constexpr (Lanes >= 1) {
    if (g.n - j >= Lanes) {
      strip<T, Lanes, 1>(g, j);
      j += Lanes;
    }
    narrow_strips<T, Lanes / 2>(g, j);
  }
}

template <class T>
void table_gemm(const TableGemm<T>& g) {
  constexpr int lanes = kLanes<T>;
  int64_t j = 0;
  for (; j + kVectors * lanes <= g.n; j += kVectors * lanes) {
    strip<T, lanes, kVectors>(g, j);
  }
  if constexpr (kVectors > 2) {
    if (j + 3 * lanes <= g.n) {
      strip<T, lanes, 3>(g, j);
      j += 3 * lanes;
    } else if (j + 2 * lanes <= g.n) {
      strip<T, lanes, 2>(g, j);
      j += 2 * lanes;
    }
  }
  if (j + lanes <= g.n) {
    strip<T, lanes, 1>(g, j);
    j += lanes;
  }
  narrow_strips<T, lanes / 2>(g, j);
}

/// sums[i][j] += products of n elements from a[i] and from b[j] on, in lanes that are still to be
/// added up.
template <class T, int Rows, int Columns>
[[gnu::always_inline]] inline void add_dots(int64_t n, const T* const (&a)[Rows],
                                            const T* const (&b)[Columns],
                                            Vector<T> (&sums)[Rows][Columns]) {
  using V = Vector<T>;
  const auto step = [&](const auto& take) __attribute__((always_inline)) {
    V y[Columns];
#pragma GCC unroll 4
    for (int j = 0; j < Columns; ++j) {
      y[j] = take(b[j]);
    }
#pragma GCC unroll 6
    for (int i = 0; i < Rows; ++i) {
      const V x = take(a[i]);
#pragma GCC unroll 4
      for (int j = 0; j < Columns; ++j) {
        sums[i][j] += x * y[j];
      }
    }
  };
  int64_t p = 0;
  for (; p + kLanes<T> <= n; p += kLanes<T>) {
    step([p](const T* from) __attribute__((always_inline)) { return load<V>(from + p); });
  }
  if (p < n) {
    const int64_t rest = n - p;
    step([=](const T* from)
             __attribute__((always_inline)) { return load_part<T>(from + p, rest); });
  }
}

template <class T, int Rows, int Columns>
void dots_tile(const TableDots<T>& d, int64_t i0, int64_t j0) {
  Vector<T> sums[Rows][Columns] = {};
  const T* a[Rows];
  const T* b[Columns];
  for (int i = 0; i < Rows; ++i) {
    a[i] = d.a + d.a_i[i0 + i];
  }
  for (int j = 0; j < Columns; ++j) {
    b[j] = d.b + d.b_j[j0 + j];
  }
  add_dots<T>(d.n, a, b, sums);
#pragma GCC unroll 6
  for (int i = 0; i < Rows; ++i) {
#pragma GCC unroll 4
    for (int j = 0; j < Columns; ++j) {
      d.c[(i0 + i) * d.c_row + j0 + j] += sum_of<T>(sums[i][j]);
    }
  }
}

template <class T, int Rows>
void dots_rows(const TableDots<T>& d, int64_t i) {
  constexpr int columns = kVectors > 2 ? 4 : 2;
  int64_t j = 0;
  for (; j + columns <= d.columns; j += columns) {
    dots_tile<T, Rows, columns>(d, i, j);
  }
  for (; j < d.columns; ++j) {
    dots_tile<T, Rows, 1>(d, i, j);
  }
}

template <class T>
void table_dots(const TableDots<T>& d) {
  constexpr int rows = kVectors > 2 ? 6 : 4;
  int64_t i = 0;
  for (; i + rows <= d.rows; i += rows) {
    dots_rows<T, rows>(d, i);
  }
  for (; i + 2 <= d.rows; i += 2) {
    dots_rows<T, 2>(d, i);
  }
  if (i < d.rows) {
    dots_rows<T, 1>(d, i);
  }
}

/// Rows x Columns dot products at a time, from row i of A and row j of B.
template <class T, int Rows, int Columns>
void dot_tile(const Gemm<T>& g, int64_t i0, int64_t j0) {
  constexpr int kSums = kVectors > 2 ? 16 : 8;  // that registers hold beside the operands
  if constexpr (Rows * Columns > kSums) {
    dot_tile<T, Rows, Columns / 2>(g, i0, j0);
    dot_tile<T, Rows, Columns / 2>(g, i0, j0 + Columns / 2);
    return;
  }
  Vector<T> sums[Rows][Columns] = {};
  const T* a[Rows];
  const T* b[Columns];
  for (int i = 0; i < Rows; ++i) {
    a[i] = g.a + (i0 + i) * g.lda;
  }
  for (int j = 0; j < Columns; ++j) {
    b[j] = g.b + (j0 + j) * g.ldb;
  }
  add_dots<T>(g.k, a, b, sums);
#pragma GCC unroll 4
  for (int i = 0; i < Rows; ++i) {
#pragma GCC unroll 4
    for (int j = 0; j < Columns; ++j) {
      put(g.c + (i0 + i) * g.ldc + j0 + j, g.alpha, sum_of<T>(sums[i][j]), g.beta);
    }
  }
}

template <class T, int Columns>
void dot_rows(const Gemm<T>& g, int64_t j) {
  int64_t i = 0;
  for (; i + 4 <= g.m; i += 4) {
    dot_tile<T, 4, Columns>(g, i, j);
  }
  switch (g.m - i) {
    case 3:
      dot_tile<T, 3, Columns>(g, i, j);
      break;
    case 2:
      dot_tile<T, 2, Columns>(g, i, j);
      break;
    case 1:
      dot_tile<T, 1, Columns>(g, i, j);
      break;
    default:
      break;
  }
}

template <class T>
void rows_by_rows(const Gemm<T>& g) {
  constexpr int columns = 4;
  int64_t j = 0;
  for (; j + columns <= g.n; j += columns) {
    dot_rows<T, columns>(g, j);
  }
  for (; j < g.n; ++j) {
    dot_rows<T, 1>(g, j);
  }
}

template <class T>
void fill_row(GemmRow<T>& row) {
  row = {table_gemm<T>, table_dots<T>, rows_by_rows<T>};
}

}  // namespace

void set_kernels(GemmKernels& table) {
  fill_row(table.of_float);
  fill_row(table.of_double);
}

}  // namespace th::cpu::TH_ISA
