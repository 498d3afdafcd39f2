#include "cpu/kernels/nn/softmax.h"

#include "cpu/kernels/vectors.h"
#include "functors/math.h"

namespace th::cpu::TH_ISA {
namespace {

[[gnu::always_inline]] inline Vector<int32_t> bits_of(Vector<float> x) {
  return (Vector<int32_t>)x;
}
[[gnu::always_inline]] inline Vector<float> float_of(Vector<int32_t> x) { return (Vector<float>)x; }

/// e^x for x <= 0 without calls: 2^n e^r, |r| <= ln 2 / 2, with
/// Cephes' polynomial for e^r (2 units at most). Below 2^-126 it is 0.
[[gnu::always_inline]] inline Vector<float> exp_of_negative(Vector<float> x) {
  using V = Vector<float>;
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
  const auto exponent = bits_of(shifted) - (__builtin_bit_cast(int32_t, magic) - 127);
  const auto scale = (exponent > 0 ? exponent : exponent ^ exponent) << 23;
  return e * float_of(scale);
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

/// f(k, j, count) for the k-th whole vector of `count` columns, which begins with column j, and for
/// what is left as the first lanes of one more.
template <class T, class F>
[[gnu::always_inline]] inline void each_vector(int64_t count, const F& f) {
  constexpr int64_t lanes = kLanes<T>;
  int64_t j = 0;
  int64_t k = 0;
  for (; j + lanes <= count; j += lanes, ++k) {
    f(k, j, lanes);
  }
  if (j < count) {
    f(k, j, count - j);
  }
}

/// The first `count` lanes, zeros in the others; and back.
template <class T>
[[gnu::always_inline]] inline Vector<T> lanes_from(const T* p, int64_t count) {
  return count == kLanes<T> ? load<Vector<T>>(p) : load_part<T>(p, count);
}
template <class T>
[[gnu::always_inline]] inline void lanes_to(T* p, int64_t count, Vector<T> v) {
  if (count == kLanes<T>) {
    std::memcpy(p, &v, sizeof(v));
  } else {
    store_part<T>(p, count, v);
  }
}

/// The logarithm of each lane.
template <class T>
[[gnu::always_inline]] inline Vector<T> log_of(Vector<T> x) {
  T lanes[kLanes<T>];
  std::memcpy(lanes, &x, sizeof(x));
#pragma omp simd
  for (int i = 0; i < kLanes<T>; ++i) {
    lanes[i] = math::log(lanes[i]);
  }
  return load<Vector<T>>(lanes);
}

/// y may be x.
template <bool Log, class T>
void columns(int64_t n, int64_t count, int64_t stride, const T* x, T* y) {
  using V = Vector<T>;
  constexpr int64_t lanes = kLanes<T>;
  static_assert(kSoftmaxColumns % lanes == 0);
  V top[kSoftmaxColumns / lanes];
  V sum[kSoftmaxColumns / lanes];
  each_vector<T>(count, [&](int64_t k, int64_t j, int64_t part) {
    top[k] = lanes_from<T>(x + j, part);
    sum[k] = V{};
  });
  for (int64_t i = 1; i < n; ++i) {
    each_vector<T>(count, [&](int64_t k, int64_t j, int64_t part) {
      const V v = lanes_from<T>(x + i * stride + j, part);
      top[k] = v > top[k] ? v : top[k];
    });
  }
  for (int64_t i = 0; i < n; ++i) {
    each_vector<T>(count, [&](int64_t k, int64_t j, int64_t part) {
      const V e = exp_of_negative(lanes_from<T>(x + i * stride + j, part) - top[k]);
      sum[k] += e;
      if constexpr (!Log) {
        lanes_to<T>(y + i * stride + j, part, e);
      }
    });
  }
  each_vector<T>(
      count, [&](int64_t k, int64_t, int64_t) { sum[k] = Log ? log_of<T>(sum[k]) : 1 / sum[k]; });
  for (int64_t i = 0; i < n; ++i) {
    each_vector<T>(count, [&](int64_t k, int64_t j, int64_t part) {
      const int64_t at = i * stride + j;
      const V v = Log ? (lanes_from<T>(x + at, part) - top[k]) - sum[k]
                      : lanes_from<T>(y + at, part) * sum[k];
      lanes_to<T>(y + at, part, v);
    });
  }
}

/// dL/dx_i = y_i (g_i - sum g y) for softmax, g_i - e^y_i sum g for its logarithm.
template <bool Log, class V>
[[gnu::always_inline]] inline V gradient(V g, V y, V sum) {
  return Log ? g - exp_of_negative(y) * sum : y * (g - sum);
}

/// r may be g or y.
template <bool Log, class T>
void rows_backward(int64_t count, int64_t n, const T* g, const T* y, T* r) {
  using V = Vector<T>;
  for (int64_t row = 0; row < count; ++row, g += n, y += n, r += n) {
    V sums{};
    each_vector<T>(n, [&](int64_t, int64_t i, int64_t part) {
      const V v = lanes_from<T>(g + i, part);
      sums += Log ? v : v * lanes_from<T>(y + i, part);
    });
    const V sum = V{} + sum_of<T>(sums);
    each_vector<T>(n, [&](int64_t, int64_t i, int64_t part) {
      lanes_to<T>(r + i, part,
                  gradient<Log>(lanes_from<T>(g + i, part), lanes_from<T>(y + i, part), sum));
    });
  }
}

template <bool Log, class T>
void columns_backward(int64_t n, int64_t count, int64_t stride, const T* g, const T* y, T* r) {
  using V = Vector<T>;
  constexpr int64_t lanes = kLanes<T>;
  V sum[kSoftmaxColumns / lanes] = {};
  for (int64_t i = 0; i < n; ++i) {
    each_vector<T>(count, [&](int64_t k, int64_t j, int64_t part) {
      const V v = lanes_from<T>(g + i * stride + j, part);
      sum[k] += Log ? v : v * lanes_from<T>(y + i * stride + j, part);
    });
  }
  for (int64_t i = 0; i < n; ++i) {
    each_vector<T>(count, [&](int64_t k, int64_t j, int64_t part) {
      const int64_t at = i * stride + j;
      lanes_to<T>(r + at, part,
                  gradient<Log>(lanes_from<T>(g + at, part), lanes_from<T>(y + at, part), sum[k]));
    });
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
