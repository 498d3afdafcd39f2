#include "cpu/kernels/nn/quantized.h"

#include "functors/quantized.h"

namespace th::cpu::TH_ISA {
namespace {

void quantize(int64_t n, uint8_t* r, const float* x, float factor, float zero) {
  const functors::Quantize f{factor, zero};
#pragma GCC ivdep
  for (int64_t i = 0; i < n; ++i) {
    r[i] = f(x[i]);
  }
}

void add(int64_t n, uint8_t* r, const uint8_t* x, const uint8_t* y, float a, float b,
         float offset) {
  const functors::AddCodes f{a, b, offset};
#pragma GCC ivdep
  for (int64_t i = 0; i < n; ++i) {
    r[i] = f(x[i], y[i]);
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
