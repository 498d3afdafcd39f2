// Reductions with one accumulator per result. Part of kernels/reduce.cpp.
#pragma once

#include "cpu/kernels/reduce/reduce_row.h"

namespace th::cpu::TH_ISA {
namespace {

template <class Op, class A, class T>
struct Fold {
  static void init(void* acc, int64_t items, int64_t) {
    A* a = static_cast<A*>(acc);
    for (int64_t i = 0; i < items; ++i) {
      a[i] = Op::template identity<A>();
    }
  }

  static void rows(void* acc, int64_t items, const void* x, int64_t stride, int64_t n, int64_t,
                   double p) {
    A* a = static_cast<A*>(acc);
    const T* row = static_cast<const T*>(x);
    if constexpr (std::is_same_v<Op, functors::SumPowers>) {
      if (n > 0 && n <= kReduceItems / 2) {
        add_rows_of_powers(a, items, row, stride, n, p);
        return;
      }
    }
    for (int64_t i = 0; i < items; ++i, row += stride) {
      a[i] = Op::combine(a[i], reduce_row<Op, A>(row, n, p));
    }
  }

  static void columns(void* acc, int64_t items, const void* x, int64_t stride, int64_t n, int64_t,
                      double p) {
    A* a = static_cast<A*>(acc);
    const T* row = static_cast<const T*>(x);
    if constexpr (std::is_same_v<Op, functors::SumPowers>) {
      add_powers(a, items, row, stride, n, p);
    } else {
      int64_t i = 0;
      // Several rows at a time: the accumulators are loaded and stored less often.
      for (; i + 8 <= n; i += 8, row += 8 * stride) {
        add_rows<8>(a, items, row, stride, p);
      }
      for (; i + 2 <= n; i += 2, row += 2 * stride) {
        add_rows<2>(a, items, row, stride, p);
      }
      if (i < n) {
        add_rows<1>(a, items, row, stride, p);
      }
    }
  }

  static void combine(void* acc, const void* later, int64_t items) {
    A* a = static_cast<A*>(acc);
    const A* b = static_cast<const A*>(later);
#pragma GCC ivdep
    for (int64_t i = 0; i < items; ++i) {
      a[i] = Op::combine(a[i], b[i]);
    }
  }

  static void gather(void* acc, int64_t items, const void* wide, int64_t groups) {
    for (int64_t g = 0; g < groups; ++g) {
      combine(acc, static_cast<const A*>(wide) + g * items, items);
    }
  }

 private:
  using L = Lanes<A, T>;
  /// Integers are left to the compiler, which does them well.
  static constexpr bool kVectors = std::is_floating_point_v<T>;

  static void add_powers(double* a, int64_t items, const T* row, int64_t stride, int64_t n,
                         double p) {
    double powers[kReduceItems];
    const int64_t most = kReduceItems / items;
    for (int64_t i = 0; i < n; i += most) {
      const int64_t rows = n - i < most ? n - i : most;
      powers_of(powers, rows, row + i * stride, stride, items, p);
      for (int64_t k = 0; k < rows; ++k) {
        for (int64_t j = 0; j < items; ++j) {
          a[j] += powers[k * items + j];
        }
      }
    }
  }

  /// Short rows: several share a vector.
  static void add_rows_of_powers(double* a, int64_t items, const T* row, int64_t stride, int64_t n,
                                 double p) {
    double powers[kReduceItems];
    const int64_t most = kReduceItems / n;
    for (int64_t i = 0; i < items; i += most) {
      const int64_t rows = items - i < most ? items - i : most;
      powers_of(powers, rows, row + i * stride, stride, n, p);
      for (int64_t k = 0; k < rows; ++k) {
        a[i + k] += reduce_floating<functors::Sum, double>(powers + k * n, n, 0);
      }
    }
  }

  static void powers_of(double* powers, int64_t rows, const T* row, int64_t stride, int64_t n,
                        double p) {
    for (int64_t k = 0; k < rows; ++k) {
      for (int64_t j = 0; j < n; ++j) {
        powers[k * n + j] = static_cast<double>(row[k * stride + j]);
      }
    }
    map_lanes<Op>(powers, rows * n, p);
  }

