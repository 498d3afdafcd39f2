// Products and convolutions of 8-bit numbers by oneDNN: the one place that asks it for them.
#pragma once

#include <cstdint>

#include "TH_core.h"
#include "functors/image_shapes.h"

namespace th::cpu::int8 {

struct Product {
  int64_t samples, inputs, outputs;
  int result;  ///< TH_BYTE or TH_FLOAT
};

struct Addend {
  const uint8_t* data;  ///< may be null
  float scale;
};

/// scale[k] (x weight' + bias[k]); false, and nothing done, where oneDNN has no kernel that may be
/// used, or the processor no instructions for it.
bool linear(const Product& p, const uint8_t* x, const TH_Tensor& weight, const float* bias,
            const float* scale, void* y);

/// scale[k] (conv(x, weight) + bias[k]) + addend; x, addend and y lie pixel by pixel. Likewise.
bool conv(const ConvShape& s, const uint8_t* x, const TH_Tensor& weight, const float* bias,
          const float* scale, const Addend& addend, int result, void* y);

}  // namespace th::cpu::int8
