// Whole sequences of recurrent layers: one product for the inputs of all steps, then for each step
// one of the state and a pass over the gates.
#include "core/composite/recurrent.h"

#include "core/checks/recurrent.h"
#include "core/composite/recurrent_gradients.h"
#include "core/composite/register.h"
#include "core/composite/staged.h"
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

/// The state before a step: that of the step before, or the one to start from, which may be none.
Tensor state_before(const TH_Tensor& states, int64_t before, const TH_Tensor* first) {
  if (before >= 0) {
    return at(states, before);
  }
  return first == nullptr ? Tensor() : Tensor(*first);
}
const TH_Tensor* pointer(const Tensor& t) { return t.ndim > 0 ? &t : nullptr; }

Staged sequence_of(TH_Tensor* r, const TH_Tensor& x, const SequenceShape& s, int64_t features) {
  return {r, x, {s.T, s.N, features}};
}
Staged state_of(TH_Tensor* r, const TH_Tensor& x, const SequenceShape& s) {
  TH_CHECK(r != nullptr, "an operand is missing");
  return {r, x, {s.N, s.H}};
}

/// Room for the gradients of the sums of products, of all steps.
Tensor gradients_of_sums(const Tensor& x, const SequenceShape& s) {
  const int64_t sizes[] = {s.T, s.N, s.G * s.H};
  return Tensor::like(x, x.dtype, sizes);
}

/// gates = x weight' + bias, for all steps.
void multiply_inputs(Tensor& gates, const Tensor& x, const TH_Tensor* weight,
                     const TH_Tensor* bias) {
  Tensor flat = rows(gates);
  const Tensor from = rows(x);
  ops::linear(&flat, &from, weight, bias);
}

/// The same weights, their rows side by side in memory: so a product with a few states is made of
/// whole vectors without moving them first, which each step would do anew. Lines are some elements
/// longer than they need be: at a power of two they would share a few sets of a cache, and 50
/// sequences of 128 features would take 1.07 times as long.
Tensor for_steps(const TH_Tensor& weight, const SequenceShape& s) {
  constexpr int64_t kStates = 32;  // that pay for the copy
  constexpr int64_t kApart = 16;
  if (s.T == 1 || s.T * s.N < kStates) {
    return Tensor(weight);
  }
  const int64_t sizes[] = {weight.sizes[1], weight.sizes[0] + kApart};
  const Tensor lines = Tensor::like(weight, weight.dtype, sizes);
  Tensor used = part(lines, 1, 0, weight.sizes[0]);
  th::copy(used, transposed(weight));
  return transposed(used);
}

/// Whether a step's states are enough rows for products of their own, and few enough for weights
/// that are not moved first: then its sums of products need not leave a near cache.
bool by_steps(const TH_Tensor& x, const SequenceShape& s) {
  return x.device_type == TH_CPU && s.T > 1 && s.N >= 32 && s.N <= 160;
}

/// The products of the inputs: of all steps at once, or of each when it comes.
class InputProducts {
 public:
  InputProducts(Tensor& gates, const Tensor& x, const SequenceShape& s, const TH_Tensor& weight,
                const TH_Tensor* bias)
      : x_(x), bias_(bias) {
    if (by_steps(x, s)) {
      weight_ = for_steps(weight, s);
    } else {
      multiply_inputs(gates, x, &weight, bias);
    }
  }

  /// gates: of step t
  void step(Tensor& gates, int64_t t) const {
    if (weight_.ndim > 0) {
      const Tensor in = at(x_, t);
      ops::linear(&gates, &in, &weight_, bias_);
    }
  }

 private:
  const Tensor& x_;
  const TH_Tensor* bias_;
  Tensor weight_;
};

/// x without gaps, T x N x F.
Tensor sequence(const TH_Tensor* x) { return contiguous(*x); }

/// r = g recurrent, what a step's gradient is to the state before.
void carry_back(TH_Tensor& r, double keep, const Tensor& g, const TH_Tensor* recurrent) {
  ops::addmm(&r, keep, &r, 1, &g, recurrent);
}

}  // namespace

Tensor sum_of(const TH_Tensor* a, const TH_Tensor* b) {
  Tensor sum;
  if (a != nullptr) {
    init(sum, a->dtype, a->device_type, a->device);
    ops::add_scaled(&sum, a, 1, b);
  }
  return sum;
}

void begin_memory_gradient(TH_Tensor& gradient, const TH_Tensor* gc) {
  if (gc != nullptr) {
    th::copy(gradient, *gc);
  } else {
    ops::fill(&gradient, 0);
  }
}

