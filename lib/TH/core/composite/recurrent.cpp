// Whole sequences of recurrent layers: one product for the inputs of all steps, then for each step
// one of the state and a pass over the gates.
#include "core/checks/recurrent.h"

#include "core/composite/register.h"
#include "core/composite/views.h"
#include "core/device_functions.h"
#include "core/operations.h"
#include "core/tables/recurrent.h"

namespace th::composite {
namespace {

/// The steps in their order: f(t, t of the step before, or -1).
template <class F>
void each_step(int64_t T, bool reverse, const F& f) {
  for (int64_t i = 0; i < T; ++i) {
    if (reverse) {
      f(T - 1 - i, i == 0 ? -1 : T - i);
    } else {
      f(i, i - 1);
    }
  }
}
template <class F>
void each_step_back(int64_t T, bool reverse, const F& f) {
  for (int64_t i = T - 1; i >= 0; --i) {
    if (reverse) {
      f(T - 1 - i, i == 0 ? -1 : T - i);
    } else {
      f(i, i - 1);
    }
  }
}

/// t as (T N) x features.
Tensor rows(const TH_Tensor& t) { return viewed(t, {t.sizes[0] * t.sizes[1], t.sizes[2]}); }

Tensor sum_of(const TH_Tensor* a, const TH_Tensor* b) {
  Tensor sum;
  if (a != nullptr) {
    init(sum, a->dtype, a->device_type, a->device);
    ops::add_scaled(&sum, a, 1, b);
  }
  return sum;
}

/// The state before a step: that of the step before, or the one to start from, which may be none.
Tensor state_before(const TH_Tensor& states, int64_t before, const TH_Tensor* first) {
  if (before >= 0) {
    return at(states, before);
  }
  return first == nullptr ? Tensor() : Tensor(*first);
}
const TH_Tensor* pointer(const Tensor& t) { return t.ndim > 0 ? &t : nullptr; }

void make_sequence(TH_Tensor& t, const SequenceShape& s, int64_t features) {
  const int64_t sizes[] = {s.T, s.N, features};
  resize(t, sizes);
  TH_CHECK(is_contiguous(t), "wanted results without gaps");
}

/// gates = x weight' + bias, for all steps.
void multiply_inputs(TH_Tensor& gates, const SequenceShape& s, const Tensor& x,
                     const TH_Tensor* weight, const TH_Tensor* bias) {
  make_sequence(gates, s, s.G * s.H);
  Tensor flat = rows(gates);
  const Tensor from = rows(x);
  ops::linear(&flat, &from, weight, bias);
}

void check_states(const TH_Tensor& x, const SequenceShape& s, const TH_Tensor* h0,
                  const TH_Tensor* c0) {
  check_cell_operand(h0, "h0", x, {s.N, s.H}, 1);
  check_cell_operand(c0, "c0", x, {s.N, s.H}, 1);
}

/// x without gaps, T x N x F.
Tensor sequence(const TH_Tensor* x) { return contiguous(*x); }

struct Parameters {
  TH_Tensor *weight, *recurrent, *bias, *recurrent_bias;  // null: not wanted
};

/// What remains when the gradients of the sums of products of all steps are known: of_input those
/// of the input's part, of_state of the state's.
void finish_gradients(TH_Tensor* gx, const Parameters& to, const SequenceShape& s, const Tensor& x,
                      const TH_Tensor* weight, const TH_Tensor& y, const TH_Tensor* h0,
                      const TH_Tensor& of_input, const TH_Tensor& of_state, bool reverse,
                      double scale) {
  const Tensor g = rows(of_input);
  if (gx != nullptr) {
    make_sequence(*gx, s, s.F);
    Tensor flat = rows(*gx);
    ops::addmm(&flat, 0, &flat, 1, &g, weight);
  }
  if (to.weight != nullptr) {
    const Tensor by_gate = transposed(g);
    const Tensor from = rows(x);
    ops::addmm(to.weight, 1, to.weight, scale, &by_gate, &from);
  }
  if (to.recurrent != nullptr) {
    if (s.T > 1) {  // each step's gradient with the state before it
      const Tensor later = rows(part(of_state, 0, reverse ? 0 : 1, s.T - 1));
      const Tensor states = rows(part(y, 0, reverse ? 1 : 0, s.T - 1));
      const Tensor by_gate = transposed(later);
      ops::addmm(to.recurrent, 1, to.recurrent, scale, &by_gate, &states);
    }
    if (h0 != nullptr) {
      const Tensor by_gate = transposed(at(of_state, reverse ? s.T - 1 : 0));
      ops::addmm(to.recurrent, 1, to.recurrent, scale, &by_gate, h0);
    }
  }
  const auto add_up = [&](TH_Tensor* bias, const TH_Tensor& gradients) {
    if (bias != nullptr) {
      const Tensor flat = rows(gradients);
      Tensor sum;
      init(sum, flat.dtype, flat.device_type, flat.device);
      ops::sum(&sum, &flat, 0);
      ops::add_scaled(bias, bias, scale, &sum);
    }
  };
  add_up(to.bias, of_input);
  add_up(to.recurrent_bias, of_state);
}

/// r = g recurrent, what a step's gradient is to the state before.
void carry_back(TH_Tensor& r, double keep, const Tensor& g, const TH_Tensor* recurrent) {
  ops::addmm(&r, keep, &r, 1, &g, recurrent);
}

void make_state(TH_Tensor* t, const SequenceShape& s) {
  TH_CHECK(t != nullptr, "an operand is missing");
  const int64_t sizes[] = {s.N, s.H};
  resize(*t, sizes);
}

SequenceShape check_backward(const TH_Tensor* x, int64_t gates, const TH_Tensor* weight,
                             const TH_Tensor* recurrent, const TH_Tensor* lengths,
                             const TH_Tensor* gy, const TH_Tensor* y) {
  const SequenceShape s = check_sequence(x, gates, weight, recurrent, nullptr, nullptr, lengths);
  for (const TH_Tensor* t : {gy, y}) {
    TH_CHECK(t != nullptr, "an operand is missing");
    check_same_dtype(*x, *t);
    TH_CHECK(t->ndim == 3 && t->sizes[0] == s.T && t->sizes[1] == s.N && t->sizes[2] == s.H,
             t == y ? "output is " : "gradOutput is ", shape(*t), ", expected ", s.T, "x", s.N, "x",
             s.H);
  }
  return s;
}

// --- LSTM ---------------------------------------------------------------------------------------

void lstm(TH_Tensor* y, TH_Tensor* c, TH_Tensor* gates, const TH_Tensor* x, const TH_Tensor* h0,
          const TH_Tensor* c0, const TH_Tensor* weight, const TH_Tensor* recurrent,
          const TH_Tensor* bias, const TH_Tensor* recurrent_bias, const TH_Tensor* lengths,
          bool reverse) {
  const SequenceShape s = check_sequence(x, 4, weight, recurrent, bias, recurrent_bias, lengths);
  check_states(*x, s, h0, c0);
  const Tensor in = sequence(x);
  const Tensor both = sum_of(bias, recurrent_bias);
  make_sequence(*y, s, s.H);
  make_sequence(*c, s, s.H);
  multiply_inputs(*gates, s, in, weight, pointer(both));
  const Tensor by_state = transposed(*recurrent);
  each_step(s.T, reverse, [&](int64_t t, int64_t before) {
    Tensor a = at(*gates, t);
    const Tensor h = state_before(*y, before, h0);
    if (h.ndim > 0) {
      ops::addmm(&a, 1, &a, 1, &h, &by_state);
    }
    Tensor cell = at(*c, t);
    Tensor state = at(*y, t);
    const Tensor memory = state_before(*c, before, c0);
    ops::lstm_cell(&state, &cell, &a, pointer(memory), lengths, t);
  });
}

void lstm_backward(TH_Tensor* gx, TH_Tensor* gh0, TH_Tensor* gc0, TH_Tensor* r,
                   TH_Tensor* grad_weight, TH_Tensor* grad_recurrent, TH_Tensor* grad_bias,
                   TH_Tensor* grad_recurrent_bias, const TH_Tensor* gy, const TH_Tensor* gc,
                   const TH_Tensor* x, const TH_Tensor* h0, const TH_Tensor* c0,
                   const TH_Tensor* weight, const TH_Tensor* recurrent, const TH_Tensor* y,
                   const TH_Tensor* c, const TH_Tensor* gates, const TH_Tensor* lengths,
                   bool reverse, double scale) {
  const SequenceShape s = check_backward(x, 4, weight, recurrent, lengths, gy, y);
  check_states(*x, s, h0, c0);
  check_states(*x, s, nullptr, gc);
  const Tensor in = sequence(x);
  make_sequence(*r, s, 4 * s.H);
  make_state(gh0, s);
  make_state(gc0, s);
  if (gc != nullptr) {
    th::copy(*gc0, *gc);
  } else {
    ops::fill(gc0, 0);
  }
  bool last = true;
  each_step_back(s.T, reverse, [&](int64_t t, int64_t before) {
    Tensor g = at(*r, t);
    const Tensor from = at(*gy, t);
    const Tensor a = at(*gates, t);
    const Tensor cell = at(*c, t);
    const Tensor memory = state_before(*c, before, c0);
    ops::lstm_cell_backward(&g, gc0, &from, last ? nullptr : gh0, &a, &cell, pointer(memory),
                            lengths, t);
    carry_back(*gh0, 0, g, recurrent);
    last = false;
  });
  finish_gradients(gx, {grad_weight, grad_recurrent, grad_bias, grad_recurrent_bias}, s, in, weight,
                   *y, h0, *r, *r, reverse, scale);
}

// --- GRU ----------------------------------------------------------------------------------------

void gru(TH_Tensor* y, TH_Tensor* gates, TH_Tensor* hidden, const TH_Tensor* x, const TH_Tensor* h0,
         const TH_Tensor* weight, const TH_Tensor* recurrent, const TH_Tensor* bias,
         const TH_Tensor* recurrent_bias, const TH_Tensor* lengths, bool reverse) {
  const SequenceShape s = check_sequence(x, 3, weight, recurrent, bias, recurrent_bias, lengths);
  check_states(*x, s, h0, nullptr);
  const Tensor in = sequence(x);
  make_sequence(*y, s, s.H);
  make_sequence(*hidden, s, 3 * s.H);
  multiply_inputs(*gates, s, in, weight, bias);
  each_step(s.T, reverse, [&](int64_t t, int64_t before) {
    Tensor a = at(*gates, t);
    Tensor of_state = at(*hidden, t);
    const Tensor h = state_before(*y, before, h0);
    if (h.ndim > 0) {
      ops::linear(&of_state, &h, recurrent, recurrent_bias);
    } else if (recurrent_bias != nullptr) {
      const int64_t sizes[] = {s.N, 3 * s.H};
      Tensor same;
      init(same, x->dtype, x->device_type, x->device);
      th::expand(same, viewed(contiguous(*recurrent_bias), {1, 3 * s.H}), sizes);
      th::copy(of_state, same);
    } else {
      ops::fill(&of_state, 0);
    }
    Tensor state = at(*y, t);
    ops::gru_cell(&state, &a, &of_state, pointer(h), lengths, t);
  });
}

void gru_backward(TH_Tensor* gx, TH_Tensor* gh0, TH_Tensor* r, TH_Tensor* ghidden,
                  TH_Tensor* grad_weight, TH_Tensor* grad_recurrent, TH_Tensor* grad_bias,
                  TH_Tensor* grad_recurrent_bias, const TH_Tensor* gy, const TH_Tensor* x,
                  const TH_Tensor* h0, const TH_Tensor* weight, const TH_Tensor* recurrent,
                  const TH_Tensor* y, const TH_Tensor* gates, const TH_Tensor* hidden,
                  const TH_Tensor* lengths, bool reverse, double scale) {
  const SequenceShape s = check_backward(x, 3, weight, recurrent, lengths, gy, y);
  check_states(*x, s, h0, nullptr);
  const Tensor in = sequence(x);
  make_sequence(*r, s, 3 * s.H);
  make_sequence(*ghidden, s, 3 * s.H);
  make_state(gh0, s);
  bool last = true;
  each_step_back(s.T, reverse, [&](int64_t t, int64_t before) {
    Tensor g = at(*r, t);
    Tensor of_state = at(*ghidden, t);
    const Tensor from = at(*gy, t);
    const Tensor a = at(*gates, t);
    const Tensor part_of_state = at(*hidden, t);
    const Tensor h = state_before(*y, before, h0);
    ops::gru_cell_backward(&g, &of_state, gh0, &from, last ? nullptr : gh0, &a, &part_of_state,
                           pointer(h), lengths, t);
    carry_back(*gh0, 1, of_state, recurrent);
    last = false;
  });
  finish_gradients(gx, {grad_weight, grad_recurrent, grad_bias, grad_recurrent_bias}, s, in, weight,
                   *y, h0, *r, *ghidden, reverse, scale);
}

// --- RNN ----------------------------------------------------------------------------------------

void rnn(TH_Tensor* y, const TH_Tensor* x, const TH_Tensor* h0, const TH_Tensor* weight,
         const TH_Tensor* recurrent, const TH_Tensor* bias, const TH_Tensor* recurrent_bias,
         const TH_Tensor* lengths, bool reverse, bool relu) {
  const SequenceShape s = check_sequence(x, 1, weight, recurrent, bias, recurrent_bias, lengths);
  check_states(*x, s, h0, nullptr);
  const Tensor in = sequence(x);
  const Tensor both = sum_of(bias, recurrent_bias);
  multiply_inputs(*y, s, in, weight, pointer(both));
  const Tensor by_state = transposed(*recurrent);
  each_step(s.T, reverse, [&](int64_t t, int64_t before) {
    Tensor a = at(*y, t);
    const Tensor h = state_before(*y, before, h0);
    if (h.ndim > 0) {
      ops::addmm(&a, 1, &a, 1, &h, &by_state);
    }
    ops::rnn_cell(&a, &a, lengths, t, relu);
  });
}

void rnn_backward(TH_Tensor* gx, TH_Tensor* gh0, TH_Tensor* r, TH_Tensor* grad_weight,
                  TH_Tensor* grad_recurrent, TH_Tensor* grad_bias, TH_Tensor* grad_recurrent_bias,
                  const TH_Tensor* gy, const TH_Tensor* x, const TH_Tensor* h0,
                  const TH_Tensor* weight, const TH_Tensor* recurrent, const TH_Tensor* y,
                  const TH_Tensor* lengths, bool reverse, bool relu, double scale) {
  const SequenceShape s = check_backward(x, 1, weight, recurrent, lengths, gy, y);
  check_states(*x, s, h0, nullptr);
  const Tensor in = sequence(x);
  make_sequence(*r, s, s.H);
  make_state(gh0, s);
  bool last = true;
  each_step_back(s.T, reverse, [&](int64_t t, int64_t) {
    Tensor g = at(*r, t);
    const Tensor from = at(*gy, t);
    const Tensor state = at(*y, t);
    ops::rnn_cell_backward(&g, &from, last ? nullptr : gh0, &state, lengths, t, relu);
    carry_back(*gh0, 0, g, recurrent);
    last = false;
  });
  finish_gradients(gx, {grad_weight, grad_recurrent, grad_bias, grad_recurrent_bias}, s, in, weight,
                   *y, h0, *r, *r, reverse, scale);
}

}  // namespace

void register_recurrent(RecurrentTable& b) {
  offer(b.lstm, lstm);
  offer(b.lstm_backward, lstm_backward);
  offer(b.gru, gru);
  offer(b.gru_backward, gru_backward);
  offer(b.rnn, rnn);
  offer(b.rnn_backward, rnn_backward);
}

}  // namespace th::composite
