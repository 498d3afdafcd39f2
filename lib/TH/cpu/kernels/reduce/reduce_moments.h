// Mean and squared deviations. Part of kernels/reduce.cpp.
#pragma once

#include "cpu/kernels/reduce/reduce_fold.h"

namespace th::cpu::TH_ISA {
namespace {

template <class T>
struct FoldMoments {
  /// The three components, each `items` long.
  struct View {
    double* count;
    double* mean;
    double* squares;
    View(void* acc, int64_t items)
        : count(static_cast<double*>(acc)), mean(count + items), squares(mean + items) {}
    functors::Moments get(int64_t i) const { return {count[i], mean[i], squares[i]}; }
    void set(int64_t i, const functors::Moments& m) const {
      count[i] = m.count;
      mean[i] = m.mean;
      squares[i] = m.squares;
    }
  };

  static void init(void* acc, int64_t items, int64_t) {
    std::memset(acc, 0, static_cast<size_t>(items) * sizeof(functors::Moments));
  }

  static void rows(void* acc, int64_t items, const void* x, int64_t stride, int64_t n, int64_t,
                   double) {
    const View view(acc, items);
    const T* row = static_cast<const T*>(x);
    const auto count = static_cast<double>(n);
    for (int64_t i = 0; i < items; ++i, row += stride) {
      const double mean = reduce_row<functors::Sum, double>(row, n, 0) / count;
      const double squares = reduce_row<functors::SumSquaredDeviations, double>(row, n, mean);
      view.set(i, functors::Moments::combine(view.get(i), {count, mean, squares}));
    }
  }

  static void columns(void* acc, int64_t items, const void* x, int64_t stride, int64_t n, int64_t,
                      double) {
    const View view(acc, items);
    const T* row = static_cast<const T*>(x);
    const auto count = static_cast<double>(n);
    double mean[kReduceItems];
    double squares[kReduceItems];
    std::memset(mean, 0, static_cast<size_t>(items) * sizeof(double));
    std::memset(squares, 0, static_cast<size_t>(items) * sizeof(double));
    Fold<functors::Sum, double, T>::columns(mean, items, x, stride, n, 0, 0);
    for (int64_t j = 0; j < items; ++j) {
      mean[j] /= count;
    }
    int64_t i = 0;
    for (; i + 4 <= n; i += 4, row += 4 * stride) {
#pragma GCC ivdep
      for (int64_t j = 0; j < items; ++j) {
        const double d0 = row[j] - mean[j];
        const double d1 = row[stride + j] - mean[j];
        const double d2 = row[2 * stride + j] - mean[j];
        const double d3 = row[3 * stride + j] - mean[j];
        squares[j] += (d0 * d0 + d1 * d1) + (d2 * d2 + d3 * d3);
      }
    }
    for (; i < n; ++i, row += stride) {
#pragma GCC ivdep
      for (int64_t j = 0; j < items; ++j) {
        const double d = row[j] - mean[j];
        squares[j] += d * d;
      }
    }
    for (int64_t j = 0; j < items; ++j) {
      view.set(j, functors::Moments::combine(view.get(j), {count, mean[j], squares[j]}));
    }
  }

  static void combine(void* acc, const void* later, int64_t items) {
    const View view(acc, items);
    const View other(const_cast<void*>(later), items);
    for (int64_t i = 0; i < items; ++i) {
      view.set(i, functors::Moments::combine(view.get(i), other.get(i)));
    }
  }

  static void gather(void* acc, int64_t items, const void* wide, int64_t groups) {
    const View view(acc, items);
    const View other(const_cast<void*>(wide), items * groups);
    for (int64_t i = 0; i < items * groups; ++i) {
      view.set(i % items, functors::Moments::combine(view.get(i % items), other.get(i)));
    }
  }
};

}  // namespace
}  // namespace th::cpu::TH_ISA
