// Numbers of 8 bits and fewer, for the loops of every device: a code q stands for
// scale (q - zero).
#pragma once

#include <cmath>
#include <cstdint>

#include "functors/instruction_set.h"
#include "functors/numeric.h"

namespace th::functors {
inline namespace TH_ISA {

/// The nearest of 0 to 255, of two the even one; 0 for what is no number.
[[gnu::always_inline]] TH_HD inline uint8_t code_of(float y) {
  const float low = y > 0.f ? y : 0.f;
  return static_cast<uint8_t>(static_cast<int32_t>(std::rint(low < 255.f ? low : 255.f)));
}

struct Quantize {
  float factor, zero;
  template <class C>
  [[gnu::always_inline]] TH_HD uint8_t operator()(C x) const {
    return code_of(factor * static_cast<float>(x) + zero);
  }
};

/// The sum of two codes as a code.
struct AddCodes {
  float a, b, offset;
  [[gnu::always_inline]] TH_HD uint8_t operator()(uint8_t x, uint8_t y) const {
    return code_of(a * static_cast<float>(x) + b * static_cast<float>(y) + offset);
  }
};

/// The number that a code stands for.
template <class C>
[[gnu::always_inline]] TH_HD inline C decoded(int code, int zero, C scale) {
  return scale * static_cast<C>(code - zero);
}

}  // namespace TH_ISA
}  // namespace th::functors
