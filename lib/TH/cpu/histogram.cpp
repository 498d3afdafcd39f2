// Histograms with bins of equal width.
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/backend.h"
#include "core/tensor.h"
#include "cpu/fill_backend.h"

namespace th::cpu {
namespace {

template <class T>
struct Range {
  T min, max;
};

/// What was asked for, or where min == max the range of the elements. A range of width 0 grows by
/// 1 to both sides.
template <class T>
Range<T> range_of(const T* x, int64_t n, double min, double max) {
  TH_CHECK(std::isfinite(min) && std::isfinite(max) && min <= max,
           "wanted finite min <= max, got min ",
           min,
           ", max ",
           max);
  Range<T> range{static_cast<T>(min), static_cast<T>(max)};
  if (range.min == range.max) {
    const auto [low, high] = std::minmax_element(x, x + n);
    range = {*low, *high};
    const bool finite = std::all_of(x, x + n, [](T v) { return std::isfinite(v); });
    TH_CHECK(finite,
             "the range of the elements is not finite (there is a NaN or an infinity); pass min "
             "and max");
  }
  if (range.min == range.max) {
    range.min -= 1;
    range.max += 1;
  }
  TH_CHECK(std::isfinite(range.max - range.min),
           "the range from ",
           range.min,
           " to ",
           range.max,
           " is too wide for the type");
  return range;
}

template <class T>
void count(const T* x, int64_t n, const Range<T>& range, int64_t bins, T* counts) {
  std::fill_n(counts, bins, T{0});
  std::vector<int64_t> totals(static_cast<size_t>(bins));
  for (int64_t i = 0; i < n; ++i) {
    if (x[i] >= range.min && x[i] <= range.max) {
      const T place = (x[i] - range.min) / (range.max - range.min) * static_cast<T>(bins);
      // Also what lies at max, and 0 / 0 where adding 1 did not widen a range of huge numbers.
      const int64_t bin = place < static_cast<T>(bins) ? static_cast<int64_t>(place) : bins - 1;
      ++totals[static_cast<size_t>(bin)];
    }
  }
  std::transform(
      totals.begin(), totals.end(), counts, [](int64_t total) { return static_cast<T>(total); });
}

void histogram(
    TH_Tensor* r, const TH_Tensor* x, int64_t bins, double min, double max, bool by_row) {
  check_defined(x, "the tensor");
  TH_CHECK(r != nullptr, "the result is missing");
  check_same_dtype(*r, *x);
  if (!Floating::contains(x->dtype)) {
    Floating::unsupported(x->dtype);
  }
  TH_CHECK(bins >= 1, "wanted at least 1 bin, got ", bins);
  TH_CHECK(!by_row || x->ndim <= 2,
           "wanted a matrix, whose rows are counted, got a tensor of ",
           shape(*x));
  const int64_t rows = by_row && x->ndim == 2 ? x->sizes[0] : 1;
  const int64_t n = numel(*x) / rows;
  const int dtype = compute_dtype(x->dtype);
  Tensor dense = Tensor::like(*x, dtype, sizes_of(*x));
  copy(dense, *x);
  const int64_t sizes[] = {rows, bins};
  const auto shape = std::span(sizes).last(by_row ? 2 : 1);
  const Tensor counts = Tensor::like(*x, dtype, shape);
  TypeSet<float, double>::dispatch(dtype, [&]<class T>() {
    const T* from = data<T>(dense);
    const Range<T> range = range_of(from, rows * n, min, max);
    for (int64_t row = 0; row < rows; ++row) {
      count(from + row * n, n, range, bins, data<T>(counts) + row * bins);
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

void fill_histogram(Backend& b) {
  b.histc = histc;
  b.bhistc = bhistc;
}

}  // namespace th::cpu
