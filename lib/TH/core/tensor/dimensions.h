// Walking the dimensions of tensors in any strides.
#pragma once

#include <cstdint>

namespace th {

/// What a dimension adds to an offset, and the list of such steps that it goes to.
struct Steps {
  int64_t* list;
  int64_t stride;
};

/// Append a dimension to a list of `count`: sizes of 1 are left out, and where the last one's
/// elements lie side by side with its own, in all of the tensors, the two become one.
template <class... S>
inline void join_dimension(int& count, int64_t* sizes, int64_t size, S... steps) {
  if (size == 1) {
    return;
  }
  if (count > 0 && ((steps.list[count - 1] == size * steps.stride) && ...)) {
    sizes[--count] *= size;
  } else {
    sizes[count] = size;
  }
  ((steps.list[count] = steps.stride), ...);
  ++count;
}

/// Where a position in row-major order lies.
inline int64_t offset_at(int64_t position, int ndim, const int64_t* sizes, const int64_t* strides) {
  int64_t offset = 0;
  for (int d = ndim - 1; d >= 0; --d) {
    offset += position % sizes[d] * strides[d];
    position /= sizes[d];
  }
  return offset;
}

}  // namespace th
