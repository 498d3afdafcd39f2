// A fused pass back leaves no record. Where it would have to, the layer runs once more by the
// operations of single steps, which have derivatives of any order, and a pass within the pass goes
// back through these.
#include "core/gradient/rules/unrolled.h"

#include <utility>
#include <vector>

#include "core/gradient/backward.h"

namespace th::gradient {
namespace {

const TH_Tensor* pointer(const Value& v) { return v.defined() ? &v : nullptr; }

/// The pass within: from results of the steps to the call's operands.
class Inner {
 public:
  explicit Inner(Derivation& d) : d_(d) {}

  /// An operand as a view of its own: what it was made of may depend on others of them.
  Value operand(const Operand& x) {
    const Value v = x;
    if (!d_.wanted(x)) {
      return v;
    }
    targets_.emplace_back(&x, result(v, views::alias, v));
    return targets_.back().second;
  }

  /// y is a result whose gradient is g. A first state may depend on nothing that wants one.
  void root(const Value& y, const Value& g) {
    if (is_variable(y)) {
      roots_.emplace_back(y, g);
    }
  }

  /// Gives the operands their gradients.
  void finish() {
    Backward pass({.leaves = false, .retain = true, .create = true},
                  static_cast<int>(targets_.size()));
    for (size_t i = 0; i < targets_.size(); ++i) {
      pass.target(static_cast<int>(i), targets_[i].second);
    }
    for (const auto& [y, g] : roots_) {
      pass.begin(y, g);
    }
    pass.run();  // what it meets is this file's: no hooks, no functions of a script
    for (size_t i = 0; i < targets_.size(); ++i) {
      if (const Value& g = pass.result(static_cast<int>(i)); g.defined()) {
        d_.give(*targets_[i].first, g);
      }
    }
  }

 private:
  Derivation& d_;
  std::vector<std::pair<const Operand*, Value>> targets_;
  std::vector<std::pair<Value, Value>> roots_;
};

/// A layer's operands, and its sums of products.
class Steps {
 public:
  Steps(Inner& inner, const Recurrent& layer)
      : lengths(layer.lengths),
        state(inner.operand(layer.h0)),
        recurrent_(inner.operand(layer.recurrent)),
        recurrent_bias_(inner.operand(layer.recurrent_bias)),
        reverse_(layer.reverse) {
    const Value x = inner.operand(layer.x), weight = inner.operand(layer.weight);
    const Value flat = viewed(x, {x.sizes[0] * x.sizes[1], x.sizes[2]});
    inputs_ = viewed(result(x, ops::linear, flat, weight, inner.operand(layer.bias)),
                     {x.sizes[0], x.sizes[1], weight.sizes[0]});
  }

  /// f(t, the input's sums at step t).
  template <class F>
  void each(const F& f) const {
    const int64_t count = inputs_.sizes[0];
    for (int64_t i = 0; i < count; ++i) {
      const int64_t t = reverse_ ? count - 1 - i : i;
      f(t, selected(inputs_, 0, t));
    }
  }

  /// The state's sums; undefined where there is none, and no bias.
  Value of_state() const {
    if (state.defined()) {
      return result(state, ops::linear, state, recurrent_, recurrent_bias_);
    } else if (recurrent_bias_.defined()) {
      const int64_t sizes[] = {inputs_.sizes[1], inputs_.sizes[2]};
      return expanded(viewed(recurrent_bias_, {1, sizes[1]}), sizes);
    }
    return {};
  }

  /// Both sums together, in memory of their own.
  Value sums(const Value& of_input) const {
    const Value s = of_state();
    return s.defined() ? of_input + s : copied(of_input);
  }

  const Value lengths;
  Value state;  // before the step

 private:
  Value recurrent_, recurrent_bias_, inputs_;
  bool reverse_;
};

Value step_of(const Value& all, int64_t t) { return selected(all, 0, t); }

}  // namespace

void unrolled_lstm_gradients(Derivation& d, const Recurrent& layer, const Operand& c0) {
  Inner inner(d);
  Steps steps(inner, layer);
  Value memory = inner.operand(c0);
  const Value gh = d.gradient(0), gc = d.has(1) ? d.gradient(1) : Value();
  steps.each([&](int64_t t, const Value& of_input) {
    Value gates = steps.sums(of_input), h = Value::like(gates), c = h;
    ops::lstm_cell(&h, &c, &gates, pointer(memory), pointer(steps.lengths), t);
    inner.root(h, step_of(gh, t));
    if (gc.defined()) {
      inner.root(c, step_of(gc, t));
    }
    steps.state = std::move(h);
    memory = std::move(c);
  });
  inner.finish();
}

void unrolled_gru_gradients(Derivation& d, const Recurrent& layer) {
  Inner inner(d);
  Steps steps(inner, layer);
  const Value gh = d.gradient(0);
  steps.each([&](int64_t t, const Value& of_input) {
    Value gates = copied(of_input), hidden = steps.of_state(), h = Value::like(gates);
    if (!hidden.defined()) {
      hidden = zeros(gates, gates.shape());
    }
    ops::gru_cell(&h, &gates, &hidden, pointer(steps.state), pointer(steps.lengths), t);
    inner.root(h, step_of(gh, t));
    steps.state = std::move(h);
  });
  inner.finish();
}

void unrolled_rnn_gradients(Derivation& d, const Recurrent& layer, bool relu) {
  Inner inner(d);
  Steps steps(inner, layer);
  const Value gh = d.gradient(0);
  steps.each([&](int64_t t, const Value& of_input) {
    const Value sums = steps.sums(of_input);
    Value h = Value::like(sums);
    ops::rnn_cell(&h, &sums, pointer(steps.lengths), t, relu);
    inner.root(h, step_of(gh, t));
    steps.state = std::move(h);
  });
  inner.finish();
}

}  // namespace th::gradient
