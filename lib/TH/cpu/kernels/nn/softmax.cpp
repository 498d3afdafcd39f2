#include "cpu/kernels/nn/softmax.h"

#include "cpu/kernels/vectors.h"
#include "functors/math.h"

namespace th::cpu::TH_ISA {
namespace {

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

/// One row; y may be x.
template <bool Log, class T>
[[gnu::always_inline]] inline void one_row(int64_t n, const T* x, T* y) {
  using V = Vector<T>;
  constexpr int lanes = kLanes<T>;
  const auto larger = [](auto a, auto b) __attribute__((always_inline)) { return a > b ? a : b; };
  const int64_t whole = n / lanes * lanes;
  // The last elements, made a vector with some that add nothing to the sum.
  const V end = load_part<T>(x + whole, n - whole, V{} - static_cast<T>(__builtin_inf()));

  V tops = end;
  for (int64_t i = 0; i < whole; i += lanes) {
    tops = larger(load<V>(x + i), tops);
  }
  const T top = fold<T>(tops, larger);
  const V end_power = exp_of_negative(end - top);
  V sums = end_power;
  for (int64_t i = 0; i < whole; i += lanes) {
    const V e = exp_of_negative(load<V>(x + i) - top);
    sums += e;
    if constexpr (!Log) {
      std::memcpy(y + i, &e, sizeof(e));
    }
  }
  const T sum = sum_of<T>(sums);
  const T last = Log ? math::log(sum) : 1 / sum;
  // In this order: x and top may both be large.
  for (int64_t i = 0; i < whole; i += lanes) {
    const V v = Log ? (load<V>(x + i) - top) - last : load<V>(y + i) * last;
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

void set_kernels(SoftmaxKernels& table) {
  fill_row(table.of_float);
  fill_row(table.of_double);
}

}  // namespace th::cpu::TH_ISA
