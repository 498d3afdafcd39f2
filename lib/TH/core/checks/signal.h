// What every backend checks before it convolves or counts.
#pragma once

#include <array>
#include <cmath>
#include <tuple>
#include <vector>

#include "core/tensor/dtype.h"
#include "core/tensor/tensor.h"

namespace th {

// --- convolution and correlation ----------------------------------------------------------------

/// Planes are volumes of depth x height x width; images have depth 1.
struct CorrelationSizes {
  int64_t planes = 1;   // of the input
  int64_t outputs = 1;  // planes of the result
  bool bank = false;    // every output sums over all planes
  std::array<int64_t, 3> in, kernel, out;
  bool full = false;

  /// Sizes of the result of an input of rank or rank + 1 dimensions.
  std::vector<int64_t> result(const TH_Tensor& x, int rank) const {
    std::vector<int64_t> sizes;
    if (x.ndim > rank) {
      sizes.push_back(outputs);
    }
    sizes.insert(sizes.end(), out.end() - rank, out.end());
    return sizes;
  }
};

inline int64_t volume(const std::array<int64_t, 3>& sizes) {
  return sizes[0] * sizes[1] * sizes[2];
}

inline CorrelationSizes sizes_of_correlation(const TH_Tensor& x, const TH_Tensor& kernel, int rank,
                                             bool full) {
  TH_CHECK((x.ndim == rank && kernel.ndim == rank) ||
               (x.ndim == rank + 1 && (kernel.ndim == rank + 1 || kernel.ndim == rank + 2)),
           "the input is ", x.ndim, "D, the kernel ", kernel.ndim, "D; wanted ", rank, "D and ",
           rank, "D (one plane), ", rank + 1, "D and ", rank + 1,
           "D (a kernel for each plane), or ", rank + 1, "D and ", rank + 2,
           "D (a bank of kernels)");
  CorrelationSizes p;
  p.full = full;
  p.bank = kernel.ndim == rank + 2;
  p.planes = x.ndim == rank ? 1 : x.sizes[0];
  p.outputs = p.bank ? kernel.sizes[0] : p.planes;
  if (kernel.ndim > rank) {
    const int64_t expected = kernel.sizes[p.bank ? 1 : 0];
    TH_CHECK(expected == p.planes, "the input has ", p.planes, " planes, but the kernel is for ",
             expected, " (input ", shape(x), ", kernel ", shape(kernel), ")");
  }
  for (int d = 0; d < 3; ++d) {
    const int from_last = 3 - d;
    const bool present = from_last <= rank;
    p.in[d] = present ? x.sizes[x.ndim - from_last] : 1;
    p.kernel[d] = present ? kernel.sizes[kernel.ndim - from_last] : 1;
    TH_CHECK(full || p.in[d] >= p.kernel[d], "the input ", shape(x), " is smaller than the kernel ",
             shape(kernel), "; take a smaller kernel, or 'F' for the full result");
    p.out[d] = full ? p.in[d] + p.kernel[d] - 1 : p.in[d] - p.kernel[d] + 1;
  }
  return p;
}

inline CorrelationSizes check_correlation(const TH_Tensor* r, const TH_Tensor* x,
                                          const TH_Tensor* kernel, int rank, bool full) {
  check_defined(x, "the input");
  check_defined(kernel, "the kernel");
  TH_CHECK(r != nullptr, "the result is missing");
  check_same_dtype(*x, *kernel);
  check_same_dtype(*r, *x);
  return sizes_of_correlation(*x, *kernel, rank, full);
}

// --- histograms ---------------------------------------------------------------------------------

/// Of the elements of each row; a histogram of everything is that of a single row.
struct HistogramSizes {
  int64_t rows, columns;
};

inline HistogramSizes check_histogram(const TH_Tensor* r, const TH_Tensor* x, int64_t bins,
                                      double min, double max, bool by_row) {
  check_defined(x, "the tensor");
  TH_CHECK(r != nullptr, "the result is missing");
  check_same_dtype(*r, *x);
  if (!Floating::contains(x->dtype)) {
    Floating::unsupported(x->dtype);
  }
  TH_CHECK(bins >= 1, "wanted at least 1 bin, got ", bins);
  TH_CHECK(!by_row || x->ndim <= 2, "wanted a matrix, whose rows are counted, got a tensor of ",
           shape(*x));
  TH_CHECK(std::isfinite(min) && std::isfinite(max) && min <= max,
           "wanted finite min <= max, got min ", min, ", max ", max);
  const int64_t rows = by_row && x->ndim == 2 ? x->sizes[0] : 1;
  return {rows, numel(*x) / rows};
}

/// Bins of equal width from min to max.
template <class T>
struct HistogramRange {
  T min, max;

  /// Asked for min and max; extremes() gives the smallest and the largest element, or a NaN among
  /// them, which are taken where min == max. A range of width 0 grows by 1 to both sides.
  template <class Extremes>
  HistogramRange(double asked_min, double asked_max, const Extremes& extremes)
      : min(static_cast<T>(asked_min)), max(static_cast<T>(asked_max)) {
    if (min == max) {
      std::tie(min, max) = extremes();
      TH_CHECK(std::isfinite(min) && std::isfinite(max),
               "the range of the elements is not finite (there is a NaN or an infinity); pass min "
               "and max");
    }
    if (min == max) {
      min -= 1;
      max += 1;
    }
    TH_CHECK(std::isfinite(max - min), "the range from ", min, " to ", max,
             " is too wide for the type");
  }

  /// The bin of x, -1 outside.
  TH_HD int64_t bin(T x, int64_t bins) const {
    if (!(x >= min && x <= max)) {
      return -1;
    }
    const T place = (x - min) / (max - min) * static_cast<T>(bins);
    // Also what lies at max, and 0 / 0 where adding 1 did not widen a range of huge numbers.
    return place < static_cast<T>(bins) ? static_cast<int64_t>(place) : bins - 1;
  }
};

}  // namespace th
