// The numbers that a caller gives for windows: kernel, stride, padding, dilation of convolution,
// pooling and padding.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>

#include "core/tensor/tensor.h"

namespace th {

/// Two such numbers multiplied and some more added up fit into 64 bits: formulas of sizes need not
/// ask. Nobody has tensors that would need larger ones, and the vendors' libraries take ints.
inline constexpr int64_t kLargestNumber = std::numeric_limits<int32_t>::max();

/// Each number is at least `least`, and not larger than formulas stand.
inline void check_numbers(const char* name, std::span<const int64_t> numbers, int64_t least) {
  TH_CHECK(std::ranges::all_of(numbers, [least](int64_t n) { return n >= least; }), name, " is ",
           shape(numbers), ", its sizes must be at least ", least);
  TH_CHECK(std::ranges::all_of(numbers, [](int64_t n) { return n <= kLargestNumber; }), name,
           " is ", shape(numbers), ", its sizes must be at most ", kLargestNumber);
}

}  // namespace th
