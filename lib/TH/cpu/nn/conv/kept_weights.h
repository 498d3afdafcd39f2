// Weights as a convolution's kernels want them, kept for the next call.
#pragma once

#include "core/memory/kept_forms.h"
#include "functors/image_shapes.h"

namespace th::cpu {

/// A convolution's weights; `tensor` is the caller's, or null where they lie in memory that is gone
/// after the call.
struct Weights {
  const float* data;
  const TH_Tensor* tensor = nullptr;

  Weights(const float* d, const TH_Tensor* t = nullptr) : data(d), tensor(t) {}  // NOLINT

  /// Another form of them, if it is kept. For few positions only: to many, making it is nothing.
  std::shared_ptr<const float> kept(const ConvShape& s, const PlanKey& form, int64_t floats,
                                    const std::function<void(float*)>& make) const {
    constexpr int64_t kFew = 4096;
    if (tensor == nullptr || s.N * s.outputs() > kFew) {
      return nullptr;
    }
    return kept_form(*tensor, form, floats, make);
  }
};

}  // namespace th::cpu
