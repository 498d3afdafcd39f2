#include "cpu/kernels/nn/batch_norm.h"

namespace th::cpu::TH_ISA {
namespace {

/// total[c] += f(offset, c) over all elements of each plane, where c counts from the first plane.
/// Without images (P = 1) a sample's planes lie side by side, otherwise a plane's elements.
template <class F>
[[gnu::always_inline]] inline void add_up(const Planes& p, double* total, const F& f) {
  const int64_t planes = p.last - p.first;
  for (int64_t c = 0; c < planes; ++c) {
    total[c] = 0;
  }
  for (int64_t n = 0; n < p.N; ++n) {
    const int64_t start = (n * p.C + p.first) * p.P;
    if (p.P == 1) {
#pragma omp simd
      for (int64_t c = 0; c < planes; ++c) {
        total[c] += f(start + c, c);
      }
      continue;
    }
    for (int64_t c = 0; c < planes; ++c) {
      double sum = 0;
      const int64_t plane = start + c * p.P;
#pragma omp simd reduction(+ : sum)
      for (int64_t i = 0; i < p.P; ++i) {
        sum += f(plane + i, c);
      }
      total[c] += sum;
    }
  }
}

/// r[offset] = f(offset, numbers(c)), the plane's numbers being looked up once where it is long.
template <class T, class Numbers, class F>
[[gnu::always_inline]] inline void each(const Planes& p, T* r, const Numbers& numbers, const F& f) {
  const int64_t planes = p.last - p.first;
  for (int64_t n = 0; n < p.N; ++n) {
    const int64_t start = (n * p.C + p.first) * p.P;
    if (p.P == 1) {
      for (int64_t c = 0; c < planes; ++c) {
        r[start + c] = f(start + c, numbers(c));
      }
      continue;
    }
    for (int64_t c = 0; c < planes; ++c) {
      const auto own = numbers(c);
      const int64_t plane = start + c * p.P;
#pragma omp simd
      for (int64_t i = 0; i < p.P; ++i) {
        r[plane + i] = f(plane + i, own);
      }
    }
  }
}

template <class T>
void moments(const Planes& p, const T* x, double* mean, double* variance) {
  const double count = static_cast<double>(p.N * p.P);
  const auto scale = [&](double* total) __attribute__((always_inline)) {
    for (int64_t c = 0; c < p.last - p.first; ++c) {
      total[c] /= count;
    }
  };
  add_up(
      p, mean, [=](int64_t i, int64_t) __attribute__((always_inline)) {
        return static_cast<double>(x[i]);
      });
  scale(mean);
  add_up(
      p, variance, [=](int64_t i, int64_t c) __attribute__((always_inline)) {
        const double d = static_cast<double>(x[i]) - mean[c];
        return d * d;
      });
  scale(variance);
}

template <class T>
struct Affine {
  T mean, scale, shift;
};

template <class T>
void normalise(const Planes& p, const T* x, const double* mean, const double* scale,
               const double* shift, T* y) {
  each(
      p, y,
      [=](int64_t c) __attribute__((always_inline)) {
        return Affine<T>{static_cast<T>(mean[c]), static_cast<T>(scale[c]),
                         static_cast<T>(shift[c])};
      },
      [=](int64_t i, const Affine<T>& n)
          __attribute__((always_inline)) { return (x[i] - n.mean) * n.scale + n.shift; });
}

template <class T>
void gradient_sums(const Planes& p, const T* g, const T* x, const double* mean, double* sum,
                   double* product) {
  add_up(
      p, sum, [=](int64_t i, int64_t) __attribute__((always_inline)) {
        return static_cast<double>(g[i]);
      });
  add_up(
      p, product, [=](int64_t i, int64_t c) __attribute__((always_inline)) {
        return static_cast<double>(g[i]) * (static_cast<double>(x[i]) - mean[c]);
      });
}

template <class T>
struct Slope {
  T mean, a, b, k;
};

template <class T>
void gradient(const Planes& p, const T* g, const T* x, const PlaneGradient& f, T* r) {
  each(
      p, r,
      [=](int64_t c) __attribute__((always_inline)) {
        return Slope<T>{static_cast<T>(f.mean[c]), static_cast<T>(f.a[c]), static_cast<T>(f.b[c]),
                        static_cast<T>(f.k[c])};
      },
      [=](int64_t i, const Slope<T>& s)
          __attribute__((always_inline)) { return (g[i] - s.a - (x[i] - s.mean) * s.b) * s.k; });
}

template <class T>
BatchNormRow<T> row() {
  return {moments<T>, normalise<T>, gradient_sums<T>, gradient<T>};
}

}  // namespace

void set_kernels(BatchNormKernels& table) {
  table.of_float = row<float>();
  table.of_double = row<double>();
}

}  // namespace th::cpu::TH_ISA
