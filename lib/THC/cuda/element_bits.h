// A script's number as the bits of an element: writing elements needs no more of their type.
#pragma once

#include <cstring>

#include "core/tensor/dtype.h"

namespace thc {

inline uint64_t element_bits(int dtype, double value) {
  uint64_t bits = 0;
  th::AllTypes::dispatch(dtype, [&]<class T>() {
    const T element = th::from_number<T>(value);
    std::memcpy(&bits, &element, sizeof(T));
  });
  return bits;
}

}  // namespace thc
