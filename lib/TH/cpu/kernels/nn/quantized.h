// Activations of 8 bits: from floats, to sums and products. Blocks without gaps.
#pragma once

#include <cstdint>

#include "cpu/kernels/table.h"

namespace th::cpu {

struct QuantizedKernels {
  /// r = factor x + zero, rounded, within 0 to 255.
  void (*quantize)(int64_t n, uint8_t* r, const float* x, float factor, float zero);
  /// r = a x + b y + offset, likewise. r may be x or y.
  void (*add)(int64_t n, uint8_t* r, const uint8_t* x, const uint8_t* y, float a, float b,
              float offset);
  /// r = the larger of r and x.
  void (*maximum)(int64_t n, uint8_t* r, const uint8_t* x);
  /// r[i] = the sum of x[p] w[i * k + p] over p < k.
  void (*products)(int64_t rows, int64_t k, int32_t* r, const int16_t* x, const int8_t* w);
};

TH_KERNEL_TABLE(QuantizedKernels)

const QuantizedKernels& quantized_kernels();

}  // namespace th::cpu
