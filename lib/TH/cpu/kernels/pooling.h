// Maxima over windows of an image plane.
#pragma once

#include <cstdint>

namespace th::cpu {

/// Sizes of a pooling, all in elements: of the input plane, the output plane, the window, its steps
/// and the padding on each side, which counts as minus infinity.
struct PoolShape {
  int64_t H, W;
  int64_t outH, outW;
  int64_t kH, kW;
  int64_t dH, dW;
  int64_t padH, padW;

  /// Windows of 2 x 2 that lie side by side, all within the plane.
  bool two_by_two() const {
    return kH == 2 && kW == 2 && dH == 2 && dW == 2 && padH == 0 && padW == 0 && 2 * outH <= H &&
           2 * outW <= W;
  }
};

template <class T>
struct PoolRow {
  /// One plane. indices: the maximum's position in the plane plus 1; the first one of several. A
  /// NaN counts as the maximum.
  void (*forward)(const PoolShape& s, const T* x, T* y, int64_t* indices);
  /// For two_by_two() shapes: writes all of r, the gradient of one plane, from g = dL/dy. False,
  /// with r in any state, if an index lies outside its window.
  bool (*backward_two_by_two)(const PoolShape& s, const T* g, const int64_t* indices, T* r);
};

struct PoolKernels {
  PoolRow<float> of_float;
  PoolRow<double> of_double;
  /// Whether all of n indices lie in [1, last].
  bool (*within)(int64_t n, const int64_t* indices, int64_t last);

  template <class T>
  const PoolRow<T>& row() const {
    if constexpr (sizeof(T) == sizeof(float)) {
      return of_float;
    } else {
      return of_double;
    }
  }
};

#ifdef __x86_64__
namespace v2 {
void fill(PoolKernels&);
}
namespace v3 {
void fill(PoolKernels&);
}
namespace v4 {
void fill(PoolKernels&);
}
#else
namespace generic {
void fill(PoolKernels&);
}
#endif

}  // namespace th::cpu
