// The first element that is not as it should be, before anything is written. Waits for the device.
#pragma once

#include "core/memory/allocator.h"
#include "cuda/atomics.h"
#include "cuda/launch.h"

namespace thc {

namespace detail {

template <class Predicate>
struct FirstWhere {
  Predicate predicate;
  int64_t* first;
  TH_HD void operator()(int64_t i) const {
    if (predicate(i)) {
      atomic_min(first, i);
    }
  }
};

}  // namespace detail

/// The first i < n for which predicate(i), or -1. On the current stream of t's device.
template <class Predicate>
int64_t first_where(const TH_Tensor& t, int64_t n, const Predicate& predicate) {
  constexpr int64_t kNone = 0x7f7f7f7f7f7f7f7f;
  const cudaStream_t stream = stream_for(t);
  const Scratch scratch(t, sizeof(int64_t));
  auto* first = scratch.data<int64_t>();
  THC_CHECK(cudaMemsetAsync(first, 0x7f, sizeof(int64_t), stream));
  launch(stream, n, detail::FirstWhere<Predicate>{predicate, first});
  const int64_t found = fetch(first, stream);
  return found == kNone ? -1 : found;
}

}  // namespace thc
