// What every operation on pictures begins with: a tensor of planes on the CPU.
#pragma once

#include <cstdint>

#include "THimage.h"
#include "core/runtime/error.h"
#include "core/tensor/aliasing.h"
#include "core/tensor/tensor.h"
#include "kernels/kernels.h"

namespace th::image {

/// Compact, with at least two dimensions: the last two are a plane's.
struct Picture {
  Tensor tensor;
  int64_t planes, height, width;

  explicit Picture(const TH_Tensor* t) {
    check_defined(t, "the picture");
    TH_CHECK(t->device_type == TH_CPU, "a picture is a tensor of the CPU, got a ", type_name(*t),
             "; copy it, as in x:float()");
    TH_CHECK(t->ndim >= 2, "a picture is C x H x W or H x W, got ", shape(*t));
    tensor = contiguous(*t);
    height = t->sizes[t->ndim - 2];
    width = t->sizes[t->ndim - 1];
    planes = numel(*t) / (height * width);
  }

  Planes view() const { return {bytes(tensor), planes, height, width}; }
  int64_t plane_bytes() const { return height * width * element_size(tensor.dtype); }
};

/// The sizes of x with other planes.
struct Sizes {
  int64_t sizes[TH_MAX_DIMS];
  int ndim;

  Sizes(const TH_Tensor& x, int64_t height, int64_t width) : ndim(x.ndim) {
    std::copy(x.sizes, x.sizes + ndim, sizes);
    sizes[ndim - 2] = height;
    sizes[ndim - 1] = width;
  }
  std::span<const int64_t> span() const { return {sizes, static_cast<size_t>(ndim)}; }
};

inline void check_result(const TH_Tensor* r, const TH_Tensor& x) {
  TH_CHECK(r != nullptr, "there is no result");
  check_same_dtype(*r, x);
  TH_CHECK(r->device_type == TH_CPU, "the result is a ", type_name(*r), ", wanted one of the CPU");
}

/// The function of x's type.
template <class F>
F for_type(const F (&row)[TH_NUM_DTYPES], const TH_Tensor& x, const char* wanted) {
  TH_CHECK(row[x.dtype] != nullptr, type_name(x), " is not supported; wanted ", wanted,
           ". Convert it first, as in x:float()");
  return row[x.dtype];
}

inline constexpr const char* kNumbers =
    "a Byte-, Char-, Short-, Int-, Long-, Float- or DoubleTensor";

inline void check_size(int64_t height, int64_t width) {
  // Positions in a row are 32-bit numbers (Axis).
  TH_CHECK(height > 0 && width > 0 && height <= INT32_MAX && width <= INT32_MAX, "the new size is ",
           width, "x", height, " (width x height), wanted positive numbers");
}

}  // namespace th::image