  /// What `Rows` elements of one column, or of the columns in a vector, come to.
  template <int Rows, class Load>
  TH_INLINE static auto column(const T* x, int64_t stride, const Load& load) {
    if constexpr (Rows == 1) {
      return load(x);
    } else {
      return Op::combine(column<Rows / 2>(x, stride, load),
                         column<Rows / 2>(x + Rows / 2 * stride, stride, load));
    }
  }

  template <int Rows>
  TH_INLINE static void add_rows(A* a, int64_t items, const T* x, int64_t stride, double p) {
    int64_t j = 0;
    if constexpr (kVectors) {
      using V = typename L::Acc;
      for (; j + L::count <= items; j += L::count) {
        if constexpr (Rows == 8) {  // the next eight rows
          for (int64_t k = Rows; k < 2 * Rows; ++k) {
            __builtin_prefetch(x + j + k * stride);
          }
        }
        V sum;
        std::memcpy(&sum, a + j, sizeof(sum));
        const V more =
            column<Rows>(x + j, stride, [p](const T* from) { return Op::map(L::load(from), p); });
        sum = Op::combine(sum, more);
        std::memcpy(a + j, &sum, sizeof(sum));
      }
    }
#pragma GCC ivdep
    for (; j < items; ++j) {
      const A more = column<Rows>(x + j, stride,
                                  [p](const T* from) { return Op::map(static_cast<A>(*from), p); });
      a[j] = Op::combine(a[j], more);
    }
  }
};

/// Sums of a 16-bit type: in float as far as one call of a kernel goes, from there on in double.
template <class T>
struct FoldSixteenBits : Fold<functors::Sum, double, float> {
  using Sum = functors::Sum;
  using L = Lanes<float, T>;

  static void rows(void* acc, int64_t items, const void* x, int64_t stride, int64_t n, int64_t,
                   double) {
    double* a = static_cast<double*>(acc);
    const T* row = static_cast<const T*>(x);
    for (int64_t i = 0; i < items; ++i, row += stride) {
      a[i] += reduce_floating<Sum, float>(row, n, 0);
    }
  }

  static void columns(void* acc, int64_t items, const void* x, int64_t stride, int64_t n, int64_t,
                      double) {
    static_assert(kReduceLeafRows <= 64);
    double* a = static_cast<double*>(acc);
    const T* row = static_cast<const T*>(x);
    float sums[kReduceItems] = {};
    for (int64_t i = 0; i < n; i += 8) {
      const int64_t rows = n - i < 8 ? n - i : 8;
      int64_t j = 0;
      for (; j + L::count <= items; j += L::count) {
        auto sum = load<typename L::Acc>(sums + j);
        for (int64_t k = 0; k < rows; ++k) {
          sum += L::load(row + (i + k) * stride + j);
        }
        std::memcpy(sums + j, &sum, sizeof(sum));
      }
      for (; j < items; ++j) {
        for (int64_t k = 0; k < rows; ++k) {
          sums[j] += static_cast<float>(row[(i + k) * stride + j]);
        }
      }
    }
    for (int64_t j = 0; j < items; ++j) {
      a[j] += sums[j];
    }
  }
};

/// As Fold, one element after the other: rounding then is what a plain loop gives, which Torch7's
/// users compare products with. (Sums need not care, they come out of double.)
template <class Op, class A, class T>
struct FoldInOrder : Fold<Op, A, T> {
  static void rows(void* acc, int64_t items, const void* x, int64_t stride, int64_t n, int64_t,
                   double p) {
    A* a = static_cast<A*>(acc);
    const T* row = static_cast<const T*>(x);
    for (int64_t i = 0; i < items; ++i, row += stride) {
      A total = a[i];
      for (int64_t j = 0; j < n; ++j) {
        total = Op::combine(total, Op::map(static_cast<A>(row[j]), p));
      }
      a[i] = total;
    }
  }

  static void columns(void* acc, int64_t items, const void* x, int64_t stride, int64_t n, int64_t,
                      double p) {
    A* a = static_cast<A*>(acc);
    const T* row = static_cast<const T*>(x);
    for (int64_t i = 0; i < n; ++i, row += stride) {
#pragma GCC ivdep
      for (int64_t j = 0; j < items; ++j) {
        a[j] = Op::combine(a[j], Op::map(static_cast<A>(row[j]), p));
      }
    }
  }
};

}  // namespace
}  // namespace th::cpu::TH_ISA
