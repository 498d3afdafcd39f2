// Loops over pixels, compiled once per instruction set. They see compact planes, rows and numbers;
// checks, shapes and threads are in the files above this folder.
#pragma once

#include <cstdint>

#include "TH_core.h"
#include "THimage.h"
#include "cpu/kernels/table.h"

namespace th::image {

/// One axis of a new size: element i is the sum of weights[i * taps + k] * old[first[i] + k].
/// taps is a multiple of 4; those past the old size have weight 0.
struct Axis {
  int64_t old_size;
  int64_t size;
  int64_t taps;
  const int32_t* first;
  const float* weights;
  const double* exact;  // the weights once more, for double and large integers
};

/// What one row takes to be computed, in bytes.
constexpr int64_t scratch_bytes(const Axis& columns) {
  return static_cast<int64_t>(sizeof(double)) *
         (columns.old_size + columns.size + 2 * columns.taps + 8);
}

/// Rows [begin, end) of a plane of another size.
using ScaleRows = void (*)(void* r, const void* x, const Axis& rows, const Axis& columns,
                           int64_t begin, int64_t end, void* scratch);

struct Planes {
  const void* data;
  int64_t count, height, width;
};

struct Sampling {
  int interpolation;
  bool pad;
  double value;
};

/// n values at (ys[i], xs[i]) of each plane; a plane of the result is r_plane elements.
using Sample = void (*)(void* r, int64_t r_plane, const Planes& x, const double* ys,
                        const double* xs, int64_t n, const Sampling& how);

/// Pixels [begin, end) of 3 planes of `plane` elements.
using Colour = void (*)(void* r, const void* x, int64_t plane, int64_t begin, int64_t end,
                        int conversion);

struct Offset {
  int64_t y, x;
};

/// Rows [begin, end) of a plane.
using Morphology = void (*)(void* r, const void* x, int64_t height, int64_t width,
                            const Offset* offsets, int64_t count, int64_t begin, int64_t end,
                            bool erode, double pad);

/// One function per element type; null where the operation does not exist for it.
struct Kernels {
  ScaleRows scale_rows[TH_NUM_DTYPES];
  Sample sample[TH_NUM_DTYPES];
  Colour colour[TH_NUM_DTYPES];
  Morphology morphology[TH_NUM_DTYPES];
  /// Pixels [begin, end) of three bytes each to three planes.
  void (*split3)(uint8_t* r, int64_t plane, const uint8_t* pixels, int64_t begin, int64_t end);
  /// And back.
  void (*merge3)(uint8_t* pixels, const uint8_t* x, int64_t plane, int64_t begin, int64_t end);
  /// n elements of 1, 2, 4 or 8 bytes, backwards; they lie apart.
  void (*reverse[4])(void* r, const void* x, int64_t n);
};

/// Those of the best instruction set that this CPU has.
const Kernels& kernels();

}  // namespace th::image

namespace th::cpu {
TH_KERNEL_TABLE(image::Kernels)
#ifdef __x86_64__
// AVX-512 has nothing that these loops could use.
inline void v4::set_kernels(image::Kernels& table) { v3::set_kernels(table); }
#endif
}  // namespace th::cpu