void forget_over(TH_Tensor& gradient, const TH_Tensor* lengths, const SequenceShape& s,
                 bool reverse) {
  if (lengths == nullptr) {
    return;
  }
  Tensor over, each;
  for (Tensor* t : {&over, &each}) {
    init(*t, TH_BYTE, lengths->device_type, lengths->device);
  }
  ops::le_value(&over, lengths, static_cast<double>(reverse ? s.T - 1 : 0));
  th::expand(each, viewed(over, {s.N, 1}), sizes_of(gradient));
  ops::masked_fill(&gradient, &each, 0);
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
  Staged states = sequence_of(y, in, s, s.H);
  Staged memories = sequence_of(c, in, s, s.H);
  Staged activations = sequence_of(gates, in, s, 4 * s.H);
  const InputProducts inputs(activations.tensor(), in, s, *weight, pointer(both));
  const Tensor by_state = transposed(for_steps(*recurrent, s));
  each_step(s.T, reverse, [&](int64_t t, int64_t before) {
    Tensor a = at(activations.tensor(), t);
    inputs.step(a, t);
    const Tensor h = state_before(states.tensor(), before, h0);
    if (h.ndim > 0) {
      ops::addmm(&a, 1, &a, 1, &h, &by_state);
    }
    Tensor cell = at(memories.tensor(), t);
    Tensor state = at(states.tensor(), t);
    const Tensor memory = state_before(memories.tensor(), before, c0);
    ops::lstm_cell(&state, &cell, &a, pointer(memory), lengths, t);
  });
  states.finish();
  memories.finish();
  activations.finish();
}

void lstm_backward(TH_Tensor* gx, TH_Tensor* gh0, TH_Tensor* gc0, TH_Tensor* grad_weight,
                   TH_Tensor* grad_recurrent, TH_Tensor* grad_bias, TH_Tensor* grad_recurrent_bias,
                   const TH_Tensor* gy, const TH_Tensor* gc, const TH_Tensor* x,
                   const TH_Tensor* h0, const TH_Tensor* c0, const TH_Tensor* weight,
                   const TH_Tensor* recurrent, const TH_Tensor* y, const TH_Tensor* c,
                   const TH_Tensor* gates, const TH_Tensor* lengths, bool reverse, double scale) {
  const RecurrentGradients to{grad_weight, grad_recurrent, grad_bias, grad_recurrent_bias};
  const SequenceShape s =
      check_lstm_backward(x, h0, c0, weight, recurrent, lengths, gy, gc, y, c, gates, to);
  const Tensor in = sequence(x);
  const Tensor states = sequence(y);
  const Tensor of_gates = gradients_of_sums(in, s);
  Staged carried = state_of(gh0, in, s);
  Staged of_memory = state_of(gc0, in, s);
  begin_memory_gradient(of_memory.tensor(), gc);
  SequenceGradients gradients(s, in, states, h0, lengths, of_gates, of_gates, reverse, gx, weight,
                              to);
  bool last = true;
  each_step_back(s.T, reverse, [&](int64_t t, int64_t before) {
    Tensor g = at(of_gates, t);
    const Tensor from = at(*gy, t);
    const Tensor a = at(*gates, t);
    const Tensor cell = at(*c, t);
    const Tensor memory = state_before(*c, before, c0);
    ops::lstm_cell_backward(&g, &of_memory.tensor(), &from, last ? nullptr : &carried.tensor(), &a,
                            &cell, pointer(memory), lengths, t);
    carry_back(carried.tensor(), 0, g, recurrent);
    gradients.known(t);
    last = false;
  });
  // What is carried by c passes the steps after a sequence's end on its way to the last one within.
  forget_over(of_memory.tensor(), lengths, s, reverse);
  gradients.complete();
  gradients.finish({&carried, &of_memory}, scale);
}

// --- GRU ----------------------------------------------------------------------------------------

void gru(TH_Tensor* y, TH_Tensor* gates, TH_Tensor* hidden, const TH_Tensor* x, const TH_Tensor* h0,
         const TH_Tensor* weight, const TH_Tensor* recurrent, const TH_Tensor* bias,
         const TH_Tensor* recurrent_bias, const TH_Tensor* lengths, bool reverse) {
  const SequenceShape s = check_sequence(x, 3, weight, recurrent, bias, recurrent_bias, lengths);
  check_states(*x, s, h0, nullptr);
  const Tensor in = sequence(x);
  Staged states = sequence_of(y, in, s, s.H);
  Staged parts = sequence_of(hidden, in, s, 3 * s.H);
  Staged activations = sequence_of(gates, in, s, 3 * s.H);
  const InputProducts inputs(activations.tensor(), in, s, *weight, bias);
  const Tensor of_steps = for_steps(*recurrent, s);
  each_step(s.T, reverse, [&](int64_t t, int64_t before) {
    Tensor a = at(activations.tensor(), t);
    inputs.step(a, t);
    Tensor of_state = at(parts.tensor(), t);
    const Tensor h = state_before(states.tensor(), before, h0);
    if (h.ndim > 0) {
      ops::linear(&of_state, &h, &of_steps, recurrent_bias);
    } else if (recurrent_bias != nullptr) {
      const int64_t sizes[] = {s.N, 3 * s.H};
      Tensor same;
      init(same, x->dtype, x->device_type, x->device);
      th::expand(same, viewed(contiguous(*recurrent_bias), {1, 3 * s.H}), sizes);
      th::copy(of_state, same);
    } else {
      ops::fill(&of_state, 0);
    }
    Tensor state = at(states.tensor(), t);
    ops::gru_cell(&state, &a, &of_state, pointer(h), lengths, t);
  });
  states.finish();
  parts.finish();
  activations.finish();
}

