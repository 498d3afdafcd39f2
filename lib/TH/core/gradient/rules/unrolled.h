// Recurrent layers step by step, for gradients of gradients.
#pragma once

#include "core/gradient/derivation.h"

namespace th::gradient {

/// What the layers have in common; biases, h0 and lengths may be missing.
struct Recurrent {
  const Operand& x;
  const Operand& h0;
  const Operand& weight;
  const Operand& recurrent;
  const Operand& bias;
  const Operand& recurrent_bias;
  const Operand& lengths;
  bool reverse;
};

// The gradients of all operands, made of operations that are recorded.
void unrolled_lstm_gradients(Derivation& d, const Recurrent& layer, const Operand& c0);
void unrolled_gru_gradients(Derivation& d, const Recurrent& layer);
void unrolled_rnn_gradients(Derivation& d, const Recurrent& layer, bool relu);

}  // namespace th::gradient
