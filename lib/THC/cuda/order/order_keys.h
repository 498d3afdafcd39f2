// Elements of any type as integers that sort as they do, and back.
#pragma once

#include "core/tensor/dtype.h"
#include "functors/order.h"

namespace thc {

namespace detail {

template <class T>
TH_HD inline uint64_t key_at(const char* base, int64_t offset) {
  using Bits = th::functors::Unsigned<T>;
  return th::functors::key_of<T>(reinterpret_cast<const Bits*>(base)[offset]);
}

template <class T>
TH_HD inline void element_at(char* base, int64_t offset, uint64_t key) {
  using Bits = th::functors::Unsigned<T>;
  reinterpret_cast<Bits*>(base)[offset] = th::functors::bits_of<T>(static_cast<Bits>(key));
}

}  // namespace detail

/// The key of the element at an offset.
TH_HD inline uint64_t order_key(const char* base, int dtype, int64_t offset) {
  using namespace detail;
  using th::BFloat16;
  using th::Half;
  switch (dtype) {
#define TH_DTYPE(TAG, NAME, ELEMENT, C, FIELD, KIND, COMPUTED) \
  case TAG:                                                    \
    return key_at<ELEMENT>(base, offset);
#include "ops/dtypes.def"
#undef TH_DTYPE
    default:
      return 0;
  }
}

/// Write the element that a key stands for.
TH_HD inline void store_ordered(char* base, int dtype, int64_t offset, uint64_t key) {
  using namespace detail;
  using th::BFloat16;
  using th::Half;
  switch (dtype) {
#define TH_DTYPE(TAG, NAME, ELEMENT, C, FIELD, KIND, COMPUTED) \
  case TAG:                                                    \
    return element_at<ELEMENT>(base, offset, key);
#include "ops/dtypes.def"
#undef TH_DTYPE
    default:
      return;
  }
}

}  // namespace thc
