// Colour spaces and morphology.
#include <vector>

#include "cpu/parallel.h"
#include "picture.h"

namespace th::image {
namespace {

void colour(TH_Tensor* r, const TH_Tensor* t, int conversion) {
  const Picture x(t);
  check_result(r, x.tensor);
  const TH_Tensor& p = x.tensor;
  TH_CHECK(p.ndim == 3 && p.sizes[0] == 3, "wanted a picture of 3 x H x W, got ", shape(p));
  TH_CHECK(conversion >= TH_IMAGE_RGB2Y && conversion <= TH_IMAGE_RGB2NRGB, "unknown conversion ",
           conversion);
  const bool outside = conversion == TH_IMAGE_RGB2YUV || conversion == TH_IMAGE_YUV2RGB ||
                       conversion == TH_IMAGE_RGB2LAB || conversion == TH_IMAGE_LAB2RGB;
  TH_CHECK(!outside || is_floating(p.dtype), type_name(p),
           " cannot hold this colour space, which has negative values; use x:float():div(255)");
  const auto run = for_type(kernels().colour, p, "a Byte-, Float- or DoubleTensor");
  const int64_t sizes[] = {conversion == TH_IMAGE_RGB2Y ? 1 : 3, x.height, x.width};
  Result result(r, sizes, Result::Compact, {&p});
  void* const to = result.data<char>();
  const int64_t plane = x.height * x.width;
  cpu::parallel_for(plane, 2048, [&](int64_t begin, int64_t end) {
    run(to, bytes(p), plane, begin, end, conversion);
  });
  result.finish();
}

void morphology(TH_Tensor* r, const TH_Tensor* t, const TH_Tensor* kernel, bool erode, double pad) {
  const Picture x(t);
  check_result(r, x.tensor);
  check_defined(kernel, "the kernel");
  check_dtype(*kernel, TH_DOUBLE, "the kernel");
  TH_CHECK(kernel->ndim == 2 && kernel->sizes[0] % 2 == 1 && kernel->sizes[1] % 2 == 1,
           "the kernel is ", shape(*kernel), ", wanted an odd number of rows and of columns");
  const Tensor k = contiguous(*kernel);
  const int64_t rows = k.sizes[0];
  const int64_t columns = k.sizes[1];
  std::vector<Offset> offsets;
  for (int64_t i = 0; i < rows * columns; ++i) {
    if (data<double>(k)[i] != 0) {
      const int64_t dy = i / columns - rows / 2;
      const int64_t dx = i % columns - columns / 2;
      offsets.push_back(erode ? Offset{dy, dx} : Offset{-dy, -dx});
    }
  }
  TH_CHECK(!offsets.empty(), "the kernel is all zeros: no pixel is looked at");
  const auto run = for_type(kernels().morphology, x.tensor, kNumbers);
  Result result(r, sizes_of(x.tensor), Result::Compact, {&x.tensor});
  char* const to = result.data<char>();
  const char* const from = bytes(x.tensor);
  const auto count = static_cast<int64_t>(offsets.size());
  cpu::parallel_items(x.planes * x.height, x.width * count, [&](int64_t begin, int64_t end) {
    while (begin < end) {
      const int64_t p = begin / x.height;
      const int64_t stop = std::min(end, (p + 1) * x.height);
      const int64_t at = p * x.plane_bytes();
      run(to + at, from + at, x.height, x.width, offsets.data(), count, begin - p * x.height,
          stop - p * x.height, erode, pad);
      begin = stop;
    }
  });
  result.finish();
}

}  // namespace
}  // namespace th::image

int THImage_colour(TH_Tensor* r, const TH_Tensor* x, int conversion) {
  constexpr const char* names[] = {
      "image.rgb2y",   "image.rgb2yuv", "image.yuv2rgb", "image.rgb2hsl", "image.hsl2rgb",
      "image.rgb2hsv", "image.hsv2rgb", "image.rgb2lab", "image.lab2rgb", "image.rgb2nrgb"};
  const bool known = conversion >= 0 && conversion <= TH_IMAGE_RGB2NRGB;
  return th::guarded(known ? names[conversion] : "image",
                     [&] { th::image::colour(r, x, conversion); });
}

int THImage_morphology(TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* kernel, bool erode,
                       double pad) {
  return th::guarded(erode ? "image.erode" : "image.dilate",
                     [&] { th::image::morphology(r, x, kernel, erode, pad); });
}
