#include "cpu/nn/quantized/few_samples.h"

#include <algorithm>

#include "cpu/kernels/nn/quantized.h"
#include "cpu/parallel.h"
#include "cpu/work_buffers.h"
#include "functors/quantized.h"

namespace th::cpu::int8 {

void linear_of_few(const Product& p, const uint8_t* x, const int8_t* weight, const float* bias,
                   const float* scale, void* y) {
  constexpr int64_t kRows = 64;     // of weights that stay near for all samples
  constexpr int64_t kProducts = 8;  // that cost as much as one element of other work
  const Buffers<int16_t> memory(1, p.samples * p.inputs);
  int16_t* const codes = memory[0];
  std::copy_n(x, p.samples * p.inputs, codes);
  const auto products = quantized_kernels().products;
  const int64_t blocks = (p.outputs + kRows - 1) / kRows;
  parallel_items(blocks, kRows * p.samples * p.inputs / kProducts, [&](int64_t begin, int64_t end) {
    int32_t sums[kRows];
    for (int64_t j = begin * kRows; j < std::min(p.outputs, end * kRows); j += kRows) {
      const int64_t rows = std::min(kRows, p.outputs - j);
      for (int64_t n = 0; n < p.samples; ++n) {
        products(rows, p.inputs, sums, codes + n * p.inputs, weight + j * p.inputs);
        for (int64_t i = 0; i < rows; ++i) {
          const float number = (static_cast<float>(sums[i]) + bias[j + i]) * scale[j + i];
          const int64_t at = n * p.outputs + j + i;
          if (p.result == TH_BYTE) {
            static_cast<uint8_t*>(y)[at] = functors::code_of(number);
          } else {
            static_cast<float*>(y)[at] = number;
          }
        }
      }
    }
  });
}

}  // namespace th::cpu::int8
