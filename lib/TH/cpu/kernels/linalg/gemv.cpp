#include "cpu/kernels/linalg/gemv.h"

#include "cpu/kernels/prefetch.h"
#include "cpu/kernels/vectors.h"

namespace th::cpu::TH_ISA {
namespace {

template <class T>
[[gnu::always_inline]] inline void put(T* c, T alpha, T value, T beta) {
  *c = beta == 0 ? alpha * value : beta * *c + alpha * value;
}

template <class T>
void rows_by_vector(int64_t m, int64_t n, T alpha, const T* a, int64_t lda, const T* x, T beta,
                    T* y, int64_t y_step) {
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
      V total = sums_of<T, kLanes<T>>(sums);
      T totals[lanes];
      if (j < n) {
        std::memcpy(totals, &total, sizeof(V));
        for (int r = 0; r < lanes; ++r) {
          for (int64_t q = j; q < n; ++q) {
            totals[r] += a[(i + r) * lda + q] * x[q];
          }
        }
        total = load<V>(totals);
      }
      if (y_step == 1) {
        total = beta == 0 ? alpha * total : beta * load<V>(y + i) + alpha * total;
        std::memcpy(y + i, &total, sizeof(V));
      } else {
        std::memcpy(totals, &total, sizeof(V));
        for (int r = 0; r < lanes; ++r) {
          put(y + (i + r) * y_step, alpha, totals[r], beta);
        }
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
void vector_by_rows(int64_t m, int64_t n, T alpha, const T* a, int64_t lda, const T* x, T beta,
                    T* y) {
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
      // Products in T, as Torch7 has them; only their sum is wide.
      const Narrow product = load<Narrow>(x + i + s * lanes) * load<Narrow>(y + i + s * lanes);
      if constexpr (std::is_same_v<T, float>) {
        sums[s] += widen<lanes>(product);
      } else {
        sums[s] += product;
      }
      if (s * lanes * static_cast<int>(sizeof(T)) % 64 == 0) {
        prefetch_ahead(x + i + s * lanes);
        prefetch_ahead(y + i + s * lanes);
      }
    }
  }
  double sum = sum_of<double, lanes>((sums[0] + sums[1]) + (sums[2] + sums[3]));
  for (; i < n; ++i) {
    sum += static_cast<double>(x[i] * y[i]);
  }
  return sum;
}

template <class T>
void fill_row(GemvRow<T>& row) {
  row = {rows_by_vector<T>, vector_by_rows<T>, add_scaled<T>, dot<T>};
}

}  // namespace

void set_kernels(GemvKernels& table) {
  fill_row(table.of_float);
  fill_row(table.of_double);
}

}  // namespace th::cpu::TH_ISA
