// Vectors of tiles' numbers, and how they come from and go to memory of floats and of bfloat16.
#pragma once

#include "cpu/kernels/nn/every_fourth.h"
#include "cpu/kernels/nn/winograd.h"
#include "cpu/kernels/nn/winograd_points.h"
#include "cpu/kernels/pairs.h"

namespace th::cpu::TH_ISA {
namespace {

constexpr int64_t kIn = 6;

/// Store in a loop that gcc would take for memcpy or memset: rows are short, and a call takes
/// longer.
[[gnu::always_inline]] inline void store_here(float* p, V v) {
#if defined(__x86_64__)
  asm("" : "+v"(v));
#elif defined(__aarch64__)
  asm("" : "+w"(v));
#endif
  store(p, v);
}

/// The first `left` of kL elements, the others zero; and back.
[[gnu::always_inline]] inline V load_to(const float* p, int64_t left) {
  return left >= kL ? load<V>(p) : load_part<float>(p, left, V{});
}
[[gnu::always_inline]] inline void store_to(float* p, int64_t left, V v) {
  if (left >= kL) {
    store_here(p, v);
  } else {
    store_part<float>(p, left, v);
  }
}

}  // namespace
}  // namespace th::cpu::TH_ISA
