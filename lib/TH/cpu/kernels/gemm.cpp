#include "cpu/kernels/gemm.h"

#include <cstring>
#include <utility>

#include "core/dtype.h"

#ifdef __AVX512F__
#include <immintrin.h>
#endif

namespace th::cpu::TH_ISA {
namespace {

#if defined(__AVX512F__)
constexpr int kVectorBytes = 64;
constexpr int kVectors = 4;  // 6 x 4 accumulators of 32 registers
#elif defined(__AVX__)
constexpr int kVectorBytes = 32;
constexpr int kVectors = 2;  // 6 x 2 of 16
#else
constexpr int kVectorBytes = 16;
constexpr int kVectors = 2;
#endif
constexpr int kRows = 6;

template <class T, int Lanes>
struct VectorOf {
  typedef T type __attribute__((vector_size(Lanes * sizeof(T))));
};
template <class T>
struct VectorOf<T, 1> {
  using type = T;
};
template <class T, int Lanes>
using Vector = typename VectorOf<T, Lanes>::type;

template <class T>
constexpr int kLanes = kVectorBytes / static_cast<int>(sizeof(T));

template <class V, class T>
[[gnu::always_inline]] inline V load(const T* p) {
  V v;
  std::memcpy(&v, p, sizeof(V));
  return v;
}

/// Half of a vector: its lanes from First on.
template <class T, int Lanes, int First, int... I>
[[gnu::always_inline]] inline Vector<T, Lanes / 2> half_of(const Vector<T, Lanes>& v,
                                                           std::integer_sequence<int, I...>) {
  return __builtin_shufflevector(v, v, (First + I)...);
}

template <class T, int Lanes>
[[gnu::always_inline]] inline T sum_of(const Vector<T, Lanes>& v) {
  if constexpr (Lanes == 2) {
    return v[0] + v[1];
  } else {
    using Indices = std::make_integer_sequence<int, Lanes / 2>;
    return sum_of<T, Lanes / 2>(half_of<T, Lanes, 0>(v, Indices{}) +
                                half_of<T, Lanes, Lanes / 2>(v, Indices{}));
  }
}

template <class T, int Lanes, int First, int... I>
[[gnu::always_inline]] inline Vector<T, Lanes> every_second(const Vector<T, Lanes>& u,
                                                            const Vector<T, Lanes>& v,
                                                            std::integer_sequence<int, I...>) {
  return __builtin_shufflevector(u, v, (2 * I + First)...);
}

/// As many vectors as lanes: lane i of the result is the sum of rows[i].
template <class T, int Lanes, int Count = Lanes>
[[gnu::always_inline]] inline Vector<T, Lanes> sums_of(Vector<T, Lanes>* rows) {
  if constexpr (Count == 1) {
    return rows[0];
  } else {
    using Indices = std::make_integer_sequence<int, Lanes>;
#pragma GCC unroll 8
    for (int i = 0; i < Count / 2; ++i) {
      rows[i] = every_second<T, Lanes, 0>(rows[2 * i], rows[2 * i + 1], Indices{}) +
                every_second<T, Lanes, 1>(rows[2 * i], rows[2 * i + 1], Indices{});
    }
    return sums_of<T, Lanes, Count / 2>(rows);
  }
}

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

/// The first `count` lanes, zeros in the others.
template <class V, class T>
[[gnu::always_inline]] inline V load_part(const T* p, int64_t count) {
#ifdef __AVX512F__
  const auto mask = static_cast<uint32_t>((1u << count) - 1);
  if constexpr (sizeof(T) == 4) {
    return (V)_mm512_maskz_loadu_ps(static_cast<__mmask16>(mask), p);
  } else {
    return (V)_mm512_maskz_loadu_pd(static_cast<__mmask8>(mask), p);
  }
#else
  V v = {};
  std::memcpy(&v, p, static_cast<size_t>(count) * sizeof(T));
  return v;
#endif
}

template <class T, int Rows, int Columns>
void dots_tile(const TableDots<T>& d, int64_t i0, int64_t j0) {
  using V = Vector<T, kLanes<T>>;
  V sums[Rows][Columns] = {};
  const T* a[Rows];
  const T* b[Columns];
  for (int i = 0; i < Rows; ++i) {
    a[i] = d.a + d.a_i[i0 + i];
  }
  for (int j = 0; j < Columns; ++j) {
    b[j] = d.b + d.b_j[j0 + j];
  }
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
  for (; p + kLanes<T> <= d.n; p += kLanes<T>) {
    step([p](const T* from) __attribute__((always_inline)) { return load<V>(from + p); });
  }
  if (p < d.n) {
    const int64_t rest = d.n - p;
    step([=](const T* from)
             __attribute__((always_inline)) { return load_part<V>(from + p, rest); });
  }
#pragma GCC unroll 6
  for (int i = 0; i < Rows; ++i) {
#pragma GCC unroll 4
    for (int j = 0; j < Columns; ++j) {
      d.c[(i0 + i) * d.c_row + j0 + j] += sum_of<T, kLanes<T>>(sums[i][j]);
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

template <class T>
[[gnu::always_inline]] inline void put(T* c, T alpha, T value, T beta) {
  *c = beta == 0 ? alpha * value : beta * *c + alpha * value;
}

/// Rows x Columns dot products at a time.
template <class T, int Rows, int Columns>
void dot_tile(int64_t k,
              T alpha,
              const T* a,
              int64_t lda,
              const T* b,
              int64_t ldb,
              T beta,
              T* c,
              int64_t ldc) {
  using V = Vector<T, kLanes<T>>;
  V sums[Rows][Columns] = {};
  int64_t p = 0;
  for (; p + kLanes<T> <= k; p += kLanes<T>) {
    V x[Columns];
#pragma GCC unroll 4
    for (int j = 0; j < Columns; ++j) {
      x[j] = load<V>(b + j * ldb + p);
    }
#pragma GCC unroll 4
    for (int i = 0; i < Rows; ++i) {
      const V y = load<V>(a + i * lda + p);
#pragma GCC unroll 4
      for (int j = 0; j < Columns; ++j) {
        sums[i][j] += x[j] * y;
      }
    }
  }
  for (int i = 0; i < Rows; ++i) {
    for (int j = 0; j < Columns; ++j) {
      T sum = sum_of<T, kLanes<T>>(sums[i][j]);
      for (int64_t q = p; q < k; ++q) {
        sum += a[i * lda + q] * b[j * ldb + q];
      }
      put(c + i * ldc + j, alpha, sum, beta);
    }
  }
}

template <class T, int Columns>
void dot_rows(int64_t m,
              int64_t k,
              T alpha,
              const T* a,
              int64_t lda,
              const T* b,
              int64_t ldb,
              T beta,
              T* c,
              int64_t ldc) {
  int64_t i = 0;
  for (; i + 4 <= m; i += 4) {
    dot_tile<T, 4, Columns>(k, alpha, a + i * lda, lda, b, ldb, beta, c + i * ldc, ldc);
  }
  for (; i < m; ++i) {
    dot_tile<T, 1, Columns>(k, alpha, a + i * lda, lda, b, ldb, beta, c + i * ldc, ldc);
  }
}

template <class T>
void rows_by_rows(int64_t m,
                  int64_t n,
                  int64_t k,
                  T alpha,
                  const T* a,
                  int64_t lda,
                  const T* b,
                  int64_t ldb,
                  T beta,
                  T* c,
                  int64_t ldc) {
  constexpr int columns = kVectors > 2 ? 4 : 2;
  int64_t j = 0;
  for (; j + columns <= n; j += columns) {
    dot_rows<T, columns>(m, k, alpha, a, lda, b + j * ldb, ldb, beta, c + j, ldc);
  }
  for (; j < n; ++j) {
    dot_rows<T, 1>(m, k, alpha, a, lda, b + j * ldb, ldb, beta, c + j, ldc);
  }
}

template <class T>
void rows_by_vector(int64_t m,
                    int64_t n,
                    T alpha,
                    const T* a,
                    int64_t lda,
                    const T* x,
                    T beta,
                    T* y,
                    int64_t y_step) {
  using V = Vector<T, kLanes<T>>;
  constexpr int64_t lanes = kLanes<T>;
  int64_t i = 0;
  if (n >= lanes && n < 256) {
    // Short rows: adding up the lanes is most of the work, so do it for many rows together.
    for (; i + lanes <= m; i += lanes) {
      V sums[lanes] = {};
      int64_t j = 0;
      for (; j + lanes <= n; j += lanes) {
        const V xj = load<V>(x + j);
#pragma GCC unroll 16
        for (int r = 0; r < lanes; ++r) {
          sums[r] += load<V>(a + (i + r) * lda + j) * xj;
        }
      }
      T totals[lanes];
      const V total = sums_of<T, kLanes<T>>(sums);
      std::memcpy(totals, &total, sizeof(V));
      for (int r = 0; r < lanes; ++r) {
        T sum = totals[r];
        for (int64_t q = j; q < n; ++q) {
          sum += a[(i + r) * lda + q] * x[q];
        }
        put(y + (i + r) * y_step, alpha, sum, beta);
      }
    }
  }
  for (; i + 4 <= m; i += 4) {
    const T* rows[4] = {a + i * lda, a + (i + 1) * lda, a + (i + 2) * lda, a + (i + 3) * lda};
    V sums[4][2] = {};
    int64_t j = 0;
    for (; j + 2 * lanes <= n; j += 2 * lanes) {
      const V x0 = load<V>(x + j);
      const V x1 = load<V>(x + j + lanes);
#pragma GCC unroll 4
      for (int r = 0; r < 4; ++r) {
        sums[r][0] += load<V>(rows[r] + j) * x0;
        sums[r][1] += load<V>(rows[r] + j + lanes) * x1;
      }
    }
    for (int r = 0; r < 4; ++r) {
      T sum = sum_of<T, kLanes<T>>(sums[r][0] + sums[r][1]);
      for (int64_t q = j; q < n; ++q) {
        sum += rows[r][q] * x[q];
      }
      put(y + (i + r) * y_step, alpha, sum, beta);
    }
  }
  for (; i < m; ++i) {
    const T* row = a + i * lda;
    V sums[4] = {};
    int64_t j = 0;
    for (; j + 4 * lanes <= n; j += 4 * lanes) {
#pragma GCC unroll 4
      for (int s = 0; s < 4; ++s) {
        sums[s] += load<V>(row + j + s * lanes) * load<V>(x + j + s * lanes);
      }
    }
    T sum = sum_of<T, kLanes<T>>((sums[0] + sums[1]) + (sums[2] + sums[3]));
    for (; j < n; ++j) {
      sum += row[j] * x[j];
    }
    put(y + i * y_step, alpha, sum, beta);
  }
}

template <class T>
void vector_by_rows(
    int64_t m, int64_t n, T alpha, const T* a, int64_t lda, const T* x, T beta, T* y) {
  // Blocks of y stay in the first-level cache while the rows of A pass by, eight at a time.
  constexpr int64_t block = 2048;
  for (int64_t j0 = 0; j0 < n; j0 += block) {
    const int64_t count = n - j0 < block ? n - j0 : block;
    T* out = y + j0;
    if (beta == 0) {
      for (int64_t j = 0; j < count; ++j) {
        out[j] = 0;
      }
    } else if (beta != 1) {
      for (int64_t j = 0; j < count; ++j) {
        out[j] *= beta;
      }
    }
    int64_t i = 0;
    for (; i + 8 <= m; i += 8) {
      const T* r = a + i * lda + j0;
      T f[8];
      for (int s = 0; s < 8; ++s) {
        f[s] = alpha * x[i + s];
      }
#pragma GCC ivdep
      for (int64_t j = 0; j < count; ++j) {
        out[j] +=
            ((f[0] * r[j] + f[1] * r[lda + j]) + (f[2] * r[2 * lda + j] + f[3] * r[3 * lda + j])) +
            ((f[4] * r[4 * lda + j] + f[5] * r[5 * lda + j]) +
             (f[6] * r[6 * lda + j] + f[7] * r[7 * lda + j]));
      }
    }
    for (; i < m; ++i) {
      const T* r = a + i * lda + j0;
      const T factor = alpha * x[i];
#pragma GCC ivdep
      for (int64_t j = 0; j < count; ++j) {
        out[j] += factor * r[j];
      }
    }
  }
}

template <class T>
void add_scaled(int64_t n, T* r, T beta, const T* t, T s, const T* y) {
  if (beta == 0) {
#pragma GCC ivdep
    for (int64_t i = 0; i < n; ++i) {
      r[i] = s * y[i];
    }
  } else {
#pragma GCC ivdep
    for (int64_t i = 0; i < n; ++i) {
      r[i] = beta * t[i] + s * y[i];
    }
  }
}

template <class T>
double dot(int64_t n, const T* x, const T* y) {
  constexpr int lanes = kVectorBytes / 8;
  using V = Vector<double, lanes>;
  using Narrow = Vector<T, lanes>;
  V sums[4] = {};
  int64_t i = 0;
  for (; i + 4 * lanes <= n; i += 4 * lanes) {
#pragma GCC unroll 4
    for (int s = 0; s < 4; ++s) {
      const V a = __builtin_convertvector(load<Narrow>(x + i + s * lanes), V);
      const V b = __builtin_convertvector(load<Narrow>(y + i + s * lanes), V);
      sums[s] += a * b;
    }
  }
  double sum = sum_of<double, lanes>((sums[0] + sums[1]) + (sums[2] + sums[3]));
  for (; i < n; ++i) {
    sum += static_cast<double>(x[i]) * static_cast<double>(y[i]);
  }
  return sum;
}

// --- integers -----------------------------------------------------------------------------------

template <class T>
void integer_gemm(
    int64_t m, int64_t n, int64_t k, const void* pa, const void* pb, bool transposed, void* pc) {
  const T* a = static_cast<const T*>(pa);
  const T* b = static_cast<const T*>(pb);
  T* c = static_cast<T*>(pc);
  if (transposed) {
    for (int64_t i = 0; i < m; ++i) {
      for (int64_t j = 0; j < n; ++j) {
        auto sum = wrapping(T(0));
        for (int64_t p = 0; p < k; ++p) {
          sum += wrapping(a[i * k + p]) * wrapping(b[j * k + p]);
        }
        c[i * n + j] = static_cast<T>(wrapping(c[i * n + j]) + sum);
      }
    }
    return;
  }
  // A block of B, 64 rows of 512 columns, serves every row of A before it leaves the cache.
  for (int64_t p0 = 0; p0 < k; p0 += 64) {
    const int64_t p1 = p0 + 64 < k ? p0 + 64 : k;
    for (int64_t j0 = 0; j0 < n; j0 += 512) {
      const int64_t count = j0 + 512 < n ? 512 : n - j0;
      for (int64_t i = 0; i < m; ++i) {
        T* out = c + i * n + j0;
        for (int64_t p = p0; p < p1; ++p) {
          const auto factor = wrapping(a[i * k + p]);
          const T* row = b + p * n + j0;
#pragma GCC ivdep
          for (int64_t j = 0; j < count; ++j) {
            out[j] = static_cast<T>(wrapping(out[j]) + factor * wrapping(row[j]));
          }
        }
      }
    }
  }
}

template <class T>
int64_t integer_dot(int64_t n, const void* px, const void* py) {
  const T* x = static_cast<const T*>(px);
  const T* y = static_cast<const T*>(py);
  uint64_t sum = 0;
  for (int64_t i = 0; i < n; ++i) {
    sum += static_cast<uint64_t>(static_cast<int64_t>(x[i])) *
           static_cast<uint64_t>(static_cast<int64_t>(y[i]));
  }
  return static_cast<int64_t>(sum);
}

template <class T>
void integer_scale_add(
    int64_t n, void* pr, double beta_number, const void* pt, double alpha_number, const void* pc) {
  T* r = static_cast<T*>(pr);
  const T* t = static_cast<const T*>(pt);
  const T* c = static_cast<const T*>(pc);
  const auto beta = wrapping(from_number<T>(beta_number));
  const auto alpha = wrapping(from_number<T>(alpha_number));
  for (int64_t i = 0; i < n; ++i) {
    r[i] = static_cast<T>(beta * wrapping(t[i]) + alpha * wrapping(c[i]));
  }
}

template <class T>
void fill_row(GemmRow<T>& row) {
  row = {table_gemm<T>,
         table_dots<T>,
         rows_by_rows<T>,
         rows_by_vector<T>,
         vector_by_rows<T>,
         add_scaled<T>,
         dot<T>};
}

}  // namespace

void fill(GemmKernels& table) {
  fill_row(table.of_float);
  fill_row(table.of_double);
  [&]<class... T>(TypeSet<T...>) {
    ((table.of_integer[dtype_of<T>] = {integer_gemm<T>, integer_dot<T>, integer_scale_add<T>}),
     ...);
  }(Integral{});
}

}  // namespace th::cpu::TH_ISA
