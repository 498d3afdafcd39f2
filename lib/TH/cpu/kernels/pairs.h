// Vectors of bfloat16 by avx512_bf16, for kernels that has_fast_pairs() chooses. Instructions are
// written out, because the compiler knows them only where it may make bfloat16 of its own:
// x86-64-v4 is without.
#pragma once

#include <cstdint>

#include "cpu/kernels/vectors.h"
#include "functors/numeric.h"

namespace th::cpu::TH_ISA {
namespace {

#if defined(__AVX512F__) && defined(__x86_64__)
constexpr bool kHasPairs = true;

/// sum + x[0] y[0] + x[1] y[1], rounded after each of the sums.
[[gnu::always_inline]] inline void add_pair(Vector<float>& sum, Vector<float> x, float y) {
  asm("vdpbf16ps %2, %1, %0" : "+v"(sum) : "v"(x), "v"(_mm512_set1_ps(y)));
}

/// Rounded to nearest, ties to even; denormals are zeros.
[[gnu::always_inline]] inline __m256i rounded(Vector<float> x) {
  __m256i r;
  asm("vcvtneps2bf16 %1, %0" : "=v"(r) : "v"(x));
  return r;
}

/// Both rounded, the second one's lanes behind the first one's.
[[gnu::always_inline]] inline __m512i rounded(Vector<float> first, Vector<float> second) {
  __m512i r;
  asm("vcvtne2ps2bf16 %1, %2, %0" : "=v"(r) : "v"(first), "v"(second));
  return r;
}

/// Both rounded, the first one's lanes in the lower halves.
[[gnu::always_inline]] inline Vector<float> paired(Vector<float> first, Vector<float> second) {
  constexpr auto side_by_side = []<int... I>(std::integer_sequence<int, I...>) {
    typedef int16_t Words __attribute__((vector_size(64)));
    return Words{(I / 2 + I % 2 * 16)...};
  };
  const auto order = side_by_side(std::make_integer_sequence<int, 32>{});
  return (Vector<float>)_mm512_maskz_permutexvar_epi16(~__mmask32{0}, (__m512i)order,
                                                       rounded(first, second));
}

/// The first `count` of 16 lanes, the others zero; and back.
[[gnu::always_inline]] inline Vector<float> load_to(const BFloat16* p, int64_t count) {
  const __m256i bits = count >= 16
                           ? _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p))
                           : _mm256_maskz_loadu_epi16(static_cast<__mmask16>((1u << count) - 1), p);
  // All lanes: gcc 12 warns of those without a mask.
  const __m512i wide = _mm512_maskz_cvtepu16_epi32(0xffff, bits);
  return (Vector<float>)_mm512_maskz_slli_epi32(0xffff, wide, 16);
}
[[gnu::always_inline]] inline void store_to(BFloat16* p, int64_t count, Vector<float> v) {
  if (count >= 16) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), rounded(v));
  } else {
    _mm256_mask_storeu_epi16(p, static_cast<__mmask16>((1u << count) - 1), rounded(v));
  }
}
#else
constexpr bool kHasPairs = false;
#endif

}  // namespace
}  // namespace th::cpu::TH_ISA
