// Results of 16 bits: computed in float, some at a time, and rounded while a first-level cache has
// them.
#pragma once

#include <cstdint>
#include <type_traits>

#include "core/runtime/cpu_isa.h"
#include "cpu/kernels/pairs.h"
#include "functors/numeric.h"

namespace th::cpu::TH_ISA {
namespace {

/// r[i] = x[i]; what has fewer bits is rounded to nearest, ties to even.
template <class To, class From>
[[gnu::always_inline]] inline void convert_each(To* r, const From* x, int64_t n) {
#pragma GCC ivdep
  for (int64_t i = 0; i < n; ++i) {
    r[i] = convert<To>(x[i]);
  }
}

#if defined(__AVX512F__) && defined(__x86_64__)
#define TH_ROUNDS_BY_PAIRS
/// The same by an instruction, where has_fast_pairs(): it makes zeros of denormals, which are rare
/// enough to be looked for.
[[gnu::always_inline]] inline void round_by_pairs(BFloat16* r, const float* x, int64_t n) {
  constexpr int kDenormal = 0x20;
  int64_t i = 0;
  for (; i + 32 <= n; i += 32) {
    const auto first = load<Vector<float>>(x + i), second = load<Vector<float>>(x + i + 16);
    if ((_mm512_fpclass_ps_mask((__m512)first, kDenormal) |
         _mm512_fpclass_ps_mask((__m512)second, kDenormal)) == 0) [[likely]] {
      const __m512i both = rounded(first, second);
      std::memcpy(r + i, &both, sizeof(both));
    } else {
      convert_each(r + i, x + i, 32);
    }
  }
  convert_each(r + i, x + i, n - i);
}
#endif

inline void round_all(BFloat16* r, const float* x, int64_t n) {
#ifdef TH_ROUNDS_BY_PAIRS
  static const bool by_pairs = has_fast_pairs();
  if (by_pairs) {
    round_by_pairs(r, x, n);
    return;
  }
#endif
  convert_each(r, x, n);
}

/// f(to, begin, end) for parts of n results, whose elements [begin, end) it writes to `to`: where
/// they lie, or, of 16 bits, where they are rounded from.
template <class T, class F>
[[gnu::always_inline]] inline void rounded_parts(T* r, int64_t n, const F& f) {
  if constexpr (is_half_type<T>) {
    constexpr int64_t kPart = 256;
    alignas(64) float part[kPart];
    int64_t begin = 0;
    for (; begin + kPart <= n; begin += kPart) {
      f(part, begin, begin + kPart);
      round_all(r + begin, part, kPart);
    }
    if (begin < n) {
      f(part, begin, n);
      round_all(r + begin, part, n - begin);
    }
  } else {
    f(r, int64_t{0}, n);
  }
}

}  // namespace
}  // namespace th::cpu::TH_ISA
