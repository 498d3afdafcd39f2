// One contiguous row into one accumulator. Part of kernels/reduce.cpp.
#pragma once

#include <cstdint>
#include <cstring>

#include "cpu/kernels/prefetch.h"
#include "cpu/kernels/reduce/reduce.h"
#include "cpu/kernels/vectors.h"
#include "functors/reduce.h"

namespace th::cpu::TH_ISA {
namespace {

#define TH_INLINE [[gnu::always_inline]] inline

/// As many accumulators A as fit into a vector register, and as many elements T.
template <class A, class T>
struct Lanes {
  static constexpr int count = kVectorBytes / static_cast<int>(sizeof(A));
  using Acc [[gnu::vector_size(count * sizeof(A))]] = A;
  using Elements [[gnu::vector_size(count * sizeof(T)), gnu::aligned(alignof(T)), gnu::may_alias]] =
      T;

  TH_INLINE static Acc load(const T* x) {
    if constexpr (std::is_same_v<A, double> && std::is_same_v<T, float>) {
      return widen<count>(cpu::TH_ISA::load<Vector<float, count>>(x));
    } else {
      return __builtin_convertvector(*reinterpret_cast<const Elements*>(x), Acc);
    }
  }
};

/// The 16-bit types, as floats.
template <>
struct Lanes<float, Half> {
  static constexpr int count = kLanes<float>;
  using Acc = Vector<float>;

  TH_INLINE static Acc load(const Half* x) {
#if defined(__AVX512F__)
    return (Acc)_mm512_maskz_cvtph_ps(
        0xffff, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(x)));  // all lanes
#elif defined(__F16C__)
    return (Acc)_mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(x)));
#else
    Acc v{};
    for (int i = 0; i < count; ++i) {
      v[i] = static_cast<float>(x[i]);
    }
    return v;
#endif
  }
};

template <>
struct Lanes<float, BFloat16> {
  static constexpr int count = kLanes<float>;
  using Acc = Vector<float>;

  TH_INLINE static Acc load(const BFloat16* x) {
    using Halves = Vector<uint16_t, count>;
    using Words = Vector<uint32_t, count>;
    return (Acc)(__builtin_convertvector(cpu::TH_ISA::load<Halves>(x), Words) << 16);
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
        if (k * L::count * static_cast<int>(sizeof(T)) % 64 == 0) {
          prefetch_ahead(x + i + k * L::count);
        }
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

/// x[i] = Op::map(x[i]) for n numbers, and for what fills up the last vector of the memory that x
/// has: so the compiler calls the vector form of pow for all of them. That and the form for one
/// number differ in the last bits.
template <class Op>
TH_INLINE void map_lanes(double* x, int64_t n, double p) {
  constexpr int lanes = kLanes<double>;
  int64_t i = n;
  for (; i % lanes != 0; ++i) {
    x[i] = 1;
  }
  for (int64_t begin = 0; begin < i; begin += lanes) {
#pragma omp simd
    for (int k = 0; k < lanes; ++k) {
      x[begin + k] = Op::map(x[begin + k], p);
    }
  }
}

template <class Op, class A, class T>
TH_INLINE A reduce_row(const T* x, int64_t n, double p) {
  if constexpr (std::is_integral_v<T>) {
    return reduce_integers<Op, A>(x, n, p);
  } else if constexpr (std::is_same_v<Op, functors::SumPowers>) {
    // Powers go block by block through a buffer; see map_lanes.
    constexpr int64_t kBlock = 256;
    double powers[kBlock];
    double total = 0;
    for (int64_t begin = 0; begin < n; begin += kBlock) {
      const int64_t count = n - begin < kBlock ? n - begin : kBlock;
      for (int64_t i = 0; i < count; ++i) {
        powers[i] = static_cast<double>(x[begin + i]);
      }
      map_lanes<Op>(powers, count, p);
      total += reduce_floating<functors::Sum, double>(powers, count, 0);
    }
    return total;
  } else {
    return reduce_floating<Op, A>(x, n, p);
  }
}

}  // namespace
}  // namespace th::cpu::TH_ISA
