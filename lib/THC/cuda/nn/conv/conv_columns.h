// Images as columns: what each element of a kernel meets at each output, side by side, so that a
// convolution becomes a product of matrices.
#pragma once

#include "core/tensor/element_size.h"
#include "cuda/launch.h"
#include "cuda/nn/grid.h"
#include "functors/image_shapes.h"
#include "functors/pooling.h"

namespace thc {

using th::ConvShape;

/// Element (image n, tap t, output position p) lies at n * image + t * tap + p; taps of all planes
/// count on: t = ((c * kD + kd) * kH + kh) * kW + kw.
struct ColumnLayout {
  int64_t image, tap;

  /// For each image its own matrix.
  static ColumnLayout by_image(const ConvShape& s) {
    return {s.C * s.kernel() * s.outputs(), s.outputs()};
  }
  /// One matrix, the images side by side in its rows.
  static ColumnLayout together(const ConvShape& s) { return {s.outputs(), s.N * s.outputs()}; }
};

/// A thread for each output position of an input plane. U: an integer as wide as an element; the
/// padding's zeros have no bits set in any type.
template <class U>
struct ImagesToColumns {
  ConvShape s;
  ColumnLayout layout;
  Grid grid;  // of output planes, each of an input plane's
  const U* x;
  U* columns;

  TH_HD void operator()(int64_t i) const {
    const Grid::Place at = grid(i);
    const int64_t plane = at.plane / s.outD;
    const int64_t depth = at.plane - plane * s.outD;
    const int64_t n = plane / s.C;
    const int64_t c = plane - n * s.C;
    const int64_t front = depth * s.dD - s.padD;
    const int64_t top = at.row * s.dH - s.padH;
    const int64_t left = at.column * s.dW - s.padW;
    const U* from = x + plane * s.D * s.H * s.W;
    U* to = columns + n * layout.image + c * s.kD * s.kH * s.kW * layout.tap +
            (depth * s.outH + at.row) * s.outW + at.column;
    for (int64_t kd = 0; kd < s.kD; ++kd) {
      const int64_t d = front + kd * s.dilD;
      for (int64_t kh = 0; kh < s.kH; ++kh) {
        const int64_t h = top + kh * s.dilH;
        const bool row_inside = d >= 0 && d < s.D && h >= 0 && h < s.H;
        for (int64_t kw = 0; kw < s.kW; ++kw, to += layout.tap) {
          const int64_t w = left + kw * s.dilW;
          *to = row_inside && w >= 0 && w < s.W ? from[(d * s.H + h) * s.W + w] : U(0);
        }
      }
    }
  }
};

/// The outputs of one direction that a place of the input goes into, and by which tap.
struct Reached {
  int64_t first, last, shift, step, gap;

  TH_HD Reached(int64_t place, int64_t k, int64_t stride, int64_t pad, int64_t dilation,
                int64_t outputs)
      : shift(place + pad), step(stride), gap(dilation) {
    const th::functors::Covering covering(place, (k - 1) * dilation + 1, stride, pad, outputs);
    first = covering.first;
    last = covering.last;
  }
  /// -1: the place falls into a gap.
  TH_HD int64_t tap(int64_t output) const {
    const int64_t reach = shift - output * step;
    return gap == 1 ? reach : reach % gap == 0 ? reach / gap : -1;
  }
};

/// A thread for each element of the images: it sums up its columns in the order of the outputs, so
/// that the same columns give the same bits. Columns lie by image.
template <class T>
struct ColumnsToImages {
  ConvShape s;
  Grid grid;  // of all planes at all depths
  const T* columns;
  T* x;

  TH_HD void operator()(int64_t i) const {
    const Grid::Place at = grid(i);
    const int64_t plane = at.plane / s.D;
    const Reached deep(at.plane - plane * s.D, s.kD, s.dD, s.padD, s.dilD, s.outD);
    const Reached down(at.row, s.kH, s.dH, s.padH, s.dilH, s.outH);
    const Reached across(at.column, s.kW, s.dW, s.padW, s.dilW, s.outW);
    const int64_t outputs = s.outD * s.outH * s.outW;
    const T* from = columns + plane * s.kD * s.kH * s.kW * outputs;
    th::Compute<T> sum = 0;
    for (int64_t od = deep.first; od <= deep.last; ++od) {
      const int64_t kd = deep.tap(od);
      for (int64_t oh = down.first; oh <= down.last && kd >= 0; ++oh) {
        const int64_t kh = down.tap(oh);
        for (int64_t ow = across.first; ow <= across.last && kh >= 0; ++ow) {
          const int64_t kw = across.tap(ow);
          if (kw >= 0) {
            sum += widen(
                from[((kd * s.kH + kh) * s.kW + kw) * outputs + (od * s.outH + oh) * s.outW + ow]);
          }
        }
      }
    }
    x[i] = narrow<T>(sum);
  }
};

/// The columns of s.N images that begin at x.
inline void images_to_columns(cudaStream_t stream, const ConvShape& s, const ColumnLayout& layout,
                              int64_t element_bytes, const void* x, void* columns) {
  with_size(element_bytes, [&]<class U>() {
    const Grid grid(s.N * s.C * s.outD, s.outH, s.outW);
    launch(stream, s.N * s.C * s.outputs(),
           ImagesToColumns<U>{s, layout, grid, static_cast<const U*>(x), static_cast<U*>(columns)});
  });
}

}  // namespace thc
