#include "cpu/kernels/softmax.h"

#include <cstring>
#include <utility>

#include "functors/math.h"

#ifdef __AVX512F__
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
template <class T, int Lanes = kLanes<T>>
using Vector = typename VectorOf<T, Lanes>::type;

[[gnu::always_inline]] inline int32_t bits_of(float x) { return __builtin_bit_cast(int32_t, x); }
[[gnu::always_inline]] inline float float_of(int32_t x) { return __builtin_bit_cast(float, x); }
[[gnu::always_inline]] inline Vector<int32_t> bits_of(Vector<float> x) {
  return (Vector<int32_t>)x;
}
[[gnu::always_inline]] inline Vector<float> float_of(Vector<int32_t> x) { return (Vector<float>)x; }

/// e^x for x <= 0 without calls, for a float or a vector of them: 2^n e^r, |r| <= ln 2 / 2, with
/// Cephes' polynomial for e^r (2 units at most). Below 2^-126 it is 0.
template <class V>
[[gnu::always_inline]] inline V exp_of_negative_floats(V x) {
  constexpr float magic = 12582912.0f;  // 1.5 * 2^23: adding it rounds to an integer
  x = x < -104.0f ? V{} - 104.0f : x;
  const V shifted = x * 1.44269504088896341f + magic;
  const V n = shifted - magic;
  const V r = (x - n * 0.693359375f) + n * 2.12194440e-4f;
  V p = 1.9875691500e-4f * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  const V e = p * (r * r) + r + 1.0f;
  const auto exponent = bits_of(shifted) - (bits_of(magic) - 127);
  const auto scale = (exponent > 0 ? exponent : exponent ^ exponent) << 23;
  return e * float_of(scale);
}

[[gnu::always_inline]] inline float exp_of_negative(float x) { return exp_of_negative_floats(x); }
[[gnu::always_inline]] inline double exp_of_negative(double x) { return math::exp(x); }
[[gnu::always_inline]] inline Vector<float> exp_of_negative(Vector<float> x) {
  return exp_of_negative_floats(x);
}
[[gnu::always_inline]] inline Vector<double> exp_of_negative(Vector<double> x) {
  Vector<double> y;
  double lanes[kLanes<double>];
  std::memcpy(lanes, &x, sizeof(x));
#pragma omp simd
  for (int i = 0; i < kLanes<double>; ++i) {
    lanes[i] = math::exp(lanes[i]);
  }
  std::memcpy(&y, lanes, sizeof(y));
  return y;
}

/// op over the lanes of v, halves against halves.
template <class T, int Lanes, class Op, int... I>
[[gnu::always_inline]] inline T fold(Vector<T, Lanes> v,
                                     const Op& op,
                                     std::integer_sequence<int, I...>) {
  if constexpr (Lanes == 2) {
    return op(v[0], v[1]);
  } else {
    const Vector<T, Lanes / 2> low = __builtin_shufflevector(v, v, I...);
    const Vector<T, Lanes / 2> high = __builtin_shufflevector(v, v, (Lanes / 2 + I)...);
    return fold<T, Lanes / 2>(op(low, high), op, std::make_integer_sequence<int, Lanes / 4>{});
  }
}

/// The first `count` lanes from memory, the others from `fill`; and back.
template <class T>
[[gnu::always_inline]] inline Vector<T> load_part(const T* p, int64_t count, Vector<T> fill) {
#ifdef __AVX512F__
  const auto mask = static_cast<uint32_t>((1u << count) - 1);
  if constexpr (sizeof(T) == 4) {
    return (Vector<T>)_mm512_mask_loadu_ps((__m512)fill, static_cast<__mmask16>(mask), p);
  } else {
    return (Vector<T>)_mm512_mask_loadu_pd((__m512d)fill, static_cast<__mmask8>(mask), p);
  }
#else
  std::memcpy(&fill, p, static_cast<size_t>(count) * sizeof(T));
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
#else
  std::memcpy(p, &v, static_cast<size_t>(count) * sizeof(T));
#endif
}

