// Rows of a plane with its padding, as a convolution reads them.
#pragma once

#include <algorithm>
#include <cstdint>

namespace th::cpu {

/// Some rows of a plane with zeros where they reach beyond its H x W elements: `rows` of `width`
/// elements, the first at row `top`, column `left` of the plane.
template <class T>
struct PaddedRows {
  int64_t rows, width;
  int64_t H, W, top, left;

  /// plane: nullptr for one of zeros.
  void copy(const T* plane, T* to) const {
    if (plane == nullptr) {
      std::fill_n(to, rows * width, T(0));
      return;
    }
    if (left == 0 && width == W && top >= 0 && top + rows <= H) {
      std::copy_n(plane + top * W, rows * width, to);
      return;
    }
    const int64_t before = std::clamp<int64_t>(-left, 0, width);
    const int64_t from = std::max<int64_t>(left, 0);
    const int64_t inside = std::clamp<int64_t>(W - from, 0, width - before);
    for (int64_t row = top; row < top + rows; ++row, to += width) {
      if (row < 0 || row >= H) {
        std::fill_n(to, width, T(0));
        continue;
      }
      std::fill_n(to, before, T(0));
      std::copy_n(plane + row * W + from, inside, to + before);
      std::fill_n(to + before + inside, width - before - inside, T(0));
    }
  }
};

}  // namespace th::cpu
