// Pictures whose pixels come from somewhere else: one loop, and functions that say from where.
#include <cmath>
#include <numbers>

#include "cpu/parallel.h"
#include "picture.h"

namespace th::image {
namespace {

/// Positions are made for so many pixels at a time, on the stack.
constexpr int64_t kBlock = 256;

/// r, height x width, from x: place(row, column, &y, &x) tells where a pixel comes from.
template <class Place>
void sample(TH_Tensor* r, const Picture& x, int64_t height, int64_t width, const Sampling& how,
            std::initializer_list<const TH_Tensor*> operands, Place place) {
  check_result(r, x.tensor);
  check_size(height, width);
  TH_CHECK(how.interpolation >= TH_IMAGE_NEAREST && how.interpolation <= TH_IMAGE_LANCZOS,
           "unknown interpolation ", how.interpolation);
  const auto run = for_type(kernels().sample, x.tensor, kNumbers);
  const Sizes sizes(x.tensor, height, width);
  Result result(r, sizes.span(), Result::Compact, operands);
  char* const to = result.data<char>();
  const int64_t size = element_size(x.tensor.dtype);
  const Planes planes = x.view();
  const int64_t cost = 16 * width * x.planes;
  cpu::parallel_items(height, cost, [&](int64_t begin, int64_t end) {
    double ys[kBlock];
    double xs[kBlock];
    for (int64_t row = begin; row < end; ++row) {
      for (int64_t first = 0; first < width; first += kBlock) {
        const int64_t n = std::min(kBlock, width - first);
        for (int64_t i = 0; i < n; ++i) {
          place(row, first + i, ys + i, xs + i);
        }
        run(to + (row * width + first) * size, height * width, planes, ys, xs, n, how);
      }
    }
  });
  result.finish();
}

void warp(TH_Tensor* r, const TH_Tensor* t, const TH_Tensor* f, bool offset, const Sampling& how) {
  const Picture x(t);
  check_defined(f, "the field");
  check_dtype(*f, TH_DOUBLE, "the field");
  TH_CHECK(f->ndim == 3 && f->sizes[0] == 2, "the field is ", shape(*f),
           ", wanted 2 x H x W: of each pixel where it comes from, first y, then x");
  const Tensor field = contiguous(*f);
  const int64_t height = f->sizes[1];
  const int64_t width = f->sizes[2];
  const double* const ys = data<double>(field);
  const double* const xs = ys + height * width;
  sample(r, x, height, width, how, {&x.tensor, &field},
         [=](int64_t row, int64_t column, double* py, double* px) {
           const int64_t i = row * width + column;
           *py = ys[i] + (offset ? static_cast<double>(row) : 0);
           *px = xs[i] + (offset ? static_cast<double>(column) : 0);
         });
}

void affine(TH_Tensor* r, const TH_Tensor* t, const double* m, const double* shift,
            const Sampling& how) {
  const Picture x(t);
  const double cy = static_cast<double>(x.height - 1) / 2;
  const double cx = static_cast<double>(x.width - 1) / 2;
  sample(r, x, x.height, x.width, how, {&x.tensor},
         [=](int64_t row, int64_t column, double* py, double* px) {
           const double dy = static_cast<double>(row) - cy;
           const double dx = static_cast<double>(column) - cx;
           *py = cy + m[0] * dy + m[1] * dx - shift[0];
           *px = cx + m[2] * dy + m[3] * dx - shift[1];
         });
}

void polar(TH_Tensor* r, const TH_Tensor* t, int64_t height, int64_t width, bool logarithmic,
           bool full, int interpolation) {
  const Picture x(t);
  const double cy = static_cast<double>(x.height - 1) / 2;
  const double cx = static_cast<double>(x.width - 1) / 2;
  const double reach = full ? std::hypot(cy, cx) : std::min(cy, cx);
  const double rows = static_cast<double>(height);
  const double columns = static_cast<double>(width);
  sample(r, x, height, width, {interpolation, true, 0}, {&x.tensor},
         [=](int64_t row, int64_t column, double* py, double* px) {
           const double angle = 2 * std::numbers::pi * static_cast<double>(row) / rows;
           const double part = static_cast<double>(column) / columns;
           const double radius = logarithmic ? std::pow(reach, part) : reach * part;
           *py = cy - radius * std::sin(angle);
           *px = cx + radius * std::cos(angle);
         });
}

}  // namespace
}  // namespace th::image

int THImage_warp(TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* field, int interpolation,
                 bool offset, bool pad, double value) {
  return th::guarded("image.warp", [&] {
    th::image::warp(r, x, field, offset, {interpolation, pad, value});
  });
}

int THImage_affine(TH_Tensor* r, const TH_Tensor* x, const double* matrix,
                   const double* translation, int interpolation, bool pad, double value) {
  return th::guarded("image.affinetransform", [&] {
    th::image::affine(r, x, matrix, translation, {interpolation, pad, value});
  });
}

int THImage_polar(TH_Tensor* r, const TH_Tensor* x, int64_t height, int64_t width, bool logarithmic,
                  bool full, int interpolation) {
  return th::guarded(logarithmic ? "image.logpolar" : "image.polar", [&] {
    th::image::polar(r, x, height, width, logarithmic, full, interpolation);
  });
}
