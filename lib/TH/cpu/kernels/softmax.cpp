#include "cpu/kernels/softmax.h"

#include "functors/math.h"

namespace th::cpu::TH_ISA {
namespace {

/// e^x for x <= 0, where vector code needs no calls: 2^n e^r, |r| <= ln 2 / 2, and Cephes'
/// polynomial for e^r (2 units at most). Below 2^-126 it is 0.
[[gnu::always_inline]] inline float exp_of_negative(float x) {
  constexpr float magic = 12582912.0f;  // 1.5 * 2^23: adding it rounds to an integer
  x = x < -104.0f ? -104.0f : x;
  const float shifted = x * 1.44269504088896341f + magic;
  const float n = shifted - magic;
  const float r = (x - n * 0.693359375f) + n * 2.12194440e-4f;
  float p = 1.9875691500e-4f;
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  const float e = p * (r * r) + r + 1.0f;
  const int32_t exponent = __builtin_bit_cast(int32_t, shifted) - __builtin_bit_cast(int32_t, magic) + 127;
  const float scale = __builtin_bit_cast(float, (exponent > 0 ? exponent : 0) << 23);
  return e * scale;
}
[[gnu::always_inline]] inline double exp_of_negative(double x) { return math::exp(x); }

template <class T>
T maximum(int64_t n, const T* x) {
  T top = x[0];
#pragma omp simd reduction(max : top)
  for (int64_t i = 0; i < n; ++i) {
    top = x[i] > top ? x[i] : top;
  }
  return top;
}

template <bool Log, class T>
void rows(int64_t count, int64_t n, const T* x, T* y) {
  for (int64_t row = 0; row < count; ++row, x += n, y += n) {
    const T top = maximum(n, x);
    T sum = 0;
    if constexpr (Log) {
#pragma omp simd reduction(+ : sum)
      for (int64_t i = 0; i < n; ++i) {
        sum += exp_of_negative(x[i] - top);
      }
      const T log_sum = math::log(sum);
#pragma GCC ivdep
      for (int64_t i = 0; i < n; ++i) {
        y[i] = (x[i] - top) - log_sum;  // in this order: x and top may both be large
      }
    } else {
#pragma omp simd reduction(+ : sum)
      for (int64_t i = 0; i < n; ++i) {
        y[i] = exp_of_negative(x[i] - top);
        sum += y[i];
      }
      const T scale = 1 / sum;
      for (int64_t i = 0; i < n; ++i) {
        y[i] *= scale;
      }
    }
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
