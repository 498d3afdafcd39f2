// Linear on bytes for few samples, by products of integers, where oneDNN has none: what takes time
// is the weights' way from memory, of which bytes are a quarter.
#pragma once

#include "cpu/nn/quantized/onednn_int8.h"

namespace th::cpu::int8 {

/// Up to here; more samples are as fast as floats, into which the weights are made then.
inline constexpr int64_t kFewSamples = 16;

/// Whether linear_of_few() may be used: sums of more products than this could leave 32 bits.
inline bool has_few_samples(const Product& p) {
  return p.samples <= kFewSamples && p.inputs <= 65536;
}

/// y = (x weight' + bias) scale, of p.result's type.
void linear_of_few(const Product& p, const uint8_t* x, const int8_t* weight, const float* bias,
                   const float* scale, void* y);

}  // namespace th::cpu::int8
