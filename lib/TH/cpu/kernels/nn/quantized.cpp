#include "cpu/kernels/nn/quantized.h"

namespace th::cpu::TH_ISA {
namespace {

/// The nearest of 0 to 255, of two the even one; 0 for what is no number.
[[gnu::always_inline]] inline uint8_t code_of(float y) {
  const float low = y > 0.f ? y : 0.f;
  return static_cast<uint8_t>(static_cast<int32_t>(__builtin_rintf(low < 255.f ? low : 255.f)));
}

void quantize(int64_t n, uint8_t* r, const float* x, float factor, float zero) {
#pragma GCC ivdep
  for (int64_t i = 0; i < n; ++i) {
    r[i] = code_of(factor * x[i] + zero);
  }
}

void add(int64_t n, uint8_t* r, const uint8_t* x, const uint8_t* y, float a, float b,
         float offset) {
#pragma GCC ivdep
  for (int64_t i = 0; i < n; ++i) {
    r[i] = code_of(a * static_cast<float>(x[i]) + b * static_cast<float>(y[i]) + offset);
  }
}

void maximum(int64_t n, uint8_t* r, const uint8_t* x) {
#pragma GCC ivdep
  for (int64_t i = 0; i < n; ++i) {
    r[i] = r[i] < x[i] ? x[i] : r[i];
  }
}

}  // namespace

void set_kernels(QuantizedKernels& table) { table = {quantize, add, maximum}; }

}  // namespace th::cpu::TH_ISA