namespace {

void gru_backward(TH_Tensor* gx, TH_Tensor* gh0, TH_Tensor* grad_weight, TH_Tensor* grad_recurrent,
                  TH_Tensor* grad_bias, TH_Tensor* grad_recurrent_bias, const TH_Tensor* gy,
                  const TH_Tensor* x, const TH_Tensor* h0, const TH_Tensor* weight,
                  const TH_Tensor* recurrent, const TH_Tensor* y, const TH_Tensor* gates,
                  const TH_Tensor* hidden, const TH_Tensor* lengths, bool reverse, double scale) {
  const RecurrentGradients to{grad_weight, grad_recurrent, grad_bias, grad_recurrent_bias};
  const SequenceShape s = check_backward(x, 3, weight, recurrent, lengths, gy, y, to);
  check_steps(gates, "gates", *x, s, 3);
  check_steps(hidden, "hidden", *x, s, 3);
  check_states(*x, s, h0, nullptr);
  const Tensor in = sequence(x);
  const Tensor states = sequence(y);
  const Tensor of_gates = gradients_of_sums(in, s);
  const Tensor of_state = gradients_of_sums(in, s);
  Staged carried = state_of(gh0, in, s);
  SequenceGradients gradients(s, in, states, h0, lengths, of_gates, of_state, reverse, gx, weight,
                              to);
  bool last = true;
  each_step_back(s.T, reverse, [&](int64_t t, int64_t before) {
    Tensor g = at(of_gates, t);
    Tensor to_state = at(of_state, t);
    const Tensor from = at(*gy, t);
    const Tensor a = at(*gates, t);
    const Tensor part_of_state = at(*hidden, t);
    const Tensor h = state_before(states, before, h0);
    Tensor& gh = carried.tensor();
    ops::gru_cell_backward(&g, &to_state, &gh, &from, last ? nullptr : &gh, &a, &part_of_state,
                           pointer(h), lengths, t);
    carry_back(gh, 1, to_state, recurrent);
    gradients.known(t);
    last = false;
  });
  gradients.complete();
  gradients.finish({&carried}, scale);
}

}  // namespace

// --- RNN ----------------------------------------------------------------------------------------

void rnn(TH_Tensor* y, const TH_Tensor* x, const TH_Tensor* h0, const TH_Tensor* weight,
         const TH_Tensor* recurrent, const TH_Tensor* bias, const TH_Tensor* recurrent_bias,
         const TH_Tensor* lengths, bool reverse, bool relu) {
  const SequenceShape s = check_sequence(x, 1, weight, recurrent, bias, recurrent_bias, lengths);
  check_states(*x, s, h0, nullptr);
  const Tensor in = sequence(x);
  const Tensor both = sum_of(bias, recurrent_bias);
  Staged states = sequence_of(y, in, s, s.H);
  const InputProducts inputs(states.tensor(), in, s, *weight, pointer(both));
  const Tensor by_state = transposed(for_steps(*recurrent, s));
  each_step(s.T, reverse, [&](int64_t t, int64_t before) {
    Tensor a = at(states.tensor(), t);
    inputs.step(a, t);
    const Tensor h = state_before(states.tensor(), before, h0);
    if (h.ndim > 0) {
      ops::addmm(&a, 1, &a, 1, &h, &by_state);
    }
    ops::rnn_cell(&a, &a, lengths, t, relu);
  });
  states.finish();
}

namespace {

void rnn_backward(TH_Tensor* gx, TH_Tensor* gh0, TH_Tensor* grad_weight, TH_Tensor* grad_recurrent,
                  TH_Tensor* grad_bias, TH_Tensor* grad_recurrent_bias, const TH_Tensor* gy,
                  const TH_Tensor* x, const TH_Tensor* h0, const TH_Tensor* weight,
                  const TH_Tensor* recurrent, const TH_Tensor* y, const TH_Tensor* lengths,
                  bool reverse, bool relu, double scale) {
  const RecurrentGradients to{grad_weight, grad_recurrent, grad_bias, grad_recurrent_bias};
  const SequenceShape s = check_backward(x, 1, weight, recurrent, lengths, gy, y, to);
  check_states(*x, s, h0, nullptr);
  const Tensor in = sequence(x);
  const Tensor states = sequence(y);
  const Tensor of_gates = gradients_of_sums(in, s);
  Staged carried = state_of(gh0, in, s);
  SequenceGradients gradients(s, in, states, h0, lengths, of_gates, of_gates, reverse, gx, weight,
                              to);
  bool last = true;
  each_step_back(s.T, reverse, [&](int64_t t, int64_t) {
    Tensor g = at(of_gates, t);
    const Tensor from = at(*gy, t);
    const Tensor state = at(states, t);
    Tensor& gh = carried.tensor();
    ops::rnn_cell_backward(&g, &from, last ? nullptr : &gh, &state, lengths, t, relu);
    carry_back(gh, 0, g, recurrent);
    gradients.known(t);
    last = false;
  });
  gradients.complete();
  gradients.finish({&carried}, scale);
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
