#include "cpu/linalg/gemm.h"

#include <algorithm>
#include <cassert>

#include "core/runtime/interrupt.h"
#include "cpu/kernels/linalg/dense_gemm.h"
#include "cpu/kernels/linalg/gemv.h"
#include "cpu/linalg/blocked_gemm.h"
#include "cpu/parallel.h"
#include "cpu/select.h"
#include "cpu/work_buffers.h"

namespace th::cpu {

const GemmKernels& gemm_kernels() {
  static const GemmKernels table = select_kernels<GemmKernels>();
  return table;
}

const DenseGemmKernels& dense_gemm_kernels() {
  static const DenseGemmKernels table = select_kernels<DenseGemmKernels>();
  return table;
}

const GemvKernels& gemv_kernels() {
  static const GemvKernels table = select_kernels<GemvKernels>();
  return table;
}

namespace {

/// Up to this many rows and columns preparations cost more than the product.
constexpr int64_t kTiny = 32;
/// With fewer rows than this copying B to where it is near costs more than it gives.
constexpr int64_t kFewRows = 32;
/// B' row by row ends each sum across a vector, which copying B saves: what that costs, in
/// products.
constexpr int64_t kSumEnd = 16;
/// What moving an element of a matrix to its place in the transposed one costs, in products.
constexpr double kMove = 27;
/// Sums beside whose products moving the result is nothing.
constexpr int64_t kLongSums = 1024;
/// With so few rows copying B never pays.
constexpr int64_t kVeryFewRows = 4;
/// Multiplications of a matrix and a vector that cost as much as one element of other work.
constexpr int64_t kCheap = 4;

/// to[j][i] = from[i][j], in squares of one cache line a side.
template <class T>
void transpose(int64_t rows, int64_t columns, const T* from, int64_t from_row, T* to,
               int64_t to_row) {
  constexpr int64_t tile = 64 / sizeof(T);
  for (int64_t i0 = 0; i0 < rows; i0 += tile) {
    const int64_t i1 = std::min(rows, i0 + tile);
    for (int64_t j0 = 0; j0 < columns; j0 += tile) {
      const int64_t j1 = std::min(columns, j0 + tile);
      for (int64_t j = j0; j < j1; ++j) {
        for (int64_t i = i0; i < i1; ++i) {
          to[j * to_row + i] = from[i * from_row + j];
        }
      }
    }
  }
}

/// m, n, k <= kTiny: no library, no threads, no heap.
template <class T>
void tiny_gemm(Gemm<T> g) {
  const DenseGemmRow<T>& kernels = dense_gemm_kernels().row<T>();
  T columns[kTiny * kTiny];
  if (g.transpose_b) {
    const int64_t width = round_up(g.n, kVector);
    kernels.pack(true, g.b, g.ldb, g.k, g.n, columns, width);
    g.b = columns;
    g.ldb = width;
    g.transpose_b = false;
  }
  kernels.product(g);
}

/// C = op(A) B for few rows: strips of B that stay in the first-level cache, where they lie.
template <class T>
void few_rows(const Gemm<T>& g) {
  constexpr int64_t strip = 256 / sizeof(T);
  constexpr int64_t depth = 128;
  const auto kernel = dense_gemm_kernels().row<T>().product;
  const int64_t strips = (g.n + strip - 1) / strip;
  parallel_items(strips, g.m * g.k * strip / 8, [&](int64_t begin, int64_t end) {
    for (int64_t j = begin * strip; j < std::min(g.n, end * strip); j += strip) {
      if (interrupt::asked()) [[unlikely]] {
        interrupt::left_undone();
        return;
      }
      for (int64_t p = 0; p < g.k; p += depth) {
        Gemm<T> part = g;
        part.n = std::min(strip, g.n - j);
        part.k = std::min(depth, g.k - p);
        part.a += p * (g.transpose_a ? g.lda : 1);
        part.b += p * g.ldb + j;
        part.beta = p == 0 ? g.beta : T(1);
        part.start = p == 0 && g.start != nullptr ? g.start + j : nullptr;
        part.c += j;
        kernel(part);
      }
    }
  });
}

/// C = op(A) B' for few rows.
template <class T>
void few_rows_by_rows(Gemm<T> g, T* workspace) {
  if (g.transpose_a) {
    transpose(g.k, g.m, g.a, g.lda, workspace, g.k);
    g.a = workspace;
    g.lda = g.k;
  }
  const auto kernel = gemm_kernels().row<T>().rows_by_rows;
  // Groups of 4 rows of B, which the kernel takes at once.
  const int64_t groups = (g.n + 3) / 4;
  constexpr int64_t some = 64;  // rows between questions for an interrupt
  parallel_items(groups, 4 * g.m * g.k / 8, [&](int64_t begin, int64_t end) {
    const int64_t last = std::min(g.n, end * 4);
    for (int64_t j = begin * 4; j < last; j += some) {
      if (interrupt::asked()) [[unlikely]] {
        interrupt::left_undone();
        return;
      }
      Gemm<T> part = g;
      part.n = std::min(some, last - j);
      part.b += j * g.ldb;
      part.c += j;
      kernel(part);
    }
  });
}

/// op(A) op(B) = (op(B)' op(A)')'
template <class T>
Gemm<T> turned(const Gemm<T>& g, T* product) {
  return {.transpose_a = !g.transpose_b,
          .transpose_b = !g.transpose_a,
          .m = g.n,
          .n = g.m,
          .k = g.k,
          .alpha = g.alpha,
          .a = g.b,
          .lda = g.ldb,
          .b = g.a,
          .ldb = g.lda,
          .beta = 0,
          .c = product,
          .ldc = g.m,
          .pairs = g.pairs};
}

/// Elements of the turned product, and up to a cache line: where its own working memory begins.
template <class T>
int64_t turned_size(const Gemm<T>& g) {
  return round_up(g.n * g.m, kVector);
}

template <class T>
void by_turning(const Gemm<T>& g, std::span<T> workspace) {
  T* const product = workspace.data();
  gemm(turned(g, product), workspace.subspan(static_cast<size_t>(turned_size(g))));
  constexpr int64_t tile = 64;
  const auto pack = dense_gemm_kernels().row<T>().pack;
  parallel_items((g.n + tile - 1) / tile, g.m * tile, [&](int64_t begin, int64_t end) {
    T lines[tile * tile];
    for (int64_t j = begin * tile; j < std::min(g.n, end * tile); j += tile) {
      const int64_t columns = std::min(tile, g.n - j);
      for (int64_t i = 0; i < g.m; i += tile) {
        const int64_t rows = std::min(tile, g.m - i);
        pack(true, product + j * g.m + i, g.m, rows, columns, lines, tile);
        for (int64_t row = 0; row < rows; ++row) {
          T* c = g.c + (i + row) * g.ldc + j;
          const T* before = g.before(i + row, j);
          const T* line = lines + row * tile;
          if (g.beta == 0) {
            std::copy_n(line, columns, c);
            continue;
          }
          for (int64_t p = 0; p < columns; ++p) {
            c[p] = line[p] + g.beta * before[p];
          }
        }
      }
    }
  });
}

/// For what adds to C itself.
template <class T>
Gemm<T> started(Gemm<T> g) {
  if (g.start != nullptr && g.beta != 0) {
    for (int64_t i = 0; i < g.m; ++i) {
      std::copy_n(g.before(i, 0), g.n, g.c + i * g.ldc);
    }
  }
  g.start = nullptr;
  return g;
}

/// Whether it takes less to turn the product round than to bring it about as it is.
template <class T>
bool pays_to_turn(const Gemm<T>& g) {
  if (g.transpose_a) {  // few columns: whole vectors lie along A's rows, which may be far apart
    if (!g.transpose_b && g.m >= 2 * g.n && g.k >= kLongSums && g.n > kFewRows &&
        g.n < kTilingColumns) {
      return true;  // the narrower of the two is read in parts of lines, again and again
    }
    return g.n > 1 && g.n <= kFewRows && (g.transpose_b || g.m > kTiny) && g.m > 1;
  }
  if (!g.transpose_b || g.m <= kVeryFewRows || g.n <= 1) {
    return false;
  }
  // Every element of B is multiplied by m others, after it was moved to its place in B'; turned,
  // those of A and of the result are moved.
  const auto m = static_cast<double>(g.m);
  const double here = m + kMove;
  const double there = static_cast<double>(round_up(g.m, kVector)) +
                       kMove * (m / static_cast<double>(g.n) + m / static_cast<double>(g.k));
  return 10 * there < 9 * here;
}

/// Whether the rows, turned into columns, keep the registers of a tile busy: with AVX2, whose tiles
/// are narrow, 16 floats or 8 doubles are 1.3 to 2.4 times as fast then as sums of row by row.
template <class T>
bool fills_a_tile(const Gemm<T>& g) {
  return g.m >= dense_gemm_kernels().row<T>().widest;
}

enum class Route { Tiny, Turned, FewRowsByRows, ByVector, VectorBy, FewRows, Blocked };

template <class T>
Route route(const Gemm<T>& g) {
  if (g.m <= kTiny && g.n <= kTiny && g.k <= kTiny) {
    return Route::Tiny;
  } else if (g.transpose_a && pays_to_turn(g)) {
    return Route::Turned;
  } else if (!g.pairs && g.n == 1 && (g.transpose_b || g.ldb == 1)) {
    return Route::ByVector;
  } else if (!g.pairs && g.m == 1 && (!g.transpose_a || g.lda == 1)) {
    return Route::VectorBy;
  } else if (!g.pairs && g.transpose_b && g.k >= 32 && g.m <= kFewRows &&
             (g.m <= kVeryFewRows || (g.m * kSumEnd <= g.k && !fills_a_tile(g)))) {
    return Route::FewRowsByRows;
  } else if (!g.transpose_b && g.m <= kFewRows) {
    return Route::FewRows;
  }
  return pays_to_turn(g) ? Route::Turned : Route::Blocked;
}

}  // namespace

template <class T>
int64_t gemm_workspace(const Gemm<T>& g, int64_t team) {
  switch (route(g)) {
    case Route::Turned:
      return turned_size(g) + gemm_workspace(turned<T>(g, nullptr), team);
    case Route::FewRowsByRows:
      return g.transpose_a ? g.m * g.k : 0;
    case Route::ByVector:
      return g.transpose_a && g.ldc != 1 ? g.m : 0;
    case Route::Blocked:
      return blocked_workspace(g, team);
    default:
      return 0;
  }
}

template <class T>
bool rounds_as_it_goes(const Gemm<T>& g) {
  return route(g) == Route::Blocked && rounds_in_blocks(g);
}

template <class T>
void gemm(const Gemm<T>& g, std::span<T> workspace) {
  assert(!g.tiled);
  switch (route(g)) {
    case Route::Tiny:
      tiny_gemm(g);
      break;
    case Route::Turned:
      by_turning(g, workspace);
      break;
    case Route::FewRowsByRows:
      few_rows_by_rows(started(g), workspace.data());
      break;
    case Route::ByVector:
      started(g);
      gemv(g.transpose_a, g.transpose_a ? g.k : g.m, g.transpose_a ? g.m : g.k, g.alpha, g.a, g.lda,
           g.b, g.beta, g.c, g.ldc, workspace.data());
      break;
    case Route::VectorBy:
      started(g);
      gemv(!g.transpose_b, g.transpose_b ? g.n : g.k, g.transpose_b ? g.k : g.n, g.alpha, g.b,
           g.ldb, g.a, g.beta, g.c, int64_t{1}, workspace.data());
      break;
    case Route::FewRows:
      few_rows(g);
      break;
    case Route::Blocked:
      blocked_gemm(g, workspace);
      break;
  }
}

template <class T>
void gemv(bool transpose, int64_t m, int64_t n, T alpha, const T* a, int64_t lda, const T* x,
          T beta, T* y, int64_t y_step, T* workspace) {
  const GemvRow<T>& kernels = gemv_kernels().row<T>();
  if (!transpose) {
    constexpr int64_t group = 16;  // a cache line of results, and several of the kernel's rounds
    parallel_items((m + group - 1) / group, group * n / kCheap, [&](int64_t first, int64_t last) {
      const int64_t begin = first * group;
      const int64_t end = std::min(m, last * group);
      kernels.rows_by_vector(end - begin, n, alpha, a + begin * lda, lda, x, beta,
                             y + begin * y_step, y_step);
    });
    return;
  }
  T* out = y;
  if (y_step != 1) {
    out = workspace;
    for (int64_t j = 0; beta != 0 && j < n; ++j) {
      out[j] = y[j * y_step];
    }
  }
  parallel_for(n, kCheap * kGrain / std::max<int64_t>(m, 1), [&](int64_t begin, int64_t end) {
    kernels.vector_by_rows(m, end - begin, alpha, a + begin, lda, x, beta, out + begin);
  });
  for (int64_t j = 0; out != y && j < n; ++j) {
    y[j * y_step] = out[j];
  }
}

#define TH_INSTANTIATE(T)                                        \
  template int64_t gemm_workspace<T>(const Gemm<T>& g, int64_t); \
  template void gemm<T>(const Gemm<T>&, std::span<T>);           \
  template bool rounds_as_it_goes<T>(const Gemm<T>& g);          \
  template void gemv<T>(bool, int64_t, int64_t, T, const T*, int64_t, const T*, T, T*, int64_t, T*);
TH_INSTANTIATE(float)
TH_INSTANTIATE(double)
#undef TH_INSTANTIATE

}  // namespace th::cpu
