// Tensors of any type and layout for tests, and their elements as doubles.
#pragma once

#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "TH.h"
#include "core/backend.h"
#include "core/tensor/dtype.h"
#include "core/tensor/tensor.h"

namespace th::test {

using Sizes = std::vector<int64_t>;

inline Tensor make(int dtype, const Sizes& sizes) {
  Tensor t;
  init(t, dtype, TH_CPU, 0);
  resize(t, sizes);
  return t;
}

inline Tensor empty(int dtype) { return make(dtype, {}); }

/// How a tensor lies in memory. All hold the same elements in the same order.
enum class Layout {
  Compact,
  Transposed,  ///< the last two dimensions swapped (a vector: as Spread)
  Narrowed,    ///< part of a larger tensor
  Spread,      ///< every second element
};
inline constexpr Layout kLayouts[] = {Layout::Compact, Layout::Transposed, Layout::Narrowed,
                                      Layout::Spread};

inline Tensor make(int dtype, Sizes sizes, Layout layout) {
  const int n = static_cast<int>(sizes.size());
  Tensor t;
  if (layout == Layout::Transposed && n >= 2) {
    std::swap(sizes[n - 1], sizes[n - 2]);
    t = make(dtype, sizes);
    transpose(t, t, n - 1, n - 2);
  } else if (layout == Layout::Narrowed) {
    Sizes larger = sizes;
    for (int64_t& size : larger) {
      size += 3;
    }
    t = make(dtype, larger);
    for (int d = 0; d < n; ++d) {
      narrow(t, t, d, 1, sizes[d]);
    }
  } else if (layout == Layout::Spread || layout == Layout::Transposed) {
    sizes.push_back(2);
    t = make(dtype, sizes);
    select(t, t, n, 1);
  } else {
    t = make(dtype, sizes);
  }
  return t;
}

/// Calls f(offset of the element in the storage) in row-major order.
template <class F>
void each_offset(const TH_Tensor& t, F&& f) {
  const int64_t n = numel(t);
  for (int64_t i = 0; i < n; ++i) {
    int64_t rest = i;
    int64_t offset = t.offset;
    for (int d = t.ndim - 1; d >= 0; --d) {
      offset += rest % t.sizes[d] * t.strides[d];
      rest /= t.sizes[d];
    }
    f(offset);
  }
}

inline std::vector<double> values(const TH_Tensor& t) {
  std::vector<double> result;
  AllTypes::dispatch(t.dtype, [&]<class T>() {
    each_offset(t, [&](int64_t offset) {
      result.push_back(convert<double>(static_cast<const T*>(t.store->data)[offset]));
    });
  });
  return result;
}

inline void assign(const TH_Tensor& t, const std::vector<double>& numbers) {
  AllTypes::dispatch(t.dtype, [&]<class T>() {
    size_t i = 0;
    each_offset(t, [&](int64_t offset) {
      static_cast<T*>(t.store->data)[offset] = from_number<T>(numbers[i++]);
    });
  });
}

inline Tensor from(int dtype, const Sizes& sizes, const std::vector<double>& numbers,
                   Layout layout = Layout::Compact) {
  Tensor t = make(dtype, sizes, layout);
  assign(t, numbers);
  return t;
}

/// Multiples of 1/16 in [-1, 1] (integers: in [-8, 8], unsigned ones in [0, 8]), which every type
/// holds exactly: what differs from a reference is the operation's own rounding.
inline Tensor random(int dtype, const Sizes& sizes, std::mt19937& rng,
                     Layout layout = Layout::Compact) {
  Tensor t = make(dtype, sizes, layout);
  std::vector<double> numbers(static_cast<size_t>(numel(t)));
  for (double& x : numbers) {
    x = is_integral(dtype) ? std::uniform_int_distribution<int>(dtype == TH_BYTE ? 0 : -8, 8)(rng)
                           : std::uniform_int_distribution<int>(-16, 16)(rng) / 16.0;
  }
  assign(t, numbers);
  return t;
}

/// One rounding to the type's precision, relative.
inline double precision(int dtype) {
  switch (dtype) {
    case TH_HALF:
      return 0x1p-11;
    case TH_BFLOAT16:
      return 0x1p-8;
    case TH_FLOAT:
      return 0x1p-24;
    case TH_DOUBLE:
      return 0x1p-53;
    default:
      return 0;
  }
}

/// The largest |a - b| / max(1, |b|); infinite when the counts differ or one is NaN.
inline double distance(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) {
    return INFINITY;
  }
  double worst = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    const double d = std::abs(a[i] - b[i]) / std::max(1.0, std::abs(b[i]));
    worst = std::isnan(d) ? INFINITY : std::max(worst, d);
  }
  return worst;
}

inline Sizes sizes(const TH_Tensor& t) { return Sizes(t.sizes, t.sizes + t.ndim); }

}  // namespace th::test
