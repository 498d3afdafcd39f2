// One step of recurrent layers, written with plain operations (functors/recurrent.h has the
// formulas of the steps), so that gradients have gradients.
#include "core/gradient/derivation.h"

namespace th::gradient {
namespace {

/// What the call has left in a tensor that it read and wrote, as its result of that number.
Value left(Derivation& d, const Operand& x, int output) {
  Value v = x;
  if (state().enabled) {
    drop(v);
    retain(&d.node());
    v.gradient = new_variable({&d.node(), output});
    v.flags |= TH_REQUIRES_GRADIENT;
  }
  return v;
}

/// One of `count` blocks of features side by side.
Value block(const Value& x, int64_t index, int64_t count) {
  const int64_t width = x.sizes[1] / count;
  return narrowed(x, 1, index * width, width);
}

Value joined(std::initializer_list<Value> parts) {
  std::vector<const TH_Tensor*> list;
  for (const Value& part : parts) {
    list.push_back(&part);
  }
  Value r = Value::like(*parts.begin());
  ops::cat(&r, list.data(), static_cast<int>(list.size()), 1);
  return r;
}

/// 1 for sequences that go on at that step, 0 for the others, whose states are 0; as wide as x.
Value live(const Value& x, const Value& lengths, int64_t step) {
  const Value on = where_gt(lengths, static_cast<double>(step));
  return expanded(viewed(converted(on, x.dtype, x.device_type, x.device), {x.sizes[0], 1}),
                  x.shape());
}

Value only(const Value& x, const Value& lengths, int64_t step) {
  return lengths.defined() ? x * live(x, lengths, step) : x;
}

/// Gradients of sums by those of the activations that stand in their place afterwards: a sequence
/// that is over keeps its sums.
Value of_sums(Derivation& d, int output, const Value& through, const Value& slope,
              const Value& lengths, int64_t step) {
  if (!d.has(output)) {
    return only(through * slope, lengths, step);
  }
  const Value& own = d.gradient(output);
  const Value all = (through + own) * slope;
  if (!lengths.defined()) {
    return all;
  }
  const Value on = live(all, lengths, step);
  return all * on + own * (1.0 - on);
}

Value sigmoid_slope(const Value& y) { return y * (1.0 - y); }
Value tanh_slope(const Value& y) { return 1.0 - square(y); }

void lstm_cell_gradients(Derivation& d, const Operand& c, const Operand& gates, const Operand& c0,
                         const Operand& lengths, int64_t step) {
  const Value a = left(d, gates, 2), cells = c, first = c0, ends = lengths;
  const Value i = block(a, 0, 4), f = block(a, 1, 4), g = block(a, 2, 4), o = block(a, 3, 4);
  const Value squashed = tanh(cells), gh = d.gradient(0);
  const Value gc = d.gradient(1) + gh * o * tanh_slope(squashed);
  if (d.wanted(c0)) {
    d.give(c0, only(gc * f, ends, step));
  }
  if (d.wanted(gates)) {
    const Value before = first.defined() ? first : zeros(gh, gh.shape());
    const Value slope =
        joined({sigmoid_slope(i), sigmoid_slope(f), tanh_slope(g), sigmoid_slope(o)});
    d.give(gates,
           of_sums(d, 2, joined({gc * g, gc * before, gc * i, gh * squashed}), slope, ends, step));
  }
}

void gru_cell_gradients(Derivation& d, const Operand& gates, const Operand& hidden,
                        const Operand& h0, const Operand& lengths, int64_t step) {
  const Value a = left(d, gates, 1), parts = hidden, first = h0, ends = lengths;
  const Value r = block(a, 0, 3), z = block(a, 1, 3), n = block(a, 2, 3);
  const Value gh = d.gradient(0), none = zeros(gh, gh.shape());
  const Value own = d.has(1) ? d.gradient(1) : zeros(gh, a.shape());
  const Value before = first.defined() ? first : none;
  // What reaches the sums of n, then of r by way of n.
  const Value gn = (gh * (1.0 - z) + block(own, 2, 3)) * tanh_slope(n);
  if (d.wanted(h0)) {
    d.give(h0, only(gh * z, ends, step));
  }
  const Value slope = joined({sigmoid_slope(r), sigmoid_slope(z), tanh_slope(n)});
  const Value through = joined({gn * block(parts, 2, 3), gh * (before - n), gh * (1.0 - z)});
  if (d.wanted(gates)) {
    d.give(gates, of_sums(d, 1, through, slope, ends, step));
  }
  if (d.wanted(hidden)) {
    const Value of_gates = (through + own) * slope;
    d.give(hidden,
           only(joined({block(of_gates, 0, 3), block(of_gates, 1, 3), gn * r}), ends, step));
  }
}

Value rnn_cell_gradient(const Value& grad, const Value& h, const Value& lengths, int64_t step,
                        bool relu) {
  if (!state().enabled) {
    return result(grad, ops::rnn_cell_backward, grad, Value(), h, lengths, step, relu);
  }
  return only(grad * (relu ? where_gt(h, 0) : tanh_slope(h)), lengths, step);
}

}  // namespace

void define_cells(Derivative* table) {
  constexpr const char* kPlain =
      "its gradient is made of plain operations where it is differentiated itself";
  TH_DERIVATIVES(lstm_cell, NAMES(h, c, gates, c0, lengths, step),
                 ALL(lstm_cell_gradients(d, c, gates, c0, lengths, step)))
  TH_UNDIFFERENTIATED(lstm_cell_backward, kPlain)
  TH_DERIVATIVES(gru_cell, NAMES(h, gates, hidden, h0, lengths, step),
                 ALL(gru_cell_gradients(d, gates, hidden, h0, lengths, step)))
  TH_UNDIFFERENTIATED(gru_cell_backward, kPlain)
  TH_DERIVATIVES(rnn_cell, NAMES(h, gates, lengths, step, relu),
                 D(gates, rnn_cell_gradient(grad, h, lengths, step, relu)))
  TH_UNDIFFERENTIATED(rnn_cell_backward, kPlain)
}

}  // namespace th::gradient
