#include "cpu/kernels/linalg/gemv.h"

#include <atomic>
#include <type_traits>

#include "cpu/kernels/linalg/put.h"
#include "cpu/kernels/prefetch.h"
#include "cpu/kernels/vectors.h"

namespace th::cpu::TH_ISA {
namespace {

/// What lies next in a matrix that is read as it lies in memory, by compiled code too: with rows
/// side by side, or loads out of their turn, a second-level cache has two thirds of its speed.
template <class V, class T>
[[gnu::always_inline]] inline V next(const T* p) {
  std::atomic_signal_fence(std::memory_order_acq_rel);
  return load<V>(p);
}

/// The next elements as T, in which they are computed with; those of bfloat16 are the upper halves
/// of floats.
template <class T, class E>
[[gnu::always_inline]] inline Vector<T> next_as(const E* p) {
  if constexpr (std::is_same_v<E, BFloat16>) {
    const auto halves = next<Vector<uint16_t, kLanes<T>>>(p);
    return (Vector<T>)(__builtin_convertvector(halves, Vector<uint32_t>) << 16);
  } else {
    return next<Vector<T>>(p);
  }
}
/// `count` of them, then zeros.
template <class T, class E>
[[gnu::always_inline]] inline Vector<T> part_as(const E* p, int64_t count) {
  if constexpr (std::is_same_v<E, BFloat16>) {
    E part[kLanes<T>] = {};
    std::memcpy(part, p, static_cast<size_t>(count) * sizeof(E));
    return next_as<T>(part);
  } else {
    return load_part<T>(p, count);
  }
}

/// Products of a row and x, in lanes that are still to be added up; of n elements.
template <class T, class E>
[[gnu::always_inline]] inline Vector<T> row_by_vector(int64_t n, const E* a, const T* x) {
  using V = Vector<T>;
  constexpr int64_t lanes = kLanes<T>;
  constexpr int kChains = 4;  // an addition waits for the one before
  V sums[kChains] = {};
  int64_t j = 0;
  for (; j + kChains * lanes <= n; j += kChains * lanes) {
#pragma GCC unroll 4
    for (int s = 0; s < kChains; ++s) {
      sums[s] += next_as<T>(a + j + s * lanes) * load<V>(x + j + s * lanes);
      if (s * lanes * int64_t{sizeof(E)} % 64 == 0) {
        prefetch_ahead(a + j + s * lanes);
      }
    }
  }
  for (; j + lanes <= n; j += lanes) {
    sums[0] += next_as<T>(a + j) * load<V>(x + j);
  }
  if (j < n) {
    sums[1] += part_as<T>(a + j, n - j) * load_part<T>(x + j, n - j);
  }
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/// The same of so many vectors that x stays in registers.
template <class T, int Count>
struct ShortVector {
  Vector<T> x[Count];
  int64_t rest;  // elements in the last vector

  ShortVector(int64_t n, const T* from) : rest(n - (Count - 1) * kLanes<T>) {
#pragma GCC unroll 8
    for (int v = 0; v + 1 < Count; ++v) {
      x[v] = load<Vector<T>>(from + v * kLanes<T>);
    }
    x[Count - 1] = load_part<T>(from + (Count - 1) * kLanes<T>, rest);
  }

  template <bool Whole>
  [[gnu::always_inline]] inline Vector<T> times(const T* row) const {
    using V = Vector<T>;
    const T* const last = row + (Count - 1) * kLanes<T>;
    V sums[2] = {};
#pragma GCC unroll 8
    for (int v = 0; v + 1 < Count; ++v) {
      sums[v % 2] += next<V>(row + v * kLanes<T>) * x[v];
    }
    sums[(Count - 1) % 2] += (Whole ? next<V>(last) : load_part<T>(last, rest)) * x[Count - 1];
    return sums[0] + sums[1];
  }
};

/// y = beta y + alpha A x, given the product of x and a row. Each load of a loop's body should come
/// back near to where it has been, or the processor does not see where it goes: rows of more than
/// four vectors are multiplied by a loop's body of their own.
template <class T, bool Unrolled, class E, class F>
[[gnu::always_inline]] inline void each_row(int64_t m, T alpha, const E* a, int64_t lda, T beta,
                                            T* y, int64_t y_step, const F& times) {
  const auto put_totals = [&](const Vector<T>* rows, int64_t count) __attribute__((always_inline)) {
    T totals[4];
    totals_of<T, 4>(rows, totals);
#pragma GCC unroll 4
    for (int64_t r = 0; r < count; ++r) {
      put(y + r * y_step, alpha, totals[r], beta);
    }
  };
  for (; m >= 4; m -= 4, a += 4 * lda, y += 4 * y_step) {
    Vector<T> rows[4];
    if constexpr (Unrolled) {
#pragma GCC unroll 4
      for (int r = 0; r < 4; ++r) {
        rows[r] = times(a + r * lda);
      }
    } else {
#pragma GCC unroll 1
      for (int r = 0; r < 4; ++r) {
        rows[r] = times(a + r * lda);
      }
    }
    put_totals(rows, 4);
  }
  if (m > 0) {  // added up as four are, so that a row's bits do not depend on its place
    Vector<T> rows[4] = {};
    for (int64_t r = 0; r < m; ++r) {
      rows[r] = times(a + r * lda);
    }
    put_totals(rows, m);
  }
}

template <class T, int Count>
void short_rows(int64_t m, int64_t n, T alpha, const T* a, int64_t lda, const T* x, T beta, T* y,
                int64_t y_step) {
  const ShortVector<T, Count> vector(n, x);
  const auto rows = [&](auto whole) __attribute__((always_inline)) {
    each_row<T, Count <= 4>(
        m, alpha, a, lda, beta, y, y_step, [&](const T* row) __attribute__((always_inline)) {
          return vector.template times<whole>(row);
        });
  };
  n == Count* kLanes<T> ? rows(std::true_type{}) : rows(std::false_type{});
}

template <class T, class E>
void long_rows(int64_t m, int64_t n, T alpha, const E* a, int64_t lda, const T* x, T beta, T* y,
               int64_t y_step) {
  each_row<T, false>(
      m, alpha, a, lda, beta, y, y_step, [=](const E* row) __attribute__((always_inline)) {
        return row_by_vector(n, row, x);
      });
}

template <class T>
void rows_by_vector(int64_t m, int64_t n, T alpha, const T* a, int64_t lda, const T* x, T beta,
                    T* y, int64_t y_step) {
  static constexpr decltype(&long_rows<T, T>) kernels[] = {
      short_rows<T, 1>, short_rows<T, 2>, short_rows<T, 3>, short_rows<T, 4>, short_rows<T, 5>,
      short_rows<T, 6>, short_rows<T, 7>, short_rows<T, 8>, long_rows<T, T>};
  const int64_t vectors = (n + kLanes<T> - 1) / kLanes<T>;
  const int64_t kernel = vectors > 8 ? 8 : vectors < 1 ? 0 : vectors - 1;
  kernels[kernel](m, n, alpha, a, lda, x, beta, y, y_step);
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
void outer(int64_t m, int64_t n, T* r, int64_t r_row, T beta, T alpha, const T* x, const T* y) {
  for (int64_t i = 0; i < m; ++i, r += r_row) {
    add_scaled<T>(n, r, beta, r, alpha * x[i], y);
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
  row = {rows_by_vector<T>, vector_by_rows<T>, add_scaled<T>, outer<T>, dot<T>};
}

}  // namespace

void set_kernels(GemvKernels& table) {
  fill_row(table.of_float);
  fill_row(table.of_double);
  table.bfloat16_rows_by_vector = long_rows<float, BFloat16>;
}

}  // namespace th::cpu::TH_ISA
