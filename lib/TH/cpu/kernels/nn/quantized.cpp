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

/// Of 16 bits, which processors multiply in pairs: bytes of two kinds they do not, or not exactly.
void products(int64_t rows, int64_t k, int32_t* r, const int16_t* x, const int8_t* w) {
  for (int64_t i = 0; i < rows; ++i, w += k) {
    int32_t sum = 0;
    for (int64_t p = 0; p < k; ++p) {
      sum += int32_t{x[p]} * int32_t{int16_t{w[p]}};
    }
    r[i] = sum;
  }
}

}  // namespace

void set_kernels(QuantizedKernels& table) { table = {quantize, add, maximum, products}; }

}  // namespace th::cpu::TH_ISA
