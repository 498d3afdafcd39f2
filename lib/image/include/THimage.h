// The C ABI of what image computes: pictures are tensors of planes, C x H x W (or H x W, or with
// more dimensions before), on the CPU. Conventions as in TH.h: a function returns a TH_Status,
// TH_lastError() has the text; a result may be an operand.
#ifndef THIMAGE_H
#define THIMAGE_H

#ifndef TH_CDEF
#include "TH_core.h"
#pragma GCC visibility push(default)  // everything else stays inside the library
#ifdef __cplusplus
extern "C" {
#endif
#endif

// How values between pixels are found. Nearest: of the nearest pixel.
typedef enum {
  TH_IMAGE_NEAREST = 0,
  TH_IMAGE_BILINEAR = 1,
  TH_IMAGE_BICUBIC = 2,
  TH_IMAGE_LANCZOS = 3
} THImage_Interpolation;

// To another size. Bilinear: interpolated between the corners where an axis grows, the mean of what
// a pixel covers where it shrinks. Bicubic: Catmull-Rom between the corners. Nearest: the pixel at
// floor(i * old / new).
int THImage_scale(TH_Tensor* r, const TH_Tensor* x, int64_t height, int64_t width,
                  int interpolation);

// r[y][x] = value at (field[1][y][x], field[2][y][x]), pixels counted from 0; with `offset` those
// are added to (y, x). field is 2 x H x W doubles. Off the picture: the pixel at its border, or,
// with `pad`, that value.
int THImage_warp(TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* field, int interpolation,
                 bool offset, bool pad, double value);

// r(p) = value at c + M (p - c) - t, c the centre; p, t = (y, x), M by rows.
int THImage_affine(TH_Tensor* r, const TH_Tensor* x, const double* matrix,
                   const double* translation, int interpolation, bool pad, double value);

// Row j is the angle 2 pi j / height, column i the radius: R i / width or, logarithmic,
// R ^ (i / width). R reaches the corners (full) or the nearer sides.
int THImage_polar(TH_Tensor* r, const TH_Tensor* x, int64_t height, int64_t width, bool logarithmic,
                  bool full, int interpolation);

int THImage_flip(TH_Tensor* r, const TH_Tensor* x, int dim);

typedef enum {
  TH_IMAGE_RGB2Y = 0,
  TH_IMAGE_RGB2YUV = 1,
  TH_IMAGE_YUV2RGB = 2,
  TH_IMAGE_RGB2HSL = 3,
  TH_IMAGE_HSL2RGB = 4,
  TH_IMAGE_RGB2HSV = 5,
  TH_IMAGE_HSV2RGB = 6,
  TH_IMAGE_RGB2LAB = 7,
  TH_IMAGE_LAB2RGB = 8,
  TH_IMAGE_RGB2NRGB = 9
} THImage_Colour;

// 3 x H x W to another colour space: float, double, or bytes that stand for v / 255.
int THImage_colour(TH_Tensor* r, const TH_Tensor* x, int conversion);

// Smallest (erode) or largest value of the pixels under the elements of `kernel` that are not 0;
// pixels off the picture are `pad`. Erosion: x[p + k]; dilation: x[p - k].
int THImage_morphology(TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* kernel, bool erode,
                       double pad);

// From pixels, channel by channel within each, as decoders give them, to planes: C x H x W. `bits`
// is 8 or 16; 16-bit samples are in this machine's order, or `swapped`. A sample v becomes v /
// maximum, in bytes 255 v / maximum without its fraction. `bytes`: how many there are.
int THImage_unpack(TH_Tensor* r, const void* pixels, int64_t bytes, int64_t height, int64_t width,
                   int64_t channels, int bits, bool swapped, double maximum);

// The other way: planes to bytes H x W x C (bits / 8 of them for a sample, 16-bit ones high byte
// first). Values of float types are limited to 0..1, those of other types to 0..255.
int THImage_pack(TH_Tensor* r, const TH_Tensor* x, int bits);

#ifndef TH_CDEF
#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
#endif
