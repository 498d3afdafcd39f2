// The gradients of LSTMs, as in ops/nn/recurrent.def.
#pragma once

#include "TH_core.h"

namespace th::cpu {

void lstm_backward(TH_Tensor* gx, TH_Tensor* gh0, TH_Tensor* gc0, TH_Tensor* grad_weight,
                   TH_Tensor* grad_recurrent, TH_Tensor* grad_bias, TH_Tensor* grad_recurrent_bias,
                   const TH_Tensor* gy, const TH_Tensor* gc, const TH_Tensor* x,
                   const TH_Tensor* h0, const TH_Tensor* c0, const TH_Tensor* weight,
                   const TH_Tensor* recurrent, const TH_Tensor* y, const TH_Tensor* c,
                   const TH_Tensor* gates, const TH_Tensor* lengths, bool reverse, double scale);

}  // namespace th::cpu
