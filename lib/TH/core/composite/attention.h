// Attention by products, for a backend that has a way of its own for some shapes only.
#pragma once

#include "TH_core.h"

namespace th::composite {

void attention(TH_Tensor* r, const TH_Tensor* q, const TH_Tensor* k, const TH_Tensor* v,
               const TH_Tensor* mask, const TH_Tensor* noise, bool causal, double scale);

}  // namespace th::composite
