// Windows of pooling, for the loops of every device.
#pragma once

#include <cstdint>

#include "functors/image_shapes.h"
#include "functors/numeric.h"

namespace th::functors {

/// Where the window of one output lies in one direction: [begin, end) inside the image, and its
/// length with the padding that it covers. The padding ends as far behind the image as before it.
struct Window {
  int64_t begin, end, padded;

  TH_HD Window(int64_t out, int64_t k, int64_t step, int64_t pad, int64_t size)
      : begin(out * step - pad), end(begin + k < size + pad ? begin + k : size + pad) {
    padded = end - begin;
    begin = begin < 0 ? 0 : begin;
    end = end < size ? end : size;
  }
};

/// The window of output (i, j) of a plane.
struct Window2d {
  Window h, w;

  TH_HD Window2d(const PoolShape& s, int64_t i, int64_t j)
      : h(i, s.kH, s.dH, s.padH, s.H), w(j, s.kW, s.dW, s.padW, s.W) {}

  /// What a mean over it divides by.
  TH_HD int64_t count(bool with_padding) const {
    return with_padding ? h.padded * w.padded : (h.end - h.begin) * (w.end - w.begin);
  }
};

/// The outputs [first, last] of one direction whose windows hold a place of the image.
struct Covering {
  int64_t first, last;

  TH_HD Covering(int64_t place, int64_t k, int64_t step, int64_t pad, int64_t outputs)
      : first(place + pad < k ? 0 : (place + pad - k) / step + 1), last((place + pad) / step) {
    last = last < outputs ? last : outputs - 1;
  }
};

}  // namespace th::functors
