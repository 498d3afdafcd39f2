// Vectors of the instruction set that a kernel is compiled for, in the compiler's own notation.
#pragma once

#include <cstdint>
#include <cstring>
#include <utility>

#ifdef __AVX__
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

template <class T>
constexpr int kLanes = kVectorBytes / static_cast<int>(sizeof(T));

template <class T, int Lanes>
struct VectorOf {
  typedef T type __attribute__((vector_size(Lanes * sizeof(T))));
};
template <class T>
struct VectorOf<T, 1> {
  using type = T;
};
template <class T, int Lanes = kLanes<T>>
using Vector = typename VectorOf<T, Lanes>::type;

template <class V, class T>
[[gnu::always_inline]] inline V load(const T* p) {
  V v;
  std::memcpy(&v, p, sizeof(V));
  return v;
}

#if defined(__AVX2__) && !defined(__AVX512F__)
/// All bits of the first `count` lanes.
template <class T>
[[gnu::always_inline]] inline __m256i first_lanes(int64_t count) {
  if constexpr (sizeof(T) == 4) {
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(count)),
                              _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
  } else {
    return _mm256_cmpgt_epi64(_mm256_set1_epi64x(count), _mm256_setr_epi64x(0, 1, 2, 3));
  }
}
#elif !defined(__AVX512F__)
/// memcpy of at most a vector, without a call.
static_assert(kVectorBytes == 16);
template <class T>
[[gnu::always_inline]] inline void copy_part(void* to, const void* from, int64_t count) {
  auto* r = static_cast<char*>(to);
  const auto* x = static_cast<const char*>(from);
  if (count == kLanes<T>) {
    std::memcpy(r, x, kVectorBytes);
    return;
  }
  if (count & (8 / static_cast<int64_t>(sizeof(T)))) {
    std::memcpy(r, x, 8);
    r += 8;
    x += 8;
  }
  if constexpr (sizeof(T) == 4) {
    if (count & 1) {
      std::memcpy(r, x, 4);
    }
  }
}
#endif

/// The first `count` <= Lanes lanes from memory, the others zero, or from `fill`; and back.
template <class T>
[[gnu::always_inline]] inline Vector<T> load_part(const T* p, int64_t count) {
#ifdef __AVX512F__
  const auto mask = static_cast<uint32_t>((1u << count) - 1);
  if constexpr (sizeof(T) == 4) {
    return (Vector<T>)_mm512_maskz_loadu_ps(static_cast<__mmask16>(mask), p);
  } else {
    return (Vector<T>)_mm512_maskz_loadu_pd(static_cast<__mmask8>(mask), p);
  }
#elif defined(__AVX2__)
  if constexpr (sizeof(T) == 4) {
    return (Vector<T>)_mm256_maskload_ps(p, first_lanes<T>(count));
  } else {
    return (Vector<T>)_mm256_maskload_pd(p, first_lanes<T>(count));
  }
#else
  Vector<T> lanes{};
  copy_part<T>(&lanes, p, count);
  return lanes;
#endif
}
template <class T>
[[gnu::always_inline]] inline Vector<T> load_part(const T* p, int64_t count, Vector<T> fill) {
#ifdef __AVX512F__
  const auto mask = static_cast<uint32_t>((1u << count) - 1);
  if constexpr (sizeof(T) == 4) {
    return (Vector<T>)_mm512_mask_loadu_ps((__m512)fill, static_cast<__mmask16>(mask), p);
  } else {
    return (Vector<T>)_mm512_mask_loadu_pd((__m512d)fill, static_cast<__mmask8>(mask), p);
  }
#elif defined(__AVX2__)
  const __m256i mask = first_lanes<T>(count);
  if constexpr (sizeof(T) == 4) {
    return (Vector<T>)_mm256_blendv_ps((__m256)fill, (__m256)load_part<T>(p, count), (__m256)mask);
  } else {
    return (Vector<T>)_mm256_blendv_pd((__m256d)fill, (__m256d)load_part<T>(p, count),
                                       (__m256d)mask);
  }
#else
  copy_part<T>(&fill, p, count);
  return fill;
#endif
}
template <class T>
[[gnu::always_inline]] inline void store_part(T* p, int64_t count, Vector<T> v) {
#ifdef __AVX512F__
  const auto mask = static_cast<uint32_t>((1u << count) - 1);
  if constexpr (sizeof(T) == 4) {
    _mm512_mask_storeu_ps(p, static_cast<__mmask16>(mask), (__m512)v);
  } else {
    _mm512_mask_storeu_pd(p, static_cast<__mmask8>(mask), (__m512d)v);
  }
#elif defined(__AVX2__)
  // By halves: masked stores take processors of AMD's some 20 cycles each.
  if (count == kLanes<T>) {
    std::memcpy(p, &v, sizeof(v));
    return;
  }
  auto* r = reinterpret_cast<char*>(p);
  __m128 half = _mm256_castps256_ps128((__m256)v);
  if (count & (16 / static_cast<int64_t>(sizeof(T)))) {
    std::memcpy(r, &half, 16);
    r += 16;
    half = _mm256_extractf128_ps((__m256)v, 1);
  }
  if (count & (8 / static_cast<int64_t>(sizeof(T)))) {
    _mm_storel_pi(reinterpret_cast<__m64*>(r), half);
    r += 8;
    half = _mm_movehl_ps(half, half);
  }
  if constexpr (sizeof(T) == 4) {
    if (count & 1) {
      _mm_store_ss(reinterpret_cast<float*>(r), half);
    }
  }
#else
  copy_part<T>(p, &v, count);
#endif
}

