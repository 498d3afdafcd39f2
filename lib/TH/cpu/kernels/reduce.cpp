#include "cpu/kernels/reduce.h"

#include <cstddef>
#include <cstring>

#include "core/dtype.h"
#include "functors/reduce.h"

#ifdef __SSE2__
#include <immintrin.h>
#endif

namespace th::cpu::TH_ISA {
namespace {

#if defined(__AVX512F__)
constexpr int kVectorBytes = 64;
#elif defined(__AVX__)
constexpr int kVectorBytes = 32;
#else
constexpr int kVectorBytes = 16;
#endif

#define TH_INLINE [[gnu::always_inline]] inline

/// As many accumulators A as fit into a vector register, and as many elements T.
template <class A, class T>
struct Lanes {
  static constexpr int count = kVectorBytes / static_cast<int>(sizeof(A));
  using Acc [[gnu::vector_size(count * sizeof(A))]] = A;
  using Elements [[gnu::vector_size(count * sizeof(T)), gnu::aligned(alignof(T)), gnu::may_alias]] = T;

  TH_INLINE static Acc load(const T* x) {
    // What gcc 12 makes of a widening __builtin_convertvector takes three times as long.
    if constexpr (std::is_same_v<A, double> && std::is_same_v<T, float>) {
#if defined(__AVX512F__)
      return _mm512_maskz_cvtps_pd(0xff, _mm256_loadu_ps(x));  // all lanes
#elif defined(__AVX__)
      return _mm256_cvtps_pd(_mm_loadu_ps(x));
#endif
    }
    return __builtin_convertvector(*reinterpret_cast<const Elements*>(x), Acc);
  }
};

/// All elements of one floating row. Independent accumulators hide the latency of combine.
template <class Op, class A, class T>
TH_INLINE A reduce_floating(const T* x, int64_t n, double p) {
  using L = Lanes<A, T>;
  using V = typename L::Acc;
  const A identity = Op::template identity<A>();
  A total = identity;
  int64_t i = 0;
  if (n >= 2 * L::count) {
    constexpr int kAccumulators = 8;
    V acc[kAccumulators];
    for (V& a : acc) {
      a = V{} + identity;
    }
    for (; i + kAccumulators * L::count <= n; i += kAccumulators * L::count) {
#pragma GCC unroll 8
      for (int k = 0; k < kAccumulators; ++k) {
        acc[k] = Op::combine(acc[k], Op::map(L::load(x + i + k * L::count), p));
      }
    }
#pragma GCC unroll 8
    for (int k = 0; k < kAccumulators; ++k) {
      if (i + L::count > n) {
        break;
      }
      acc[k] = Op::combine(acc[k], Op::map(L::load(x + i), p));
      i += L::count;
    }
#pragma GCC unroll 8
    for (int half = kAccumulators / 2; half > 0; half /= 2) {
#pragma GCC unroll 8
      for (int k = 0; k < half; ++k) {
        acc[k] = Op::combine(acc[k], acc[k + half]);
      }
    }
    A lanes[L::count];
    std::memcpy(lanes, &acc[0], sizeof(lanes));
#pragma GCC unroll 8
    for (int half = L::count / 2; half > 0; half /= 2) {
#pragma GCC unroll 16
      for (int k = 0; k < half; ++k) {
        lanes[k] = Op::combine(lanes[k], lanes[k + half]);
      }
    }
    total = lanes[0];
  }
  for (; i < n; ++i) {
    total = Op::combine(total, Op::map(static_cast<A>(x[i]), p));
  }
  return total;
}

/// All elements of one integer row: there the compiler may regroup, and vectorises by itself.
template <class Op, class A, class T>
TH_INLINE A reduce_integers(const T* x, int64_t n, double p) {
  // Sums of small integers fit into 32 bits for one leaf, which doubles the lanes.
  constexpr bool small = std::is_same_v<Op, functors::Sum> && sizeof(T) <= 2;
  static_assert(kReduceLeaf * 65536 < INT32_MAX);
  using Leaf = std::conditional_t<small, int32_t, A>;
  Leaf total = Op::template identity<Leaf>();
  for (int64_t i = 0; i < n; ++i) {
    total = Op::combine(total, Op::map(static_cast<Leaf>(x[i]), p));
  }
  return total;
}

template <class Op, class A, class T>
TH_INLINE A reduce_row(const T* x, int64_t n, double p) {
  if constexpr (std::is_integral_v<T>) {
    return reduce_integers<Op, A>(x, n, p);
  } else if constexpr (std::is_same_v<Op, functors::SumPowers>) {
    // Powers go block by block into a buffer: so the compiler calls the vector form of pow.
    constexpr int64_t kBlock = 256;
    double powers[kBlock];
    double total = 0;
    for (int64_t begin = 0; begin < n; begin += kBlock) {
      const int64_t count = n - begin < kBlock ? n - begin : kBlock;
      for (int64_t i = 0; i < count; ++i) {
        powers[i] = Op::map(static_cast<double>(x[begin + i]), p);
      }
      total += reduce_floating<functors::Sum, double>(powers, count, 0);
    }
    return total;
  } else {
    return reduce_floating<Op, A>(x, n, p);
  }
}

// --- one accumulator per result -----------------------------------------------------------------

template <class Op, class A, class T>
struct Fold {
  static void init(void* acc, int64_t items, int64_t) {
    A* a = static_cast<A*>(acc);
    for (int64_t i = 0; i < items; ++i) {
      a[i] = Op::template identity<A>();
    }
  }

