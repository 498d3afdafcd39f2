// What one feature of a recurrent layer does in a step, and the gradients.
// Sources: Hochreiter and Schmidhuber, "Long short-term memory", Neural Computation 1997, with the
// forget gate of Gers et al. 2000; Cho et al., "Learning phrase representations using RNN
// encoder-decoder", EMNLP 2014, with the reset gate behind the product, as cuDNN and PyTorch have
// it.
#pragma once

#include "functors/instruction_set.h"
#include "functors/math.h"
#include "functors/numeric.h"
#include "functors/pointwise/unary.h"

namespace th::functors {
inline namespace TH_ISA {

template <class T>
struct LstmGates {
  T i, f, g, o;
};

/// Activations in the place of sums.
template <class T>
TH_HD inline void lstm_step(LstmGates<T>& a, T c0, T& c, T& h) {
  a = {Sigmoid::forward(a.i), Sigmoid::forward(a.f), math::tanh(a.g), Sigmoid::forward(a.o)};
  c = a.f * c0 + a.i * a.g;
  h = a.o * math::tanh(c);
}

/// gc: dL/dc in, dL/dc0 out.
template <class T>
TH_HD inline LstmGates<T> lstm_step_backward(const LstmGates<T>& a, T c0, T c, T gh, T& gc) {
  const T squashed = math::tanh(c);
  const T d = gc + gh * a.o * (1 - squashed * squashed);
  gc = d * a.f;
  return {d * a.g * a.i * (1 - a.i), d * c0 * a.f * (1 - a.f), d * a.i * (1 - a.g * a.g),
          gh * squashed * a.o * (1 - a.o)};
}

template <class T>
struct GruGates {
  T r, z, n;
};

template <class T>
TH_HD inline T gru_step(GruGates<T>& a, const GruGates<T>& hidden, T h0) {
  a.r = Sigmoid::forward(a.r + hidden.r);
  a.z = Sigmoid::forward(a.z + hidden.z);
  a.n = math::tanh(a.n + a.r * hidden.n);
  return a.n + a.z * (h0 - a.n);
}

/// The gradient of the input's part; the state's differs in n, by the factor r.
template <class T>
TH_HD inline GruGates<T> gru_step_backward(const GruGates<T>& a, T hidden_n, T h0, T gh) {
  const T n = gh * (1 - a.z) * (1 - a.n * a.n);
  return {n * hidden_n * a.r * (1 - a.r), gh * (h0 - a.n) * a.z * (1 - a.z), n};
}

}  // namespace TH_ISA
}  // namespace th::functors
