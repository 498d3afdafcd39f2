// Sparsemax: p = max(x - tau, 0), with tau such that p sums up to 1. Rows are independent of each
// other: threads share them.
// Source: Martins and Astudillo, "From Softmax to Sparsemax", ICML 2016 (arXiv:1602.02068).
#include "sparsemax.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "TH_operation.h"

namespace {

/// tau of a row, given from the largest element down: the k elements above
/// tau = (their sum - 1) / k, for the largest such k.
template <class T>
double threshold(const T* descending, int64_t n) {
  double sum = descending[0];
  double tau = sum - 1;
  for (int64_t k = 2; k <= n && descending[k - 1] > tau; ++k) {
    sum += descending[k - 1];
    tau = (sum - 1) / static_cast<double>(k);
  }
  return tau;
}

/// A row with a NaN, which has no place in an order, becomes NaN.
template <class T>
void project(T* r, const T* x, T* sorted, int64_t n) {
  double tau = std::numeric_limits<double>::quiet_NaN();
  if (std::none_of(x, x + n, [](T v) { return std::isnan(v); })) {
    std::copy(x, x + n, sorted);
    std::sort(sorted, sorted + n, std::greater<>());
    tau = threshold(sorted, n);
  }
  for (int64_t i = 0; i < n; ++i) {
    const double above = static_cast<double>(x[i]) - tau;
    r[i] = static_cast<T>(above < 0 ? 0 : above);
  }
}

/// Within the support, g less its mean there; 0 elsewhere.
template <class T>
void project_gradient(T* r, const T* y, const T* g, int64_t n) {
  double sum = 0;
  int64_t support = 0;
  for (int64_t i = 0; i < n; ++i) {
    if (y[i] > 0) {
      sum += g[i];
      ++support;
    }
  }
  const double mean = support > 0 ? sum / static_cast<double>(support) : 0;
  for (int64_t i = 0; i < n; ++i) {
    r[i] = y[i] > 0 ? static_cast<T>(g[i] - mean) : T(0);
  }
}

void forward(TH_Tensor* r, const TH_Tensor* operand) {
  th::check_result(r, th::on_cpu(operand, "x"));
  const th::Tensor x = th::contiguous(*operand);
  const int64_t n = x.sizes[x.ndim - 1];
  const int64_t rows = th::numel(x) / n;
  th::RealTypes::dispatch(x.dtype, [&]<class T>() {
    th::Result result(r, th::sizes_of(x), th::Result::Compact, {&x});
    const th::Tensor scratch = th::Tensor::like(x, x.dtype, th::sizes_of(x));
    T* const to = result.data<T>();
    // f must not throw: all that may fail has been done by now.
    th::parallel_items(rows, n * 8, [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        project(to + row * n, th::data<T>(x) + row * n, th::data<T>(scratch) + row * n, n);
      }
    });
    result.finish();
  });
  th::written(r);
}

void backward(TH_Tensor* r, const TH_Tensor* result, const TH_Tensor* gradient) {
  th::check_result(r, th::on_cpu(result, "y"));
  th::check_same_dtype(*result, th::on_cpu(gradient, "the gradient"));
  TH_CHECK(th::same_sizes(*result, *gradient), "y is ", th::shape(*result), ", its gradient ",
           th::shape(*gradient), "; wanted the same sizes");
  const th::Tensor y = th::contiguous(*result);
  const th::Tensor g = th::contiguous(*gradient);
  const int64_t n = y.sizes[y.ndim - 1];
  th::RealTypes::dispatch(y.dtype, [&]<class T>() {
    th::Result out(r, th::sizes_of(y), th::Result::Compact, {&y, &g});
    T* const to = out.data<T>();
    th::parallel_items(th::numel(y) / n, n, [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        project_gradient(to + row * n, th::data<T>(y) + row * n, th::data<T>(g) + row * n, n);
      }
    });
    out.finish();
  });
  th::written(r);
}

}  // namespace

int sparsemax_forward(TH_Tensor* r, const TH_Tensor* x) {
  return th::guarded("sparsemax", [&] { forward(r, x); });
}

int sparsemax_backward(TH_Tensor* r, const TH_Tensor* y, const TH_Tensor* g) {
  return th::guarded("sparsemax_backward", [&] { backward(r, y, g); });
}
