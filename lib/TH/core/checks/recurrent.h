// What every backend checks before it computes a step or a sequence of a recurrent layer.
#pragma once

#include "core/checks/nn.h"

namespace th {

/// N sequences of H features.
struct CellShape {
  int64_t N, H;
};

/// Null tensors pass; the others are N x (count * H).
inline void check_cell_operand(const TH_Tensor* t, const char* name, const TH_Tensor& like,
                               const CellShape& s, int64_t count) {
  if (t == nullptr) {
    return;
  }
  check_same_dtype(like, *t);
  TH_CHECK(t->ndim == 2 && t->sizes[0] == s.N && t->sizes[1] == count * s.H, name, " is ",
           shape(*t), ", expected ", s.N, "x", count * s.H);
}

inline void check_lengths(const TH_Tensor* lengths, int64_t count) {
  if (lengths != nullptr) {
    check_dtype(*lengths, TH_LONG, "lengths");
    TH_CHECK(numel(*lengths) == count, "lengths is ", shape(*lengths), ", expected ", count,
             " numbers, one for each sequence");
  }
}

/// gates: N x (count * H)
inline CellShape check_gates(const TH_Tensor* gates, int64_t count, const TH_Tensor* lengths) {
  TH_CHECK(gates != nullptr, "an operand is missing");
  check_floating(*gates);
  TH_CHECK(gates->ndim == 2 && gates->sizes[1] % count == 0, "gates is ", shape(*gates),
           ", expected N x (", count, " * features)");
  check_lengths(lengths, gates->sizes[0]);
  return {gates->sizes[0], gates->sizes[1] / count};
}

inline CellShape check_lstm_cell(const TH_Tensor* h, const TH_Tensor* c, const TH_Tensor* gates,
                                 const TH_Tensor* c0, const TH_Tensor* lengths) {
  TH_CHECK(h != nullptr && c != nullptr, "an operand is missing");
  const CellShape s = check_gates(gates, 4, lengths);
  check_same_dtype(*gates, *h);
  check_same_dtype(*gates, *c);
  check_cell_operand(c0, "c0", *gates, s, 1);
  return s;
}

inline CellShape check_lstm_cell_backward(const TH_Tensor* r, const TH_Tensor* gc,
                                          const TH_Tensor* gh, const TH_Tensor* carried,
                                          const TH_Tensor* gates, const TH_Tensor* c,
                                          const TH_Tensor* c0, const TH_Tensor* lengths) {
  TH_CHECK(r != nullptr && gc != nullptr && gh != nullptr && c != nullptr, "an operand is missing");
  const CellShape s = check_gates(gates, 4, lengths);
  check_same_dtype(*gates, *r);
  check_cell_operand(gc, "gc", *gates, s, 1);
  check_cell_operand(gh, "gh", *gates, s, 1);
  check_cell_operand(carried, "carried", *gates, s, 1);
  check_cell_operand(c, "c", *gates, s, 1);
  check_cell_operand(c0, "c0", *gates, s, 1);
  return s;
}

inline CellShape check_gru_cell(const TH_Tensor* h, const TH_Tensor* gates, const TH_Tensor* hidden,
                                const TH_Tensor* h0, const TH_Tensor* lengths) {
  TH_CHECK(h != nullptr && hidden != nullptr, "an operand is missing");
  const CellShape s = check_gates(gates, 3, lengths);
  check_same_dtype(*gates, *h);
  check_cell_operand(hidden, "hidden", *gates, s, 3);
  check_cell_operand(h0, "h0", *gates, s, 1);
  return s;
}

inline CellShape check_gru_cell_backward(const TH_Tensor* r, const TH_Tensor* ghidden,
                                         const TH_Tensor* gh0, const TH_Tensor* gh,
                                         const TH_Tensor* carried, const TH_Tensor* gates,
                                         const TH_Tensor* hidden, const TH_Tensor* h0,
                                         const TH_Tensor* lengths) {
  TH_CHECK(r != nullptr && ghidden != nullptr && gh0 != nullptr && gh != nullptr,
           "an operand is missing");
  const CellShape s = check_gru_cell(gh0, gates, hidden, h0, lengths);
  check_same_dtype(*gates, *r);
  check_same_dtype(*gates, *ghidden);
  check_cell_operand(gh, "gh", *gates, s, 1);
  check_cell_operand(carried, "carried", *gates, s, 1);
  return s;
}

inline CellShape check_rnn_cell(const TH_Tensor* h, const TH_Tensor* gates,
                                const TH_Tensor* lengths) {
  TH_CHECK(h != nullptr, "an operand is missing");
  const CellShape s = check_gates(gates, 1, lengths);
  check_same_dtype(*gates, *h);
  return s;
}

inline CellShape check_rnn_cell_backward(const TH_Tensor* r, const TH_Tensor* gh,
                                         const TH_Tensor* carried, const TH_Tensor* h,
                                         const TH_Tensor* lengths) {
  TH_CHECK(gh != nullptr, "an operand is missing");
  const CellShape s = check_rnn_cell(r, h, lengths);
  check_cell_operand(gh, "gh", *h, s, 1);
  check_cell_operand(carried, "carried", *h, s, 1);
  return s;
}

/// T steps of N sequences of F features; states of H features, G * H gates.
struct SequenceShape {
  int64_t T, N, F, H, G;
};

inline void check_matrix(const TH_Tensor& x, const TH_Tensor* t, const char* name, int64_t rows,
                         int64_t columns) {
  TH_CHECK(t != nullptr, "an operand is missing");
  check_same_dtype(x, *t);
  TH_CHECK(t->ndim == 2 && t->sizes[0] == rows && t->sizes[1] == columns, name, " is ", shape(*t),
           ", expected ", rows, "x", columns);
}

inline SequenceShape check_sequence(const TH_Tensor* x, int64_t gates, const TH_Tensor* weight,
                                    const TH_Tensor* recurrent, const TH_Tensor* bias,
                                    const TH_Tensor* recurrent_bias, const TH_Tensor* lengths) {
  TH_CHECK(x != nullptr && recurrent != nullptr, "an operand is missing");
  check_floating(*x);
  TH_CHECK(x->ndim == 3, "input is ", shape(*x), ", expected steps x sequences x features");
  TH_CHECK(recurrent->ndim == 2, "recurrent is ", shape(*recurrent), ", expected a matrix");
  const SequenceShape s{x->sizes[0], x->sizes[1], x->sizes[2], recurrent->sizes[1], gates};
  check_matrix(*x, weight, "weight", gates * s.H, s.F);
  check_matrix(*x, recurrent, "recurrent", gates * s.H, s.H);
  TH_CHECK((bias == nullptr) == (recurrent_bias == nullptr), "wanted both biases or none");
  for (const TH_Tensor* b : {bias, recurrent_bias}) {
    if (b != nullptr) {
      check_same_dtype(*x, *b);
      TH_CHECK(numel(*b) == gates * s.H, "a bias is ", shape(*b), ", expected ", gates * s.H,
               " elements");
    }
  }
  check_lengths(lengths, s.N);
  return s;
}

/// What a forward pass kept, or the gradient of what it gave: T x N x (count * H).
inline void check_steps(const TH_Tensor* t, const char* name, const TH_Tensor& x,
                        const SequenceShape& s, int64_t count) {
  TH_CHECK(t != nullptr, name, " is missing");
  check_same_dtype(x, *t);
  TH_CHECK(t->ndim == 3 && t->sizes[0] == s.T && t->sizes[1] == s.N && t->sizes[2] == count * s.H,
           name, " is ", shape(*t), ", expected ", s.T, "x", s.N, "x", count * s.H);
}

/// The gradients of a layer's parameters; null: not wanted.
struct RecurrentGradients {
  TH_Tensor *weight, *recurrent, *bias, *recurrent_bias;
};

inline void check_gradients(const RecurrentGradients& to, const TH_Tensor& x,
                            const SequenceShape& s) {
  if (to.weight != nullptr) {
    check_matrix(x, to.weight, "gradWeight", s.G * s.H, s.F);
  }
  if (to.recurrent != nullptr) {
    check_matrix(x, to.recurrent, "gradRecurrent", s.G * s.H, s.H);
  }
  for (const TH_Tensor* b : {to.bias, to.recurrent_bias}) {
    if (b != nullptr) {
      check_same_dtype(x, *b);
      TH_CHECK(numel(*b) == s.G * s.H, b == to.bias ? "gradBias is " : "gradRecurrentBias is ",
               shape(*b), ", expected ", s.G * s.H, " elements");
    }
  }
}

/// The states before the first step, or their gradients.
inline void check_states(const TH_Tensor& x, const SequenceShape& s, const TH_Tensor* h0,
                         const TH_Tensor* c0) {
  check_cell_operand(h0, "h0", x, {s.N, s.H}, 1);
  check_cell_operand(c0, "c0", x, {s.N, s.H}, 1);
}

inline SequenceShape check_backward(const TH_Tensor* x, int64_t gates, const TH_Tensor* weight,
                                    const TH_Tensor* recurrent, const TH_Tensor* lengths,
                                    const TH_Tensor* gy, const TH_Tensor* y,
                                    const RecurrentGradients& to) {
  const SequenceShape s = check_sequence(x, gates, weight, recurrent, nullptr, nullptr, lengths);
  check_steps(gy, "gradOutput", *x, s, 1);
  check_steps(y, "output", *x, s, 1);
  check_gradients(to, *x, s);
  return s;
}

/// gc: the gradient of the last c.
inline SequenceShape check_lstm_backward(const TH_Tensor* x, const TH_Tensor* h0,
                                         const TH_Tensor* c0, const TH_Tensor* weight,
                                         const TH_Tensor* recurrent, const TH_Tensor* lengths,
                                         const TH_Tensor* gy, const TH_Tensor* gc,
                                         const TH_Tensor* y, const TH_Tensor* c,
                                         const TH_Tensor* gates, const RecurrentGradients& to) {
  const SequenceShape s = check_backward(x, 4, weight, recurrent, lengths, gy, y, to);
  check_steps(c, "c", *x, s, 1);
  check_steps(gates, "gates", *x, s, 4);
  check_states(*x, s, h0, c0);
  check_states(*x, s, nullptr, gc);
  return s;
}

}  // namespace th
