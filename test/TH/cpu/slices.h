// What tests of reductions share: the slices that are reduced, and data to reduce.
#pragma once

#include <cmath>
#include <limits>

#include "TH/support/tensors.h"

namespace th::test {

inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInf = std::numeric_limits<double>::infinity();
inline constexpr int kFloating[] = {TH_HALF, TH_BFLOAT16, TH_FLOAT, TH_DOUBLE};
inline constexpr int kIntegral[] = {TH_BYTE, TH_CHAR, TH_SHORT, TH_INT, TH_LONG};
inline constexpr int kAll[] = {TH_BYTE, TH_CHAR,     TH_SHORT, TH_INT,   TH_LONG,
                               TH_HALF, TH_BFLOAT16, TH_FLOAT, TH_DOUBLE};

using Slice = std::vector<double>;

/// The elements of x along dim, one slice per element of the result, in row-major order.
inline std::vector<Slice> slices(const TH_Tensor& x, int dim) {
  const Slice all = values(x);
  int64_t inner = 1;
  for (int d = dim + 1; d < x.ndim; ++d) {
    inner *= x.sizes[d];
  }
  const int64_t n = x.sizes[dim];
  std::vector<Slice> result(all.size() / static_cast<size_t>(n));
  for (size_t i = 0; i < all.size(); ++i) {
    const auto at = static_cast<int64_t>(i);
    result[static_cast<size_t>(at / (n * inner) * inner + at % inner)].push_back(all[i]);
  }
  return result;
}

inline Sizes reduced(const TH_Tensor& x, int dim) {
  Sizes result = sizes(x);
  result[static_cast<size_t>(dim)] = 1;
  return result;
}

/// Uniform in (-2, 2), as the type rounds it, with some zeros.
inline Tensor uniform(int dtype, const Sizes& sizes, std::mt19937& rng,
                      Layout layout = Layout::Compact) {
  Tensor t = make(dtype, sizes, layout);
  std::vector<double> numbers(static_cast<size_t>(numel(t)));
  for (double& x : numbers) {
    x = rng() % 16 == 0 ? 0 : std::uniform_real_distribution<double>(-2, 2)(rng);
  }
  assign(t, numbers);
  return t;
}

/// Any bits of the type.
inline Tensor whole_range(int dtype, const Sizes& sizes, std::mt19937_64& rng,
                          Layout layout = Layout::Compact) {
  Tensor t = make(dtype, sizes, layout);
  Integral::dispatch(dtype, [&]<class T>() {
    each_offset(
        t, [&](int64_t offset) { static_cast<T*>(t.store->data)[offset] = static_cast<T>(rng()); });
  });
  return t;
}

/// The first of the extreme elements, or the first NaN.
inline size_t extreme_of(const Slice& x, bool largest) {
  size_t best = 0;
  for (size_t i = 1; i < x.size(); ++i) {
    if (!std::isnan(x[best]) && (std::isnan(x[i]) || (largest ? x[i] > x[best] : x[i] < x[best]))) {
      best = i;
    }
  }
  return best;
}

inline const Sizes kSmall[] = {{1},    {7},      {100},     {3, 5},       {1, 9},
                               {9, 1}, {33, 70}, {4, 3, 5}, {2, 1, 3, 4}, {5, 130, 3}};
/// More than one leaf, one panel of columns, one thread.
inline const Sizes kLarge[] = {{70000},    {9000, 2},  {20000, 5},   {3, 30000},
                               {70, 1100}, {1100, 70}, {2, 300, 130}};

}  // namespace th::test
