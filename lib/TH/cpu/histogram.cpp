// Histograms with bins of equal width.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/checks/signal.h"
#include "core/device_functions.h"
#include "core/tables/signal.h"
#include "core/tensor/tensor.h"
#include "cpu/register.h"

namespace th::cpu {
namespace {

/// The smallest and the largest element, or two NaNs.
template <class T>
std::pair<T, T> extremes(const T* x, int64_t n) {
  if (std::any_of(x, x + n, [](T v) { return v != v; })) {
    return {NAN, NAN};
  }
  const auto [low, high] = std::minmax_element(x, x + n);
  return {*low, *high};
}

template <class T>
void count(const T* x, int64_t n, const HistogramRange<T>& range, int64_t bins, T* counts) {
  std::vector<int64_t> totals(static_cast<size_t>(bins));
  for (int64_t i = 0; i < n; ++i) {
    const int64_t bin = range.bin(x[i], bins);
    if (bin >= 0) {
      ++totals[static_cast<size_t>(bin)];
    }
  }
  std::transform(totals.begin(), totals.end(), counts,
                 [](int64_t total) { return static_cast<T>(total); });
}

void histogram(TH_Tensor* r, const TH_Tensor* x, int64_t bins, double min, double max,
               bool by_row) {
  const HistogramSizes s = check_histogram(r, x, bins, min, max, by_row);
  const int dtype = compute_dtype(x->dtype);
  Tensor dense = Tensor::like(*x, dtype, sizes_of(*x));
  copy(dense, *x);
  const int64_t sizes[] = {s.rows, bins};
  const auto shape = std::span(sizes).last(by_row ? 2 : 1);
  const Tensor counts = Tensor::like(*x, dtype, shape);
  RealTypes::dispatch(dtype, [&]<class T>() {
    const T* from = data<T>(dense);
    const int64_t all = numel(dense);
    const HistogramRange<T> range(min, max, [&] { return extremes(from, all); });
    for (int64_t row = 0; row < s.rows; ++row) {
      count(from + row * s.columns, s.columns, range, bins, data<T>(counts) + row * bins);
    }
  });
  resize(*r, shape);
  copy(*r, counts);
}

void histc(TH_Tensor* r, const TH_Tensor* x, int64_t bins, double min, double max) {
  histogram(r, x, bins, min, max, false);
}

void bhistc(TH_Tensor* r, const TH_Tensor* x, int64_t bins, double min, double max) {
  histogram(r, x, bins, min, max, true);
}

}  // namespace

void register_histogram(SignalTable& b) {
  b.histc = histc;
  b.bhistc = bhistc;
}

}  // namespace th::cpu
