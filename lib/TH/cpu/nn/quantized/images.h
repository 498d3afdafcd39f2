// Images of bytes whose planes lie side by side: N x H x W x C in memory, while their sizes are
// N x C x H x W or C x H x W.
#pragma once

#include <array>
#include <initializer_list>
#include <span>

#include "cpu/operands.h"
#include "functors/image_shapes.h"

namespace th::cpu {

/// The same elements with the planes last.
inline Tensor planes_last(const TH_Tensor& x) {
  Tensor pixels;
  init(pixels, x.dtype, x.device_type, x.device);
  constexpr std::array<int64_t, 4> order{0, 2, 3, 1};
  constexpr std::array<int64_t, 3> single{1, 2, 0};
  th::permute(pixels, x,
              x.ndim == 4 ? std::span<const int64_t>(order) : std::span<const int64_t>(single));
  return pixels;
}

inline bool lies_by_pixels(const TH_Tensor& x) { return is_contiguous(planes_last(x)); }

/// With the planes last, without gaps.
inline Tensor by_pixels(const TH_Tensor& x) { return contiguous(planes_last(x)); }

/// With a border of that value, as wide as the convolution's padding.
inline Tensor padded_pixels(const TH_Tensor& x, const ConvShape& s, int value) {
  const std::array<int64_t, 4> sizes{s.N, s.H + 2 * s.padH, s.W + 2 * s.padW, s.C};
  Tensor all = Tensor::like(x, x.dtype, std::span(sizes).last(static_cast<size_t>(x.ndim)));
  std::fill_n(data<uint8_t>(all), numel(all), static_cast<uint8_t>(value));
  Tensor rows, inside;
  init(rows, x.dtype, x.device_type, x.device);
  init(inside, x.dtype, x.device_type, x.device);
  th::narrow(rows, all, x.ndim - 3, s.padH, s.H);
  th::narrow(inside, rows, x.ndim - 2, s.padW, s.W);
  th::copy(inside, planes_last(x));
  return all;
}

/// Where images are computed pixel by pixel: the result itself where it may lie so, else a tensor
/// of its own. Floats come in the usual order in the end. As for Result, r keeps its sizes until
/// finish.
class PixelResult {
 public:
  /// sizes: of r, C x H x W last
  PixelResult(TH_Tensor* r, std::span<const int64_t> sizes,
              std::initializer_list<const TH_Tensor*> operands)
      : r_(r), ndim_(static_cast<int>(sizes.size())) {
    std::ranges::copy(sizes, sizes_.begin());
    const auto C = static_cast<size_t>(ndim_ - 3);
    if (r->dtype == TH_BYTE) {
      strides_ = {sizes[C] * sizes[C + 1] * sizes[C + 2]};
      strides_[C] = 1;
      strides_[C + 1] = sizes[C] * sizes[C + 2];
      strides_[C + 2] = sizes[C];
    }
    const bool stays = std::ranges::equal(sizes, sizes_of(*r));
    bool apart = r->dtype != TH_BYTE || (stays && !lies_by_pixels(*r));
    for (const TH_Tensor* t : operands) {
      apart = apart || shares_memory(*r, *t);
    }
    if (apart) {
      std::array<int64_t, 4> last = sizes_;
      std::rotate(last.begin() + C, last.begin() + C + 1, last.begin() + C + 3);
      own_ = Tensor::like(*r, r->dtype, std::span(last).first(sizes.size()));
    }
    if (!stays) {
      reserve(*r, sizes, strides());
    }
  }

  void* data() const { return own_.ndim > 0 ? bytes(own_) : bytes(*r_); }

  void finish() {
    const std::span<const int64_t> sizes = std::span(sizes_).first(static_cast<size_t>(ndim_));
    if (!std::ranges::equal(sizes, sizes_of(*r_))) {
      resize(*r_, sizes, strides());
    }
    if (own_.ndim > 0) {
      Tensor to = planes_last(*r_);
      th::copy(to, own_);
    }
  }

 private:
  std::span<const int64_t> strides() const {
    return std::span(strides_).first(r_->dtype == TH_BYTE ? static_cast<size_t>(ndim_) : 0);
  }

  TH_Tensor* r_;
  Tensor own_;
  int ndim_;
  std::array<int64_t, 4> sizes_{}, strides_{};
};

}  // namespace th::cpu
