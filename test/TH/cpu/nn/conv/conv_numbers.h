// Convolutions of images and numbers for them, for tests of several ways to compute one.
#pragma once

#include <cmath>
#include <random>
#include <vector>

#include "TH/support/tensors.h"
#include "functors/image_shapes.h"

namespace th::test {

inline ConvShape shape_of(int64_t N, int64_t C, int64_t size, int64_t K, int64_t kernel,
                          int64_t step, int64_t pad) {
  const int64_t out = (size + 2 * pad - kernel) / step + 1;
  return {.N = N,
          .C = C,
          .H = size,
          .W = size,
          .K = K,
          .kH = kernel,
          .kW = kernel,
          .dH = step,
          .dW = step,
          .padH = pad,
          .padW = pad,
          .groups = 1,
          .outH = out,
          .outW = out};
}

/// Multiples of 1/16, so that products and their sums are exact, in float up to 2^16.
inline std::vector<float> numbers(int64_t n, std::mt19937& rng) {
  const auto v = values(random(TH_FLOAT, {n}, rng));
  return {v.begin(), v.end()};
}

/// How far results are from those wanted, in units of the latter's root mean square.
struct Distance {
  double most, root_mean_square;
};

template <class T>
Distance distance_of(const std::vector<float>& a, const std::vector<T>& b) {
  double most = 0, squares = 0, units = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    const double difference = static_cast<double>(a[i]) - static_cast<double>(b[i]);
    most = std::max(most, std::abs(difference));
    squares += difference * difference;
    units += static_cast<double>(b[i]) * static_cast<double>(b[i]);
  }
  const double unit = std::sqrt(units / static_cast<double>(a.size()));
  return {most / unit, std::sqrt(squares / units)};
}

/// The largest difference in those units.
template <class T>
double apart(const std::vector<float>& a, const std::vector<T>& b) {
  return distance_of(a, b).most;
}

}  // namespace th::test
