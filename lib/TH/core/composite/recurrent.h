// Whole sequences by operations of single steps, for a backend that has a way of its own for some
// shapes only.
#pragma once

#include "core/checks/recurrent.h"
#include "core/tensor/tensor.h"

namespace th::composite {

void lstm(TH_Tensor* y, TH_Tensor* c, TH_Tensor* gates, const TH_Tensor* x, const TH_Tensor* h0,
          const TH_Tensor* c0, const TH_Tensor* weight, const TH_Tensor* recurrent,
          const TH_Tensor* bias, const TH_Tensor* recurrent_bias, const TH_Tensor* lengths,
          bool reverse);

void lstm_backward(TH_Tensor* gx, TH_Tensor* gh0, TH_Tensor* gc0, TH_Tensor* grad_weight,
                   TH_Tensor* grad_recurrent, TH_Tensor* grad_bias, TH_Tensor* grad_recurrent_bias,
                   const TH_Tensor* gy, const TH_Tensor* gc, const TH_Tensor* x,
                   const TH_Tensor* h0, const TH_Tensor* c0, const TH_Tensor* weight,
                   const TH_Tensor* recurrent, const TH_Tensor* y, const TH_Tensor* c,
                   const TH_Tensor* gates, const TH_Tensor* lengths, bool reverse, double scale);

void gru(TH_Tensor* y, TH_Tensor* gates, TH_Tensor* hidden, const TH_Tensor* x, const TH_Tensor* h0,
         const TH_Tensor* weight, const TH_Tensor* recurrent, const TH_Tensor* bias,
         const TH_Tensor* recurrent_bias, const TH_Tensor* lengths, bool reverse);

void rnn(TH_Tensor* y, const TH_Tensor* x, const TH_Tensor* h0, const TH_Tensor* weight,
         const TH_Tensor* recurrent, const TH_Tensor* bias, const TH_Tensor* recurrent_bias,
         const TH_Tensor* lengths, bool reverse, bool relu);

/// a + b, both or none.
Tensor sum_of(const TH_Tensor* a, const TH_Tensor* b);
/// The gradient of the last c, zeros where it is null.
void begin_memory_gradient(TH_Tensor& gradient, const TH_Tensor* gc);
/// Sequences that are over at the step which the states to begin with go into do not see them.
void forget_over(TH_Tensor& gradient, const TH_Tensor* lengths, const SequenceShape& s,
                 bool reverse);

}  // namespace th::composite