/// One row; y may be x.
template <bool Log, class T>
[[gnu::always_inline]] inline void one_row(int64_t n, const T* x, T* y) {
  using V = Vector<T>;
  constexpr int lanes = kLanes<T>;
  using Half = std::make_integer_sequence<int, lanes / 2>;
  const auto get = [](const T* p) __attribute__((always_inline)) {
    V v;
    std::memcpy(&v, p, sizeof(v));
    return v;
  };
  const auto larger = [](auto a, auto b) __attribute__((always_inline)) { return a > b ? a : b; };
  const auto plus = [](auto a, auto b) __attribute__((always_inline)) { return a + b; };
  const int64_t whole = n / lanes * lanes;
  // The last elements, made a vector with some that add nothing to the sum.
  const V end = load_part<T>(x + whole, n - whole, V{} - static_cast<T>(__builtin_inf()));

  V tops = end;
  for (int64_t i = 0; i < whole; i += lanes) {
    tops = larger(get(x + i), tops);
  }
  const T top = fold<T, lanes>(tops, larger, Half{});
  const V end_power = exp_of_negative(end - top);
  V sums = end_power;
  for (int64_t i = 0; i < whole; i += lanes) {
    const V e = exp_of_negative(get(x + i) - top);
    sums += e;
    if constexpr (!Log) {
      std::memcpy(y + i, &e, sizeof(e));
    }
  }
  const T sum = fold<T, lanes>(sums, plus, Half{});
  const T last = Log ? math::log(sum) : 1 / sum;
  // In this order: x and top may both be large.
  for (int64_t i = 0; i < whole; i += lanes) {
    const V v = Log ? (get(x + i) - top) - last : get(y + i) * last;
    std::memcpy(y + i, &v, sizeof(v));
  }
  const V v = Log ? (end - top) - last : end_power * last;
  store_part<T>(y + whole, n - whole, v);
}

template <bool Log, class T>
void rows(int64_t count, int64_t n, const T* x, T* y) {
  for (int64_t row = 0; row < count; ++row) {
    one_row<Log>(n, x + row * n, y + row * n);
  }
}

template <bool Log, class T>
void columns(int64_t n, int64_t count, int64_t stride, const T* x, T* y) {
  T top[kSoftmaxColumns];
  T sum[kSoftmaxColumns];
  for (int64_t j = 0; j < count; ++j) {
    top[j] = x[j];
    sum[j] = 0;
  }
  for (int64_t i = 1; i < n; ++i) {
    for (int64_t j = 0; j < count; ++j) {
      const T v = x[i * stride + j];
      top[j] = v > top[j] ? v : top[j];
    }
  }
  for (int64_t i = 0; i < n; ++i) {
    const T* in = x + i * stride;
    T* out = y + i * stride;
#pragma GCC ivdep
    for (int64_t j = 0; j < count; ++j) {
      const T e = exp_of_negative(in[j] - top[j]);
      sum[j] += e;
      if constexpr (!Log) {
        out[j] = e;
      }
    }
  }
#pragma GCC ivdep
  for (int64_t j = 0; j < count; ++j) {
    sum[j] = Log ? math::log(sum[j]) : 1 / sum[j];
  }
  for (int64_t i = 0; i < n; ++i) {
    const T* in = x + i * stride;
    T* out = y + i * stride;
#pragma GCC ivdep
    for (int64_t j = 0; j < count; ++j) {
      out[j] = Log ? (in[j] - top[j]) - sum[j] : out[j] * sum[j];
    }
  }
}

/// dL/dx_i = y_i (g_i - sum g y) for softmax, g_i - e^y_i sum g for its logarithm.
template <bool Log, class T>
[[gnu::always_inline]] inline T gradient(T g, T y, T sum) {
  return Log ? g - exp_of_negative(y) * sum : y * (g - sum);
}

template <bool Log, class T>
void rows_backward(int64_t count, int64_t n, const T* g, const T* y, T* r) {
  for (int64_t row = 0; row < count; ++row, g += n, y += n, r += n) {
    T sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t i = 0; i < n; ++i) {
      sum += Log ? g[i] : g[i] * y[i];
    }
#pragma GCC ivdep
    for (int64_t i = 0; i < n; ++i) {
      r[i] = gradient<Log>(g[i], y[i], sum);
    }
  }
}

template <bool Log, class T>
void columns_backward(int64_t n, int64_t count, int64_t stride, const T* g, const T* y, T* r) {
  T sum[kSoftmaxColumns] = {};
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < count; ++j) {
      sum[j] += Log ? g[i * stride + j] : g[i * stride + j] * y[i * stride + j];
    }
  }
  for (int64_t i = 0; i < n; ++i) {
#pragma GCC ivdep
    for (int64_t j = 0; j < count; ++j) {
      r[i * stride + j] = gradient<Log>(g[i * stride + j], y[i * stride + j], sum[j]);
    }
  }
}

template <class T>
void fill_row(SoftmaxRow<T>& row) {
  row = {{rows<false, T>, rows<true, T>},
         {columns<false, T>, columns<true, T>},
         {rows_backward<false, T>, rows_backward<true, T>},
         {columns_backward<false, T>, columns_backward<true, T>}};
}

}  // namespace

void fill(SoftmaxKernels& table) {
  fill_row(table.of_float);
  fill_row(table.of_double);
}

}  // namespace th::cpu::TH_ISA
