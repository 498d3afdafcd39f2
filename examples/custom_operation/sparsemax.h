// The C ABI of the operation, in TH.h's manner: a TH_Status comes back, TH_lastError() has the
// text.
#ifndef SPARSEMAX_H
#define SPARSEMAX_H

#include "TH_core.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

// Each row of x (its last dimension) becomes the nearest point to it with elements >= 0 and sum 1.
int sparsemax_forward(TH_Tensor* r, const TH_Tensor* x);
// The gradient by x, of the result y and the gradient g by it.
int sparsemax_backward(TH_Tensor* r, const TH_Tensor* y, const TH_Tensor* g);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
