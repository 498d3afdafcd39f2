#include "cpu/kernels/nn/recurrent_cells.h"

#include "functors/recurrent.h"

namespace th::cpu::TH_ISA {
namespace {

/// f(j, value of `optional` at j, 0 where that is null) for all features; two loops, so that both
/// are vectors' work.
template <class T, class F>
[[gnu::always_inline]] inline void each(int64_t H, const T* optional, const F& f) {
  if (optional != nullptr) {
#pragma omp simd
    for (int64_t j = 0; j < H; ++j) {
      f(j, optional[j]);
    }
  } else {
#pragma omp simd
    for (int64_t j = 0; j < H; ++j) {
      f(j, T(0));
    }
  }
}

template <class T>
void lstm(int64_t H, T* gates, const T* c0, T* c, T* h) {
  each(
      H, c0, [=](int64_t j, T before) __attribute__((always_inline)) {
        functors::LstmGates<T> a{gates[j], gates[H + j], gates[2 * H + j], gates[3 * H + j]};
        T cell;
        T state;
        functors::lstm_step(a, before, cell, state);
        gates[j] = a.i;
        gates[H + j] = a.f;
        gates[2 * H + j] = a.g;
        gates[3 * H + j] = a.o;
        c[j] = cell;
        h[j] = state;
      });
}

template <class T>
[[gnu::always_inline]] inline void lstm_gradients(int64_t H, const T* gates, const T* c0,
                                                  const T* c, const T* gh, const T* carried, T* gc,
                                                  T* r) {
  each(
      H, c0, [=](int64_t j, T before) __attribute__((always_inline)) {
        const functors::LstmGates<T> a{gates[j], gates[H + j], gates[2 * H + j], gates[3 * H + j]};
        const T gradient = carried == nullptr ? gh[j] : gh[j] + carried[j];
        T cell = gc[j];
        const functors::LstmGates<T> g =
            functors::lstm_step_backward(a, before, c[j], gradient, cell);
        gc[j] = cell;
        r[j] = g.i;
        r[H + j] = g.f;
        r[2 * H + j] = g.g;
        r[3 * H + j] = g.o;
      });
}

template <class T>
void lstm_backward(int64_t H, const T* gates, const T* c0, const T* c, const T* gh,
                   const T* carried, T* gc, T* r) {
  if (carried != nullptr) {
    lstm_gradients(H, gates, c0, c, gh, carried, gc, r);
  } else {
    lstm_gradients<T>(H, gates, c0, c, gh, nullptr, gc, r);
  }
}

template <class T>
void gru(int64_t H, T* gates, const T* hidden, const T* h0, T* h) {
  each(
      H, h0, [=](int64_t j, T before) __attribute__((always_inline)) {
        functors::GruGates<T> a{gates[j], gates[H + j], gates[2 * H + j]};
        h[j] = functors::gru_step(a, {hidden[j], hidden[H + j], hidden[2 * H + j]}, before);
        gates[j] = a.r;
        gates[H + j] = a.z;
        gates[2 * H + j] = a.n;
      });
}

template <class T>
[[gnu::always_inline]] inline void gru_gradients(int64_t H, const T* gates, const T* hidden,
                                                 const T* h0, const T* gh, const T* carried, T* r,
                                                 T* ghidden, T* gh0) {
  each(
      H, h0, [=](int64_t j, T before) __attribute__((always_inline)) {
        const functors::GruGates<T> a{gates[j], gates[H + j], gates[2 * H + j]};
        const T gradient = carried == nullptr ? gh[j] : gh[j] + carried[j];
        const functors::GruGates<T> g =
            functors::gru_step_backward(a, hidden[2 * H + j], before, gradient);
        r[j] = ghidden[j] = g.r;
        r[H + j] = ghidden[H + j] = g.z;
        r[2 * H + j] = g.n;
        ghidden[2 * H + j] = g.n * a.r;
        gh0[j] = gradient * a.z;
      });
}

template <class T>
void gru_backward(int64_t H, const T* gates, const T* hidden, const T* h0, const T* gh,
                  const T* carried, T* r, T* ghidden, T* gh0) {
  if (carried != nullptr) {
    gru_gradients(H, gates, hidden, h0, gh, carried, r, ghidden, gh0);
  } else {
    gru_gradients<T>(H, gates, hidden, h0, gh, nullptr, r, ghidden, gh0);
  }
}

template <class T, bool Relu>
void rnn(int64_t H, const T* gates, T* h) {
#pragma omp simd
  for (int64_t j = 0; j < H; ++j) {
    h[j] = Relu ? (gates[j] > 0 ? gates[j] : T(0)) : math::tanh(gates[j]);
  }
}

template <class T, bool Relu>
void rnn_backward(int64_t H, const T* h, const T* gh, const T* carried, T* r) {
  each(
      H, carried, [=](int64_t j, T more) __attribute__((always_inline)) {
        const T gradient = gh[j] + more;
        r[j] = Relu ? (h[j] > 0 ? gradient : T(0)) : gradient * (1 - h[j] * h[j]);
      });
}

template <class T>
RecurrentCellsRow<T> row() {
  return {lstm<T>,
          lstm_backward<T>,
          gru<T>,
          gru_backward<T>,
          {rnn<T, false>, rnn<T, true>},
          {rnn_backward<T, false>, rnn_backward<T, true>}};
}

}  // namespace

void fill(RecurrentCellsKernels& table) {
  table.of_float = row<float>();
  table.of_double = row<double>();
}

}  // namespace th::cpu::TH_ISA
