// Moving elements needs no more of their type than its size.
#pragma once

#include <cstdint>

namespace th {

/// go<T>() with the unsigned integer of 1, 2, 4 or 8 bytes.
template <class F>
void with_size(int64_t bytes, F&& go) {
  switch (bytes) {
    case 1:
      return go.template operator()<uint8_t>();
    case 2:
      return go.template operator()<uint16_t>();
    case 4:
      return go.template operator()<uint32_t>();
    default:
      return go.template operator()<uint64_t>();
  }
}

}  // namespace th
