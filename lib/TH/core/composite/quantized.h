// What a backend falls back on where its own kernels do not fit.
#pragma once

#include "TH_core.h"

#pragma GCC visibility push(default)
namespace th::composite {

void quantized_linear(TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* weight,
                      const TH_Tensor* bias, const TH_Tensor* scale);
void quantized_conv(TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* weight,
                    const TH_Tensor* bias, const TH_Tensor* scale, const TH_Tensor* addend,
                    double addend_scale, int padding_value, int dims, const int64_t* stride,
                    const int64_t* padding, const int64_t* dilation, int groups);
void packed_linear(TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* codes, const TH_Tensor* scale,
                   const TH_Tensor* zero, const TH_Tensor* bias, int bits);

}  // namespace th::composite
#pragma GCC visibility pop
