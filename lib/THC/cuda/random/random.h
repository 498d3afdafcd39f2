// What random fills and random samples share.
//
// The numbers of an operation depend on the seed and on what was drawn before, not on types,
// strides or the order threads run in. Parameters are checked before anything is drawn.
#pragma once

#include "core/random_state.h"
#include "core/tensor/tensor.h"
#include "cuda/launch.h"
#include "cuda/wide_elements.h"

namespace thc {

inline void check_drawn(const TH_Tensor* r, const TH_Generator* g) {
  TH_CHECK(r != nullptr, "the tensor is missing");
  TH_CHECK(g == nullptr,
           "a CUDA tensor draws from its device's generator, got one of the CPU; leave it out");
}

/// Numbers that a counter's 128 bits are enough for.
template <class C>
inline constexpr int kLanes = 16 / static_cast<int>(sizeof(C));

/// A counter's bits as numbers in [0, 1), or in (0, 1).
TH_HD inline void units(const Random4& b, float* u) {
  for (int j = 0; j < 4; ++j) {
    u[j] = unit_float(b.x[j]);
  }
}
TH_HD inline void units(const Random4& b, double* u) {
  u[0] = unit_double(b.x[0], b.x[1]);
  u[1] = unit_double(b.x[2], b.x[3]);
}
TH_HD inline void open_units(const Random4& b, float* u) {
  for (int j = 0; j < 4; ++j) {
    u[j] = open_unit_float(b.x[j]);
  }
}
TH_HD inline void open_units(const Random4& b, double* u) {
  u[0] = open_unit_double(b.x[0], b.x[1]);
  u[1] = open_unit_double(b.x[2], b.x[3]);
}

/// Draw: Lanes numbers of type V, those of elements first, first + 1, ...
template <class V, int Lanes, class Draw>
struct Fill {
  PhiloxPosition random;
  WideElements<V> r;
  OffsetCalculator layout;
  int64_t n;
  Draw draw;

  TH_HD void operator()(int64_t i) const {
    const int64_t first = i * Lanes;
    V v[Lanes];
    draw(random(static_cast<uint64_t>(i)), first, v);
    for (int j = 0; j < Lanes && first + j < n; ++j) {
      r.store(layout.offset(first + j), v[j]);
    }
  }
};

template <class V, int Lanes, class Draw>
void fill_drawn(TH_Tensor& r, const Draw& draw) {
  const int64_t n = numel(r);
  const int64_t counters = (n + Lanes - 1) / Lanes;
  const cudaStream_t stream = stream_for(r);
  const PhiloxPosition random = take_random(r.device, static_cast<uint64_t>(counters));
  launch(stream, counters,
         Fill<V, Lanes, Draw>{random, WideElements<V>(r), OffsetCalculator(r), n, draw});
}

}  // namespace thc
