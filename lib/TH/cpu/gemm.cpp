#include "cpu/gemm.h"

#include <algorithm>
#include <memory>
#include <new>
#include <type_traits>

#include <oneapi/dnnl/dnnl.h>

#include "core/blas_library.h"
#include "core/error.h"
#include "cpu/kernels/gemm.h"
#include "cpu/kernels/gemv.h"
#include "cpu/parallel.h"
#include "cpu/select.h"

namespace th::cpu {

const GemmKernels& gemm_kernels() {
  static const GemmKernels table = select_kernels<GemmKernels>();
  return table;
}

const GemvKernels& gemv_kernels() {
  static const GemvKernels table = select_kernels<GemvKernels>();
  return table;
}

namespace {

/// Up to this many rows and columns a library's preparations cost more than the product.
constexpr int64_t kTiny = 32;
/// A B' with fewer rows than this is a few dot products per row of B; libraries repack B first.
constexpr int64_t kFewRows = 32;
/// Up to so many multiplications (some 4 microseconds) threads would only get in each other's way.
constexpr int64_t kSingleThread = 512 * 1024;
/// Multiplications of a matrix and a vector that cost as much as one element of other work.
constexpr int64_t kCheap = 4;
/// OpenBLAS is built with 32-bit sizes.
constexpr int64_t kMaxBlasSize = INT32_MAX;

/// to[j][i] = from[i][j], in squares of one cache line a side.
template <class T>
void transpose(
    int64_t rows, int64_t columns, const T* from, int64_t from_row, T* to, int64_t to_row) {
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
void tiny_gemm(bool transpose_a,
               bool transpose_b,
               int64_t m,
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
  T columns[kTiny * kTiny];
  if (transpose_b) {
    transpose(n, k, b, ldb, columns, n);
    b = columns;
    ldb = n;
  }
  const int64_t row_step = transpose_a ? 1 : lda;
  const int64_t inner_step = transpose_a ? lda : 1;
  int64_t a_i[kTiny];
  int64_t a_k[kTiny];
  int64_t b_k[kTiny];
  for (int64_t i = 0; i < m; ++i) {
    a_i[i] = i * row_step;
  }
  for (int64_t p = 0; p < k; ++p) {
    a_k[p] = p * inner_step;
    b_k[p] = p * ldb;
  }
  gemm_kernels().row<T>().table_gemm({m, n, k, a, a_i, a_k, b, b_k, c, ldc, alpha, beta, nullptr});
}

/// C = op(A) B for few rows: strips of B that stay in the first-level cache, where they lie.
template <class T>
void few_rows(bool transpose_a,
              int64_t m,
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
  constexpr int64_t strip = 256 / sizeof(T);
  constexpr int64_t depth = 128;
  int64_t a_i[kFewRows];
  int64_t a_k[depth];
  int64_t b_k[depth];
  const int64_t inner_step = transpose_a ? lda : 1;
  for (int64_t i = 0; i < m; ++i) {
    a_i[i] = i * (transpose_a ? 1 : lda);
  }
  for (int64_t p = 0; p < depth; ++p) {
    a_k[p] = p * inner_step;
    b_k[p] = p * ldb;
  }
  const auto kernel = gemm_kernels().row<T>().table_gemm;
  parallel_items((n + strip - 1) / strip, m * k * strip / 8, [&](int64_t begin, int64_t end) {
    for (int64_t j = begin * strip; j < std::min(n, end * strip); j += strip) {
      for (int64_t p = 0; p < k; p += depth) {
        kernel({m,
                std::min(strip, n - j),
                std::min(depth, k - p),
                a + p * inner_step,
                a_i,
                a_k,
                b + p * ldb + j,
                b_k,
                c + j,
                ldc,
                alpha,
                p == 0 ? beta : T(1),
                nullptr});
      }
    }
  });
}

/// C = op(A) B' for few rows.
template <class T>
void few_rows_by_rows(bool transpose_a,
                      int64_t m,
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
  std::unique_ptr<T[]> rows;
  if (transpose_a) {
    rows.reset(new T[static_cast<size_t>(m * k)]);
    transpose(k, m, a, lda, rows.get(), k);
    a = rows.get();
    lda = k;
  }
  const auto kernel = gemm_kernels().row<T>().rows_by_rows;
  // Groups of 4 rows of B, which the kernel takes at once.
  const int64_t groups = (n + 3) / 4;
  parallel_items(groups, 4 * m * k / 8, [&](int64_t begin, int64_t end) {
    const int64_t j = begin * 4;
    kernel(m, std::min(n, end * 4) - j, k, alpha, a, lda, b + j * ldb, ldb, beta, c + j, ldc);
  });
}

/// Keeps the libraries to one thread while it lives, where the work is not worth more.
class ThreadLimit {
 public:
  explicit ThreadLimit(bool single) : threads_(single ? omp_get_max_threads() : 1) {
    if (threads_ > 1) {
      omp_set_num_threads(1);
    }
  }
  ~ThreadLimit() {
    if (threads_ > 1) {
      omp_set_num_threads(threads_);
    }
  }

 private:
  int threads_;
};

void library_gemm(bool transpose_a,
                  bool transpose_b,
                  int64_t m,
                  int64_t n,
                  int64_t k,
                  float alpha,
                  const float* a,
                  int64_t lda,
                  const float* b,
                  int64_t ldb,
                  float beta,
                  float* c,
                  int64_t ldc) {
  const dnnl_status_t status = dnnl_sgemm(transpose_a ? 'T' : 'N',
                                          transpose_b ? 'T' : 'N',
                                          m,
                                          n,
                                          k,
                                          alpha,
                                          a,
                                          lda,
                                          b,
                                          ldb,
                                          beta,
                                          c,
                                          ldc);
  if (status == dnnl_out_of_memory) {
    throw std::bad_alloc();
  }
  TH_CHECK(status == dnnl_success, "oneDNN's sgemm failed with status ", static_cast<int>(status));
}

void library_gemm(bool transpose_a,
                  bool transpose_b,
                  int64_t m,
                  int64_t n,
                  int64_t k,
                  double alpha,
                  const double* a,
                  int64_t lda,
                  const double* b,
                  int64_t ldb,
                  double beta,
                  double* c,
                  int64_t ldc) {
  for (const int64_t size : {m, n, k, lda, ldb, ldc}) {
    TH_CHECK(size <= kMaxBlasSize,
             "a matrix of doubles with ",
             size,
             " rows or columns (or between two of them): at "
             "most ",
             kMaxBlasSize,
             " are possible; split it with narrow()");
  }
  const auto flag = [](bool t) { return t ? BlasLibrary::Transposed : BlasLibrary::NoTranspose; };
  const auto i32 = [](int64_t size) { return static_cast<int>(size); };
  blas_library().dgemm(BlasLibrary::RowMajor,
                       flag(transpose_a),
                       flag(transpose_b),
                       i32(m),
                       i32(n),
                       i32(k),
                       alpha,
                       a,
                       i32(lda),
                       b,
                       i32(ldb),
                       beta,
                       c,
                       i32(ldc));
}

}  // namespace

template <class T>
void gemm(bool transpose_a,
          bool transpose_b,
          int64_t m,
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
  if (m <= kTiny && n <= kTiny && k <= kTiny) {
    tiny_gemm(transpose_a, transpose_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
  } else if (transpose_b && m <= kFewRows && k >= 32) {
    few_rows_by_rows(transpose_a, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
  } else if (n == 1 && (transpose_b || ldb == 1)) {
    gemv(transpose_a, transpose_a ? k : m, transpose_a ? m : k, alpha, a, lda, b, beta, c, ldc);
  } else if (m == 1 && (!transpose_a || lda == 1)) {
    gemv(!transpose_b,
         transpose_b ? n : k,
         transpose_b ? k : n,
         alpha,
         b,
         ldb,
         a,
         beta,
         c,
         int64_t{1});
  } else if (std::is_same_v<T, double> && !transpose_b && m <= kFewRows) {
    // OpenBLAS spends most of its time on repacking B here; oneDNN does not.
    few_rows(transpose_a, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
  } else {
    const ThreadLimit limit(m * n * k <= kSingleThread);
    library_gemm(transpose_a, transpose_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
  }
}

template <>
void gemm_ready<float>() {
  gemm_kernels();
}
template <>
void gemm_ready<double>() {
  gemm_kernels();
  blas_library();
}

template <class T>
void gemv(bool transpose,
          int64_t m,
          int64_t n,
          T alpha,
          const T* a,
          int64_t lda,
          const T* x,
          T beta,
          T* y,
          int64_t y_step) {
  const GemvRow<T>& kernels = gemv_kernels().row<T>();
  if (!transpose) {
    parallel_items(m, n / kCheap, [&](int64_t begin, int64_t end) {
      kernels.rows_by_vector(
          end - begin, n, alpha, a + begin * lda, lda, x, beta, y + begin * y_step, y_step);
    });
    return;
  }
  std::unique_ptr<T[]> compact;
  T* out = y;
  if (y_step != 1) {
    compact.reset(new T[static_cast<size_t>(n)]);
    out = compact.get();
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

#define TH_INSTANTIATE(T)         \
  template void gemm<T>(bool,     \
                        bool,     \
                        int64_t,  \
                        int64_t,  \
                        int64_t,  \
                        T,        \
                        const T*, \
                        int64_t,  \
                        const T*, \
                        int64_t,  \
                        T,        \
                        T*,       \
                        int64_t); \
  template void gemv<T>(bool, int64_t, int64_t, T, const T*, int64_t, const T*, T, T*, int64_t);
TH_INSTANTIATE(float)
TH_INSTANTIATE(double)
#undef TH_INSTANTIATE

}  // namespace th::cpu
