// Padding and enlarging by a backend's two passes. Each rule says from which elements of the input
// an element of the output comes.
#pragma once

#include <type_traits>

#include "core/checks/resample.h"
#include "core/tables/resample.h"
#include "functors/resample.h"

namespace th {

/// Passes has forward<Rule>(shapes, r, x) and backward<Rule>(shapes, r, g, x).
template <class Passes, class Rule>
struct Resampling {
  static constexpr bool kReflects = std::is_same_v<Rule, functors::Reflect>;

  static void pad(TH_Tensor* r, const TH_Tensor* x, int dims, const int64_t* before,
                  const int64_t* after) {
    Passes::template forward<Rule>(check_padding(r, x, dims, before, after, kReflects), r, x);
  }

  static void pad_backward(TH_Tensor* r, const TH_Tensor* g, const TH_Tensor* x, int dims,
                           const int64_t* before, const int64_t* after) {
    const Pooling p = check_padding(r, x, dims, before, after, kReflects);
    check_pool_gradient(g, p, *x);
    Passes::template backward<Rule>(p, r, g, x);
  }

  static void upsample(TH_Tensor* r, const TH_Tensor* x, int dims, const int64_t* sizes) {
    Passes::template forward<Rule>(check_upsampling(r, x, dims, sizes), r, x);
  }

  static void upsample_backward(TH_Tensor* r, const TH_Tensor* g, const TH_Tensor* x, int dims,
                                const int64_t* sizes) {
    const Pooling p = check_upsampling(r, x, dims, sizes);
    check_pool_gradient(g, p, *x);
    Passes::template backward<Rule>(p, r, g, x);
  }
};

template <class Passes>
void fill_resample(ResampleTable& b) {
  using Replicated = Resampling<Passes, functors::Replicate>;
  using Reflected = Resampling<Passes, functors::Reflect>;
  using Repeated = Resampling<Passes, functors::Nearest>;
  using Interpolated = Resampling<Passes, functors::Linear>;
  b.replicate_pad = Replicated::pad;
  b.replicate_pad_backward = Replicated::pad_backward;
  b.reflect_pad = Reflected::pad;
  b.reflect_pad_backward = Reflected::pad_backward;
  b.upsample_nearest = Repeated::upsample;
  b.upsample_nearest_backward = Repeated::upsample_backward;
  b.upsample_linear = Interpolated::upsample;
  b.upsample_linear_backward = Interpolated::upsample_backward;
}

}  // namespace th
