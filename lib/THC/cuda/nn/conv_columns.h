// Images as columns: what each element of a kernel meets at each output, side by side, so that a
// convolution becomes a product of matrices.
#pragma once

#include "cpu/element_size.h"
#include "cuda/launch.h"
#include "cuda/nn/grid.h"
#include "functors/image_shapes.h"
#include "functors/pooling.h"

namespace thc {

using th::ConvShape;

/// Element (image n, tap t, output position p) lies at n * image + t * tap + p; taps of all planes
/// count on: t = (c * kH + kh) * kW + kw.
struct ColumnLayout {
  int64_t image, tap;

  /// For each image its own matrix.
  static ColumnLayout by_image(const ConvShape& s) {
    const int64_t outputs = s.outH * s.outW;
    return {s.C * s.kH * s.kW * outputs, outputs};
  }
  /// One matrix, the images side by side in its rows.
  static ColumnLayout together(const ConvShape& s) {
    const int64_t outputs = s.outH * s.outW;
    return {outputs, s.N * outputs};
  }
};

/// A thread for each output position of an input plane. U: an integer as wide as an element; the
/// padding's zeros have no bits set in any type.
template <class U>
struct ImagesToColumns {
  ConvShape s;
  ColumnLayout layout;
  Grid grid;
  const U* x;
  U* columns;

  TH_HD void operator()(int64_t i) const {
    const Grid::Place at = grid(i);
    const int64_t n = at.plane / s.C;
    const int64_t c = at.plane - n * s.C;
    const int64_t top = at.row * s.dH - s.padH;
    const int64_t left = at.column * s.dW - s.padW;
    const U* from = x + at.plane * s.H * s.W;
    U* to = columns + n * layout.image + c * s.kH * s.kW * layout.tap + at.row * s.outW + at.column;
    for (int64_t h = top; h < top + s.kH; ++h) {
      for (int64_t w = left; w < left + s.kW; ++w, to += layout.tap) {
        const bool inside = h >= 0 && h < s.H && w >= 0 && w < s.W;
        *to = inside ? from[h * s.W + w] : U(0);
      }
    }
  }
};

/// A thread for each element of the images: it sums up its columns in the order of the outputs, so
/// that the same columns give the same bits. Columns lie by image.
template <class T>
struct ColumnsToImages {
  ConvShape s;
  Grid grid;
  const T* columns;
  T* x;

  TH_HD void operator()(int64_t i) const {
    const Grid::Place at = grid(i);
    const th::functors::Covering rows(at.row, s.kH, s.dH, s.padH, s.outH);
    const th::functors::Covering across(at.column, s.kW, s.dW, s.padW, s.outW);
    const int64_t outputs = s.outH * s.outW;
    const T* from = columns + at.plane * s.kH * s.kW * outputs;
    th::Compute<T> sum = 0;
    for (int64_t oh = rows.first; oh <= rows.last; ++oh) {
      const int64_t kh = at.row + s.padH - oh * s.dH;
      for (int64_t ow = across.first; ow <= across.last; ++ow) {
        const int64_t kw = at.column + s.padW - ow * s.dW;
        sum += widen(from[(kh * s.kW + kw) * outputs + oh * s.outW + ow]);
      }
    }
    x[i] = narrow<T>(sum);
  }
};

/// The columns of s.N images that begin at x.
inline void images_to_columns(cudaStream_t stream, const ConvShape& s, const ColumnLayout& layout,
                              int64_t element_bytes, const void* x, void* columns) {
  th::cpu::with_size(element_bytes, [&]<class U>() {
    const Grid grid(s.N * s.C, s.outH, s.outW);
    launch(stream, s.N * s.C * s.outH * s.outW,
           ImagesToColumns<U>{s, layout, grid, static_cast<const U*>(x), static_cast<U*>(columns)});
  });
}

}  // namespace thc
