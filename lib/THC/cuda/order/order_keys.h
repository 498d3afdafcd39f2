// Elements of any type as integers that sort as they do, and back.
#pragma once

#include "core/dtype.h"
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
  switch (dtype) {
    case TH_BYTE:
      return key_at<uint8_t>(base, offset);
    case TH_CHAR:
      return key_at<int8_t>(base, offset);
    case TH_SHORT:
      return key_at<int16_t>(base, offset);
    case TH_INT:
      return key_at<int32_t>(base, offset);
    case TH_LONG:
      return key_at<int64_t>(base, offset);
    case TH_HALF:
      return key_at<th::Half>(base, offset);
    case TH_BFLOAT16:
      return key_at<th::BFloat16>(base, offset);
    case TH_FLOAT:
      return key_at<float>(base, offset);
    default:
      return key_at<double>(base, offset);
  }
}

/// Write the element that a key stands for.
TH_HD inline void store_ordered(char* base, int dtype, int64_t offset, uint64_t key) {
  using namespace detail;
  switch (dtype) {
    case TH_BYTE:
      return element_at<uint8_t>(base, offset, key);
    case TH_CHAR:
      return element_at<int8_t>(base, offset, key);
    case TH_SHORT:
      return element_at<int16_t>(base, offset, key);
    case TH_INT:
      return element_at<int32_t>(base, offset, key);
    case TH_LONG:
      return element_at<int64_t>(base, offset, key);
    case TH_HALF:
      return element_at<th::Half>(base, offset, key);
    case TH_BFLOAT16:
      return element_at<th::BFloat16>(base, offset, key);
    case TH_FLOAT:
      return element_at<float>(base, offset, key);
    default:
      return element_at<double>(base, offset, key);
  }
}

}  // namespace thc
