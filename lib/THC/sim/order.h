// The order in which the simulated machine runs what a device runs at the same time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "sim/block.h"
#include "sim/control.h"

namespace thc::sim {

/// 0 to n - 1, each once, in steps of a drawn length from a drawn place.
class Order {
 public:
  explicit Order(int64_t n) : n_(n) {
    if (n > 1) {
      const auto count = static_cast<uint64_t>(n);
      at_ = static_cast<int64_t>(draw() % count);
      do {
        step_ = static_cast<int64_t>(1 + draw() % (count - 1));
      } while (std::gcd(step_, n) != 1);
    }
  }

  int64_t next() {
    const int64_t now = at_;
    at_ = at_ >= n_ - step_ ? at_ - (n_ - step_) : at_ + step_;
    return now;
  }

 private:
  int64_t n_;
  int64_t at_ = 0;
  int64_t step_ = 1;
};

/// f(i) for every i < n: those of a warp one after the other where there are many, because what
/// lies side by side is quicker so.
template <class F>
void in_any_order(int64_t n, F&& f) {
  constexpr int64_t kFew = 4096;
  const int64_t unit = n <= kFew ? 1 : kWarpSize;
  const int64_t units = (n + unit - 1) / unit;
  Order order(units);
  for (int64_t k = 0; k < units; ++k) {
    const int64_t first = order.next() * unit;
    for (int64_t i = first; i < std::min(first + unit, n); ++i) {
      f(i);
    }
  }
}

}  // namespace thc::sim
