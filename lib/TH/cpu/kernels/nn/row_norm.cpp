#include "cpu/kernels/nn/row_norm.h"

#include <cmath>

#include "cpu/kernels/reduce/reduce_row.h"

namespace th::cpu::TH_ISA {
namespace {

template <class T>
void forward(const RowNormForward<T>& a, int64_t first, int64_t last) {
  const int64_t n = a.K * a.P;
  const auto count = static_cast<double>(n);
  for (int64_t row = first; row < last; ++row) {
    const T* x = a.x + (row - a.start) * n;
    T* y = a.y + (row - a.start) * n;
    const T* w = a.weight + row % a.groups * a.K;
    const T* b = a.bias + row % a.groups * a.K;
    const double center = a.centred ? reduce_row<functors::Sum, double>(x, n, 0) / count : 0;
    const double squares = reduce_row<functors::SumSquaredDeviations, double>(x, n, center);
    const T mean = static_cast<T>(center);
    const T inverse = static_cast<T>(1 / std::sqrt(squares / count + a.eps));
    a.mean[row] = mean;
    a.inverse[row] = inverse;
    if (a.P == 1) {
#pragma omp simd
      for (int64_t i = 0; i < n; ++i) {
        y[i] = (x[i] - mean) * inverse * w[i] + b[i];
      }
      continue;
    }
    for (int64_t k = 0; k < a.K; ++k, x += a.P, y += a.P) {
      const T scale = inverse * w[k];
      const T shift = b[k];
#pragma omp simd
      for (int64_t i = 0; i < a.P; ++i) {
        y[i] = (x[i] - mean) * scale + shift;
      }
    }
  }
}

/// Sums of g and of g (x - mean), each times w(i); in parts, so that long sums stay exact.
template <class T, class Weight>
[[gnu::always_inline]] inline void add_up(int64_t n, const T* g, const T* x, T mean,
                                          const Weight& w, double* sum, double* product) {
  constexpr int64_t kPart = 2048;
  for (int64_t begin = 0; begin < n; begin += kPart) {
    const int64_t end = n - begin < kPart ? n : begin + kPart;
    T s = 0;
    T p = 0;
#pragma omp simd reduction(+ : s, p)
    for (int64_t i = begin; i < end; ++i) {
      const T weighted = g[i] * w(i);
      s += weighted;
      p += weighted * (x[i] - mean);
    }
    *sum += static_cast<double>(s);
    *product += static_cast<double>(p);
  }
}

template <class T>
void backward(const RowNormBackward<T>& a, int64_t first, int64_t last, T* to_weight, T* to_bias) {
  const int64_t n = a.K * a.P;
  const auto count = static_cast<double>(n);
  const bool wanted = to_weight != nullptr;
  for (int64_t row = first; row < last; ++row) {
    const T* g = a.g + (row - a.start) * n;
    const T* x = a.x + (row - a.start) * n;
    const int64_t group = row % a.groups;
    const T* w = a.weight + group * a.K;
    const int64_t at = (group - first % a.groups) * a.K;
    T* tw = wanted ? to_weight + at : nullptr;
    T* tb = wanted ? to_bias + at : nullptr;
    const T mean = a.mean[row];
    const T inverse = a.inverse[row];
    double sum = 0;
    double product = 0;
    if (a.P == 1) {
      if (a.r != nullptr) {
        add_up(
            n, g, x, mean, [=](int64_t i) __attribute__((always_inline)) { return w[i]; }, &sum,
            &product);
      }
      if (wanted) {
#pragma omp simd
        for (int64_t i = 0; i < n; ++i) {
          tw[i] += g[i] * (x[i] - mean) * inverse;
          tb[i] += g[i];
        }
      }
    } else {
      for (int64_t k = 0; k < a.K; ++k) {
        double s = 0;
        double p = 0;
        add_up(
            a.P, g + k * a.P, x + k * a.P, mean,
            [](int64_t) __attribute__((always_inline)) { return T(1); }, &s, &p);
        sum += s * static_cast<double>(w[k]);
        product += p * static_cast<double>(w[k]);
        if (wanted) {
          tw[k] += static_cast<T>(p * static_cast<double>(inverse));
          tb[k] += static_cast<T>(s);
        }
      }
    }
    if (a.r == nullptr) {
      continue;
    }
    T* r = a.r + (row - a.start) * n;
    const double square = static_cast<double>(inverse) * static_cast<double>(inverse);
    const T shift = static_cast<T>(a.centred ? sum / count : 0);
    const T slope = static_cast<T>(product / count * square);
    if (a.P == 1) {
#pragma omp simd
      for (int64_t i = 0; i < n; ++i) {
        r[i] = (g[i] * w[i] - shift - (x[i] - mean) * slope) * inverse;
      }
      continue;
    }
    for (int64_t k = 0; k < a.K; ++k, g += a.P, x += a.P, r += a.P) {
      const T weight = w[k];
#pragma omp simd
      for (int64_t i = 0; i < a.P; ++i) {
        r[i] = (g[i] * weight - shift - (x[i] - mean) * slope) * inverse;
      }
    }
  }
}

}  // namespace

void set_kernels(RowNormKernels& table) {
  table.of_float = {forward<float>, backward<float>};
  table.of_double = {forward<double>, backward<double>};
}

}  // namespace th::cpu::TH_ISA