  static void rows(void* acc, int64_t items, const void* x, int64_t stride, int64_t n, int64_t, double p) {
    A* a = static_cast<A*>(acc);
    const T* row = static_cast<const T*>(x);
    for (int64_t i = 0; i < items; ++i, row += stride) {
      a[i] = Op::combine(a[i], reduce_row<Op, A>(row, n, p));
    }
  }

  static void columns(void* acc, int64_t items, const void* x, int64_t stride, int64_t n, int64_t, double p) {
    A* a = static_cast<A*>(acc);
    const T* row = static_cast<const T*>(x);
    int64_t i = 0;
    // Four rows at a time: the accumulators are loaded and stored a quarter as often.
    for (; i + 4 <= n; i += 4, row += 4 * stride) {
      const T* x0 = row;
      const T* x1 = row + stride;
      const T* x2 = row + 2 * stride;
      const T* x3 = row + 3 * stride;
#pragma GCC ivdep
      for (int64_t j = 0; j < items; ++j) {
        const A first = Op::combine(Op::map(static_cast<A>(x0[j]), p), Op::map(static_cast<A>(x1[j]), p));
        const A second = Op::combine(Op::map(static_cast<A>(x2[j]), p), Op::map(static_cast<A>(x3[j]), p));
        a[j] = Op::combine(a[j], Op::combine(first, second));
      }
    }
    for (; i < n; ++i, row += stride) {
#pragma GCC ivdep
      for (int64_t j = 0; j < items; ++j) {
        a[j] = Op::combine(a[j], Op::map(static_cast<A>(row[j]), p));
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
};

// --- extremes and their positions ---------------------------------------------------------------

/// The first element that is `value`, or the first NaN when that is one; there is one.
template <class T>
TH_INLINE int64_t find(const T* x, int64_t n, T value) {
  constexpr int64_t kBlock = 64;
  const bool nan = value != value;
  int64_t begin = 0;
  for (; begin + kBlock <= n; begin += kBlock) {
    int found = 0;
    for (int64_t k = 0; k < kBlock; ++k) {
      found |= nan ? x[begin + k] != x[begin + k] : x[begin + k] == value;
    }
    if (found) {
      break;
    }
  }
  const int64_t end = begin + kBlock < n ? begin + kBlock : n;
  int64_t first = end;
  for (int64_t k = begin; k < end; ++k) {
    const bool here = nan ? x[k] != x[k] : x[k] == value;
    const int64_t candidate = here ? k : end;
    first = candidate < first ? candidate : first;
  }
  return first;
}

template <class Op, class T>
struct FoldPosition {
  /// Positions within a leaf are as wide as values where that is possible, so that both take the
  /// same vector lanes.
  using Local = std::conditional_t<sizeof(T) == 8, int64_t, int32_t>;

  /// Results with few elements, and few results, are made side by side in the lanes of one vector.
  static constexpr int64_t kShort = 48;
  static constexpr int64_t kNarrow = 16;
  static constexpr int kLaneBytes = kVectorBytes < 32 ? kVectorBytes : 32;
  static constexpr int kTogether = sizeof(T) < 4 ? 8 : kLaneBytes / sizeof(T);

  /// Lane l takes the n elements x[offset[l]], x[offset[l] + step], ...; the first `used` lanes are
  /// kept.
  TH_INLINE static void lanes(T* value,
                              int64_t* position,
                              int used,
                              const T* x,
                              const int64_t (&offset)[kTogether],
                              int64_t step,
                              int64_t n,
                              int64_t first) {
    using Values [[gnu::vector_size(kTogether * sizeof(T))]] = T;
    using Places = decltype(Values{} == Values{});  // integers as wide as T
    using Place = std::conditional_t<
        sizeof(T) == 8, int64_t,
        std::conditional_t<sizeof(T) == 4, int32_t, std::conditional_t<sizeof(T) == 2, int16_t, int8_t>>>;
    static_assert(kShort <= INT8_MAX && kReduceLeafRows <= INT8_MAX);
    Values best;
    for (int l = 0; l < kTogether; ++l) {
      best[l] = value[l < used ? l : 0];
    }
    Places at = Places{} - 1;
    for (int64_t k = 0; k < n; ++k, x += step) {
      Values next;
      for (int l = 0; l < kTogether; ++l) {
        next[l] = x[offset[l]];
      }
      const Places better = Op::displaces(best, next);
      best = better ? next : best;
      at = better ? Places{} + static_cast<Place>(k) : at;
    }
    T values[kTogether];
    Place places[kTogether];
    std::memcpy(values, &best, sizeof(best));
    std::memcpy(places, &at, sizeof(at));
    for (int l = 0; l < used; ++l) {
      value[l] = values[l];
      position[l] = places[l] >= 0 ? first + places[l] : position[l];
    }
  }

  static int64_t* positions(void* acc, int64_t items) {
    return reinterpret_cast<int64_t*>(static_cast<char*>(acc) + positions_offset(items, sizeof(T)));
  }

  static void init(void* acc, int64_t items, int64_t first) {
    T* value = static_cast<T*>(acc);
    int64_t* position = positions(acc, items);
    for (int64_t i = 0; i < items; ++i) {
      value[i] = Op::template identity<T>();
      position[i] = first;
    }
  }

  static void rows(void* acc, int64_t items, const void* x, int64_t stride, int64_t n, int64_t first, double) {
    T* value = static_cast<T*>(acc);
    int64_t* position = positions(acc, items);
    const T* row = static_cast<const T*>(x);
    int64_t i = 0;
    if (n <= kShort) {
      int64_t offset[kTogether];
      for (int l = 0; l < kTogether; ++l) {
        offset[l] = l * stride;
      }
      for (; i + kTogether <= items; i += kTogether, row += kTogether * stride) {
        lanes(value + i, position + i, kTogether, row, offset, 1, n, first);
      }
    }
    for (; i < items; ++i, row += stride) {
      const T best = reduce_row<Op, T>(row, n, 0);
      if (Op::displaces(value[i], best)) {
        value[i] = best;
        position[i] = first + find(row, n, best);
      }
    }
  }

  static void columns(void* acc, int64_t items, const void* x, int64_t stride, int64_t n, int64_t first, double) {
    T* value = static_cast<T*>(acc);
    int64_t* position = positions(acc, items);
    const T* row = static_cast<const T*>(x);
    if (items <= kNarrow) {
      for (int64_t j = 0; j < items; j += kTogether) {
        const int used = items - j < kTogether ? static_cast<int>(items - j) : kTogether;
        int64_t offset[kTogether];
        for (int l = 0; l < kTogether; ++l) {
          offset[l] = l < used ? l : 0;
        }
        lanes(value + j, position + j, used, row + j, offset, stride, n, first);
      }
      return;
    }
    Local local[kReduceItems];
    for (int64_t j = 0; j < items; ++j) {
      local[j] = -1;
    }
    Local i = 0;
    for (; i + 2 <= static_cast<Local>(n); i += 2, row += 2 * stride) {
      const T* x0 = row;
      const T* x1 = row + stride;
#pragma GCC ivdep
      for (int64_t j = 0; j < items; ++j) {
        const bool second = Op::displaces(x0[j], x1[j]);
        const T best = second ? x1[j] : x0[j];
        const Local at = second ? i + 1 : i;
        const bool better = Op::displaces(value[j], best);
        value[j] = better ? best : value[j];
        local[j] = better ? at : local[j];
      }
    }
    if (i < static_cast<Local>(n)) {
#pragma GCC ivdep
      for (int64_t j = 0; j < items; ++j) {
        const bool better = Op::displaces(value[j], row[j]);
        value[j] = better ? row[j] : value[j];
        local[j] = better ? i : local[j];
      }
    }
#pragma GCC ivdep
    for (int64_t j = 0; j < items; ++j) {
      position[j] = local[j] >= 0 ? first + local[j] : position[j];
    }
  }

  static void combine(void* acc, const void* later, int64_t items) {
    T* value = static_cast<T*>(acc);
    int64_t* position = positions(acc, items);
    const T* later_value = static_cast<const T*>(later);
    const int64_t* later_position = positions(const_cast<void*>(later), items);
    for (int64_t i = 0; i < items; ++i) {
      if (Op::displaces(value[i], later_value[i])) {
        value[i] = later_value[i];
        position[i] = later_position[i];
      }
    }
  }

  static constexpr std::nullptr_t gather = nullptr;
};

// --- mean and squared deviations ----------------------------------------------------------------

template <class T>
struct FoldMoments {
  /// The three components, each `items` long.
  struct View {
    double* count;
    double* mean;
    double* squares;
    View(void* acc, int64_t items)
        : count(static_cast<double*>(acc)), mean(count + items), squares(mean + items) {}
    functors::Moments get(int64_t i) const { return {count[i], mean[i], squares[i]}; }
    void set(int64_t i, const functors::Moments& m) const {
      count[i] = m.count;
      mean[i] = m.mean;
      squares[i] = m.squares;
    }
  };

  static void init(void* acc, int64_t items, int64_t) {
    std::memset(acc, 0, static_cast<size_t>(items) * sizeof(functors::Moments));
  }

  static void rows(void* acc, int64_t items, const void* x, int64_t stride, int64_t n, int64_t, double) {
    const View view(acc, items);
    const T* row = static_cast<const T*>(x);
    const auto count = static_cast<double>(n);
    for (int64_t i = 0; i < items; ++i, row += stride) {
      const double mean = reduce_row<functors::Sum, double>(row, n, 0) / count;
      const double squares = reduce_row<functors::SumSquaredDeviations, double>(row, n, mean);
      view.set(i, functors::Moments::combine(view.get(i), {count, mean, squares}));
    }
  }

  static void columns(void* acc, int64_t items, const void* x, int64_t stride, int64_t n, int64_t, double) {
    const View view(acc, items);
    const T* row = static_cast<const T*>(x);
    const auto count = static_cast<double>(n);
    double mean[kReduceItems];
    double squares[kReduceItems];
    std::memset(mean, 0, static_cast<size_t>(items) * sizeof(double));
    std::memset(squares, 0, static_cast<size_t>(items) * sizeof(double));
    Fold<functors::Sum, double, T>::columns(mean, items, x, stride, n, 0, 0);
    for (int64_t j = 0; j < items; ++j) {
      mean[j] /= count;
    }
    int64_t i = 0;
    for (; i + 4 <= n; i += 4, row += 4 * stride) {
#pragma GCC ivdep
      for (int64_t j = 0; j < items; ++j) {
        const double d0 = row[j] - mean[j];
        const double d1 = row[stride + j] - mean[j];
        const double d2 = row[2 * stride + j] - mean[j];
        const double d3 = row[3 * stride + j] - mean[j];
        squares[j] += (d0 * d0 + d1 * d1) + (d2 * d2 + d3 * d3);
      }
    }
    for (; i < n; ++i, row += stride) {
#pragma GCC ivdep
      for (int64_t j = 0; j < items; ++j) {
        const double d = row[j] - mean[j];
        squares[j] += d * d;
      }
    }
    for (int64_t j = 0; j < items; ++j) {
      view.set(j, functors::Moments::combine(view.get(j), {count, mean[j], squares[j]}));
    }
  }

  static void combine(void* acc, const void* later, int64_t items) {
    const View view(acc, items);
    const View other(const_cast<void*>(later), items);
    for (int64_t i = 0; i < items; ++i) {
      view.set(i, functors::Moments::combine(view.get(i), other.get(i)));
    }
  }

  static void gather(void* acc, int64_t items, const void* wide, int64_t groups) {
    const View view(acc, items);
    const View other(const_cast<void*>(wide), items * groups);
    for (int64_t i = 0; i < items * groups; ++i) {
      view.set(i % items, functors::Moments::combine(view.get(i % items), other.get(i)));
    }
  }
};

// --- from accumulators to results ---------------------------------------------------------------

template <class F, class A, class T>
void finish(void* r, const void* acc, int64_t items, double n, double p) {
  T* to = static_cast<T*>(r);
  const A* from = static_cast<const A*>(acc);
#pragma GCC ivdep
  for (int64_t i = 0; i < items; ++i) {
    to[i] = convert<T>(F::finish(from[i], n, p));
  }
}

/// F of the squared deviations.
template <class F, class T>
void finish_moments(void* r, const void* acc, int64_t items, double n, double p) {
  finish<F, double, T>(r, static_cast<const double*>(acc) + 2 * items, items, n, p);
}

// --- equality -----------------------------------------------------------------------------------

template <class T>
bool equal(const void* xs, const void* ys, int64_t n) {
  const T* x = static_cast<const T*>(xs);
  const T* y = static_cast<const T*>(ys);
  if constexpr (std::is_integral_v<T>) {
    return std::memcmp(x, y, static_cast<size_t>(n) * sizeof(T)) == 0;
  }
  int different = 0;
  for (int64_t i = 0; i < n; ++i) {
    different |= x[i] != y[i];
  }
  return different == 0;
}

template <class Kernels>
constexpr ReduceKernel kernel() {
  return {Kernels::init, Kernels::rows, Kernels::columns, Kernels::combine, Kernels::gather};
}

template <class T>
void fill_type(ReduceKernels& table) {
  using namespace functors;
  constexpr int d = dtype_of<T>;
  table.sum.by_dtype[d] = kernel<Fold<Sum, Wide<T>, T>>();
  table.prod.by_dtype[d] = kernel<Fold<Prod, Wide<T>, T>>();
  table.min.by_dtype[d] = kernel<Fold<Min, T, T>>();
  table.max.by_dtype[d] = kernel<Fold<Max, T, T>>();
  table.argmin.by_dtype[d] = kernel<FoldPosition<Min, T>>();
  table.argmax.by_dtype[d] = kernel<FoldPosition<Max, T>>();
  table.total[d] = finish<Total, Wide<T>, T>;
  table.extreme[d] = finish<Total, T, T>;
  table.equal[d] = equal<T>;
  if constexpr (std::is_floating_point_v<T>) {
    table.moments.by_dtype[d] = kernel<FoldMoments<T>>();
    table.count_nonzero.by_dtype[d] = kernel<Fold<CountNonZero, double, T>>();
    table.sum_magnitudes.by_dtype[d] = kernel<Fold<SumMagnitudes, double, T>>();
    table.sum_squares.by_dtype[d] = kernel<Fold<SumSquares, double, T>>();
    table.sum_powers.by_dtype[d] = kernel<Fold<SumPowers, double, T>>();
    table.max_magnitude.by_dtype[d] = kernel<Fold<MaxMagnitude, double, T>>();
    table.min_magnitude.by_dtype[d] = kernel<Fold<MinMagnitude, double, T>>();
    table.mean[d] = finish<Mean, double, T>;
    table.square_root[d] = finish<SquareRoot, double, T>;
    table.root[d] = finish<Root, double, T>;
    table.variance[d] = finish_moments<Variance, T>;
    table.deviation[d] = finish_moments<Deviation, T>;
  }
}

}  // namespace

void fill(ReduceKernels& table) {
  [&]<class... T>(TypeSet<T...>) { (fill_type<T>(table), ...); }(ComputeTypes{});
}

}  // namespace th::cpu::TH_ISA
