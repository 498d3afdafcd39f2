// Contracting a * b + c would change the last bit between instruction sets, so it is off in this
// file whatever the build's flags are. Where Torch7's sequences want it, it is written out.
#if defined(__clang__)
#pragma clang fp contract(off)
#elif defined(__GNUC__)
#pragma GCC optimize("O3", "fp-contract=off", "no-trapping-math")
#endif

#include "core/random/generator_kernels.h"

#include <bit>
#include <cmath>

namespace th::generator_kernels {
namespace {

#define TH_INLINE [[gnu::always_inline]] inline

constexpr int kWords = 624;
constexpr int kMiddle = 397;

TH_INLINE uint32_t twist(uint32_t u, uint32_t v) {
  return (((u & 0x80000000u) | (v & 0x7fffffffu)) >> 1) ^ (-(v & 1u) & 0x9908b0dfu);
}

TH_INLINE void twist_loop(uint32_t* words) {
  // Each loop reads at least 227 words away from what it writes, so its steps are independent.
  constexpr int gap = kWords - kMiddle;
  for (int i = 0; i < gap; ++i) {
    words[i] = words[i + kMiddle] ^ twist(words[i], words[i + 1]);
  }
  for (int i = gap; i < kWords - 1; ++i) {
    words[i] = words[i - gap] ^ twist(words[i], words[i + 1]);
  }
  words[kWords - 1] = words[kMiddle - 1] ^ twist(words[kWords - 1], words[0]);
}

TH_INLINE void temper_loop(const uint32_t* words, uint32_t* outputs) {
  for (int i = 0; i < kWords; ++i) {
    uint32_t y = words[i];
    y ^= y >> 11;
    y ^= (y << 7) & 0x9d2c5680u;
    y ^= (y << 15) & 0xefc60000u;
    outputs[i] = y ^ (y >> 18);
  }
}

/// Exact for every r. Set into the mantissa of 2^52, because SSE and AVX2 convert signed ints only.
TH_INLINE double to_double(uint32_t r) {
  return std::bit_cast<double>(0x4330000000000000ull | r) - 0x1p52;
}

template <class T>
TH_INLINE void uniform_loop(const uint32_t* r, T* out, int n, double a, double b) {
  const double width = b - a;
  for (int i = 0; i < n; ++i) {
    out[i] = T(__builtin_fma(to_double(r[i]) * 0x1p-32, width, a));
  }
}

template <class T>
TH_INLINE void bernoulli_loop(const uint32_t* r, T* out, int n, uint32_t last) {
  for (int i = 0; i < n; ++i) {
    out[i] = r[i] <= last ? T(1) : T(0);
  }
}

/// ln x for normal x > 0 to about one unit in the last place, the relative precision holding also
/// near 1. fdlibm's method and coefficients (Sun Microsystems, 1993): x = 2^k (1 + f), ln(1 + f) =
/// 2 atanh(f / (2 + f)) by a polynomial, k ln 2 in two parts.
TH_INLINE double log_of(double x) {
  constexpr uint64_t sqrt_half = 0x3fe6a09e667f3bcdull;
  const uint64_t bits = std::bit_cast<uint64_t>(x);
  // k = floor(log2(x / sqrt(1/2))) as a double, by the magic number that keeps small integers in
  // the low bits (there is no packed int64 to double before AVX-512).
  const uint64_t biased = (bits - sqrt_half + (uint64_t(1023) << 52)) >> 52;  // k + 1023
  const double k = std::bit_cast<double>(0x4330000000000000ull | biased) - (0x1p52 + 1023);
  const double f = std::bit_cast<double>(bits - ((biased - 1023) << 52)) - 1;
  const double s = f / (2 + f);
  const double z = s * s;
  // Minimax for (2 atanh(s) - 2 s) / s: near 2/3 z + 2/5 z^2 + 2/7 z^3 + ...
  const double w =
      z * (0x1.5555555555593p-1 +
           z * (0x1.999999997fa04p-2 +
                z * (0x1.2492494229359p-2 +
                     z * (0x1.c71c51d8e78afp-3 +
                          z * (0x1.7466496cb03dep-3 +
                               z * (0x1.39a09d078c69fp-3 + z * 0x1.2f112df3e5244p-3))))));
  const double half_square = 0.5 * f * f;
  constexpr double ln2_high = 0x1.62e42feep-1, ln2_low = 0x1.a39ef35793c76p-33;
  return k * ln2_high - ((half_square - (s * (half_square + w) + k * ln2_low)) - f);
}

/// sqrt(x) for x >= 0 to a few units in the last place: Newton's steps towards 1 / sqrt(x). A call
/// of sqrt may set errno, which keeps loops from being vectorised unless the whole build says no.
TH_INLINE double sqrt_of(double x) {
  double y = std::bit_cast<double>(0x5fe6eb50c7b537a9ull - (std::bit_cast<uint64_t>(x) >> 1));
  for (int step = 0; step < 4; ++step) {  // relative errors: 3e-2, 2e-3, 5e-6, 3e-11, 1e-16
    y = y * (1.5 - 0.5 * x * y * y);
  }
  return x * y;
}

struct SinCos {
  double sin, cos;
};

/// sin and cos of 0 <= x <= 2 pi to about one unit in the last place, also by fdlibm's method: x =
/// q pi/2 + r in three parts, then polynomials on |r| <= pi/4.
TH_INLINE SinCos sin_cos_of(double x) {
  constexpr double magic = 0x1.8p52;
  const double shifted = x * 0x1.45f306dc9c883p-1 + magic;  // 2 / pi
  const uint64_t quadrant = std::bit_cast<uint64_t>(shifted);
  const double q = shifted - magic;
  constexpr double high = 0x1.921fb544p+0, middle = 0x1.0b4611a6p-34, low = 0x1.3198a2e037073p-69;
  const double first = x - q * high;
  const double second = first - q * middle;
  const double lost = (first - second) - q * middle;
  const double r = second - (q * low - lost);
  const double z = r * r;
  const double s =
      r + r * z *
              (-0x1.5555555555549p-3 +
               z * (0x1.111111110f8a6p-7 +
                    z * (-0x1.a01a019c161d5p-13 +
                         z * (0x1.71de357b1fe7dp-19 +
                              z * (-0x1.ae5e68a2b9cebp-26 + z * 0x1.5d93a5acfd57cp-33)))));
  const double tail = z * z *
                      (0x1.555555555554cp-5 +
                       z * (-0x1.6c16c16c15177p-10 +
                            z * (0x1.a01a019cb159p-16 +
                                 z * (-0x1.27e4f809c52adp-22 +
                                      z * (0x1.1ee9ebdb4b1c4p-29 + z * -0x1.8fae9be8838d4p-37)))));
  const double half = 0.5 * z;
  const double one_minus = 1 - half;
  const double c = one_minus + (((1 - one_minus) - half) + tail);
  // Quadrants 1 and 3 exchange sine and cosine; the sign of sine turns in 2 and 3, of cosine in 1
  // and 2. Done on bits, so that it vectorises without branches.
  const uint64_t exchange = -(quadrant & 1);
  const uint64_t s_bits = std::bit_cast<uint64_t>(s), c_bits = std::bit_cast<uint64_t>(c);
  const uint64_t sine = (s_bits & ~exchange) | (c_bits & exchange);
  const uint64_t cosine = (c_bits & ~exchange) | (s_bits & exchange);
  return {std::bit_cast<double>(sine ^ ((quadrant & 2) << 62)),
          std::bit_cast<double>(cosine ^ (((quadrant + 1) & 2) << 62))};
}

/// A generous bound, relative, for products of the functions above against those of a good libm.
constexpr double kTolerance = 0x1p-47;

/// Whether every value within the error of v rounds to the same float.
TH_INLINE uint32_t doubtful_float(double product, double v) {
  const double error = std::fabs(product) * kTolerance + std::fabs(v) * 0x1p-51;
  const auto below = std::bit_cast<uint32_t>(float(v - error));
  const auto above = std::bit_cast<uint32_t>(float(v + error));
  return below ^ above;
}

TH_INLINE bool normal_loop(const uint32_t* r, float* out, uint32_t* doubtful, int pairs,
                           double mean, double stdv) {
  // Passes over small arrays instead of one loop: each vectorises by itself.
  double cosines[kMaxPairs], sines[kMaxPairs];
  for (int i = 0; i < pairs; ++i) {
    const double u1 = to_double(r[2 * i]) * 0x1p-32, u2 = to_double(r[2 * i + 1]) * 0x1p-32;
    const double rho = sqrt_of(-2 * log_of(1 - u2));
    const SinCos sc = sin_cos_of(2 * M_PI * u1);
    cosines[i] = rho * sc.cos;
    sines[i] = rho * sc.sin;
  }
  uint32_t any = 0;
  for (int i = 0; i < pairs; ++i) {
    const double first = __builtin_fma(cosines[i], stdv, mean);
    const double second = __builtin_fma(sines[i], stdv, mean);
    out[2 * i] = float(first);
    out[2 * i + 1] = float(second);
    doubtful[2 * i] = doubtful_float(cosines[i] * stdv, first);
    doubtful[2 * i + 1] = doubtful_float(sines[i] * stdv, second);
    any |= doubtful[2 * i] | doubtful[2 * i + 1];
  }
  return any != 0;
}

// The same loops, once per instruction set.
#define TH_KERNELS(SET, ...)                                                                   \
  namespace SET {                                                                              \
  __VA_ARGS__ void twist_all(uint32_t* words) { twist_loop(words); }                           \
  __VA_ARGS__ void temper(const uint32_t* words, uint32_t* outputs) {                          \
    temper_loop(words, outputs);                                                               \
  }                                                                                            \
  __VA_ARGS__ void uniform_float(const uint32_t* r, float* out, int n, double a, double b) {   \
    uniform_loop(r, out, n, a, b);                                                             \
  }                                                                                            \
  __VA_ARGS__ void uniform_double(const uint32_t* r, double* out, int n, double a, double b) { \
    uniform_loop(r, out, n, a, b);                                                             \
  }                                                                                            \
  __VA_ARGS__ void bernoulli_byte(const uint32_t* r, uint8_t* out, int n, uint32_t last) {     \
    bernoulli_loop(r, out, n, last);                                                           \
  }                                                                                            \
  __VA_ARGS__ void bernoulli_float(const uint32_t* r, float* out, int n, uint32_t last) {      \
    bernoulli_loop(r, out, n, last);                                                           \
  }                                                                                            \
  __VA_ARGS__ void bernoulli_double(const uint32_t* r, double* out, int n, uint32_t last) {    \
    bernoulli_loop(r, out, n, last);                                                           \
  }                                                                                            \
  __VA_ARGS__ bool normal_float(const uint32_t* r, float* out, uint32_t* doubtful, int pairs,  \
                                double mean, double stdv) {                                    \
    return normal_loop(r, out, doubtful, pairs, mean, stdv);                                   \
  }                                                                                            \
  constexpr Kernels set{twist_all,      temper,          uniform_float,    uniform_double,     \
                        bernoulli_byte, bernoulli_float, bernoulli_double, normal_float};      \
  }

TH_KERNELS(baseline)
#if defined(__x86_64__)
TH_KERNELS(avx2, [[gnu::target("avx2,fma")]])
#if defined(__clang__)
TH_KERNELS(avx512, [[gnu::target("avx512f,avx512dq,avx512vl")]])
#else
TH_KERNELS(avx512, [[gnu::target("avx512f,avx512dq,avx512vl,prefer-vector-width=512")]])
#endif
#endif

}  // namespace

int available(const Kernels* sets[3]) {
  int n = 0;
  sets[n++] = &baseline::set;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    sets[n++] = &avx2::set;
  }
  if (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
    sets[n++] = &avx512::set;
  }
#endif
  return n;
}

const Kernels& kernels() {
  static const Kernels& best = [&]() -> const Kernels& {
    const Kernels* sets[3];
    return *sets[available(sets) - 1];
  }();
  return best;
}

}  // namespace th::generator_kernels
