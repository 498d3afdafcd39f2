// Recurrent layers over few states, as in a step of a net that acts as it goes: too few for
// anything to be prepared. Weights are multiplied as they lie, and results computed where they are
// to be: what matters beside the weights' way from a cache are the calls around the arithmetic.
#pragma once

#include "core/checks/recurrent.h"

namespace th::cpu {

/// States that pay for laying out the weights.
inline constexpr int64_t kStates = 32;

inline bool has_few_states(const TH_Tensor& x, const SequenceShape& s) {
  return !is_half(x.dtype) && (s.T == 1 || s.T * s.N < kStates);
}

/// As in ops/nn/recurrent.def, of a shape that has been checked.
void lstm_of_few_states(const SequenceShape& s, TH_Tensor* y, TH_Tensor* c, TH_Tensor* gates,
                        const TH_Tensor* x, const TH_Tensor* h0, const TH_Tensor* c0,
                        const TH_Tensor* weight, const TH_Tensor* recurrent, const TH_Tensor* bias,
                        const TH_Tensor* recurrent_bias, const TH_Tensor* lengths, bool reverse);

}  // namespace th::cpu