/// op over the lanes of v, halves against halves.
template <class T, int Lanes, class Op, int... I>
[[gnu::always_inline]] inline T fold(const Vector<T, Lanes>& v, const Op& op,
                                     std::integer_sequence<int, I...>) {
  if constexpr (Lanes == 2) {
    return op(v[0], v[1]);
  } else {
    const Vector<T, Lanes / 2> low = __builtin_shufflevector(v, v, I...);
    const Vector<T, Lanes / 2> high = __builtin_shufflevector(v, v, (Lanes / 2 + I)...);
    return fold<T, Lanes / 2>(op(low, high), op, std::make_integer_sequence<int, Lanes / 4>{});
  }
}
template <class T, int Lanes = kLanes<T>, class Op>
[[gnu::always_inline]] inline T fold(const Vector<T, Lanes>& v, const Op& op) {
  return fold<T, Lanes>(v, op, std::make_integer_sequence<int, Lanes / 2>{});
}

template <class T, int Lanes = kLanes<T>>
[[gnu::always_inline]] inline T sum_of(const Vector<T, Lanes>& v) {
  return fold<T, Lanes>(
      v, [](auto a, auto b) __attribute__((always_inline)) { return a + b; });
}

/// Floats as doubles. What gcc 12 makes of a widening __builtin_convertvector takes three times as
/// long.
template <int Lanes>
[[gnu::always_inline]] inline Vector<double, Lanes> widen(const Vector<float, Lanes>& v) {
#ifdef __AVX512F__
  if constexpr (Lanes == 8) {
    return (Vector<double, 8>)_mm512_maskz_cvtps_pd(0xff, (__m256)v);  // all lanes
  }
#endif
#ifdef __AVX__
  if constexpr (Lanes == 4) {
    return (Vector<double, 4>)_mm256_cvtps_pd((__m128)v);
  }
#endif
  return __builtin_convertvector(v, Vector<double, Lanes>);
}

/// Half of the lanes of u and v, in turns of `Unit` lanes: those of the lower or upper halves of
/// blocks of `Block` lanes.
template <class V, int Block, int Unit, int First, int Lanes, int... I>
[[gnu::always_inline]] inline V in_turns(const V& u, const V& v, std::integer_sequence<int, I...>) {
  return __builtin_shufflevector(u, v,
                                 (I / Unit % 2 * Lanes + I / Block * Block + First * Block / 2 +
                                  I % Block / (2 * Unit) * Unit + I % Unit)...);
}
/// Lanes in turns of `Unit` are sums of u's and of v's.
template <class T, int Block, int Unit>
[[gnu::always_inline]] inline Vector<T> joined(const Vector<T>& u, const Vector<T>& v) {
  using Indices = std::make_integer_sequence<int, kLanes<T>>;
  return in_turns<Vector<T>, Block, Unit, 0, kLanes<T>>(u, v, Indices{}) +
         in_turns<Vector<T>, Block, Unit, 1, kLanes<T>>(u, v, Indices{});
}

/// totals[i]: the sum of rows[i]'s lanes. Of four rows together, within blocks that processors
/// shuffle at once, it takes half of the instructions.
template <class T, int Rows>
[[gnu::always_inline]] inline void totals_of(const Vector<T>* rows, T* totals) {
  constexpr int kOnce = 16 / static_cast<int>(sizeof(T));
  if constexpr (Rows == 4 && kLanes<T> >= 4) {
    const Vector<T> all = joined<T, 4, 2>(joined<T, kOnce, 1>(rows[0], rows[1]),
                                          joined<T, kOnce, 1>(rows[2], rows[3]));
    Vector<T, 4> sums;
    if constexpr (kLanes<T> == 4) {
      sums = all;
    } else {
      Vector<T, 4> quarters[kLanes<T> / 4];
      std::memcpy(quarters, &all, sizeof(all));
      sums = quarters[0];
      for (int i = 1; i < kLanes<T> / 4; ++i) {
        sums += quarters[i];
      }
    }
    std::memcpy(totals, &sums, sizeof(sums));
  } else {
    for (int r = 0; r < Rows; ++r) {
      totals[r] = sum_of<T>(rows[r]);
    }
  }
}

}  // namespace
}  // namespace th::cpu::TH_ISA
