// Attention and recurrent layers: one fused pass back each.
#include "core/gradient/derivation.h"
#include "core/gradient/rules/unrolled.h"

namespace th::gradient {
namespace {

const TH_Tensor* given(const Value& v) { return v.defined() ? &v : nullptr; }
TH_Tensor* wanted(Value& v) { return v.defined() ? &v : nullptr; }

void give_defined(Derivation& d, const Operand& x, const Value& gradient) {
  if (d.wanted(x) && gradient.defined()) {
    d.give(x, gradient);
  }
}

/// Zeros where a parameter wants its gradient, to which the fused pass adds.
Value room_for(Derivation& d, const Operand& x, const Value& like) {
  return d.wanted(x) ? zeros(like, shape_of(x)) : Value();
}

/// As N x rows x columns, whatever heads there are.
Value batches(const Value& x) {
  const int n = x.ndim;
  return viewed(x, {numel(x) / (x.sizes[n - 2] * x.sizes[n - 1]), x.sizes[n - 2], x.sizes[n - 1]});
}

/// x + mask or x * noise, whose sizes are those of the scores or 1.
Value as_scores(const Value& t, const Value& scores, std::span<const int64_t> sizes) {
  return viewed(expanded(t, sizes), scores.shape());
}

/// The same gradients with all scores in memory, made of operations that are recorded.
void plain_attention_gradients(Derivation& d, const Value& grad, const Operand& q, const Operand& k,
                               const Operand& v, const Value& mask, const Value& noise, bool causal,
                               double scale) {
  const Value queries = batches(q), keys = batches(k), values = batches(v), g = batches(grad);
  Value scores = product(queries, transposed(keys), scale);
  std::vector<int64_t> sizes(shape_of(q).begin(), shape_of(q).end());
  sizes.back() = size_of(k, dims_of(k) - 2);
  if (mask.defined()) {
    scores = scores + as_scores(mask, scores, sizes);
  }
  if (causal) {
    const int64_t block[] = {scores.sizes[1], scores.sizes[2]};
    const Value later = result(scores, ops::triu, ones(scores, block), int64_t{1});
    scores = scores + expanded(viewed(later * -1e30, {1, block[0], block[1]}), scores.shape());
  }
  const Value weights = result(scores, ops::softmax, scores, 2);
  const Value factors = noise.defined() ? as_scores(noise, scores, sizes) : Value();
  const auto dropped = [&](const Value& x) { return factors.defined() ? x * factors : x; };
  const Value gw = dropped(product(g, transposed(values)));
  const Value gs = weights * (gw - expanded(sum(gw * weights, 2), gw.shape()));
  if (d.wanted(q)) {
    d.give(q, viewed(product(gs, keys, scale), shape_of(q)));
  }
  if (d.wanted(k)) {
    d.give(k, viewed(product(transposed(gs), queries, scale), shape_of(k)));
  }
  if (d.wanted(v)) {
    d.give(v, viewed(product(transposed(dropped(weights)), g), shape_of(v)));
  }
}

void attention_gradients(Derivation& d, const Value& grad, const Operand& q, const Operand& k,
                         const Operand& v, const Operand& mask, const Operand& noise, bool causal,
                         double scale) {
  TH_CHECK(!d.wanted(mask) && !d.wanted(noise), "has no derivative by its mask or noise");
  const Value queries = q, keys = k, values = v, m = mask, n = noise;
  if (state().enabled) {
    plain_attention_gradients(d, grad, q, k, v, m, n, causal, scale);
    return;
  }
  Value gq = Value::like(grad), gk = gq, gv = gq;
  ops::attention_backward(&gq, &gk, &gv, &grad, &queries, &keys, &values, given(m), given(n),
                          causal, scale);
  give_defined(d, q, gq);
  give_defined(d, k, gk);
  give_defined(d, v, gv);
}

struct Parameters {
  Value weight, recurrent, bias, recurrent_bias;
};
Parameters rooms(Derivation& d, const Value& like, const Operand& weight, const Operand& recurrent,
                 const Operand& bias, const Operand& recurrent_bias) {
  return {room_for(d, weight, like), room_for(d, recurrent, like), room_for(d, bias, like),
          room_for(d, recurrent_bias, like)};
}
void give_all(Derivation& d, const Parameters& p, const Operand& weight, const Operand& recurrent,
              const Operand& bias, const Operand& recurrent_bias) {
  give_defined(d, weight, p.weight);
  give_defined(d, recurrent, p.recurrent);
  give_defined(d, bias, p.bias);
  give_defined(d, recurrent_bias, p.recurrent_bias);
}

void lstm_gradients(Derivation& d, const Operand& y, const Operand& c, const Operand& gates,
                    const Operand& x, const Operand& h0, const Operand& c0, const Operand& weight,
                    const Operand& recurrent, const Operand& bias, const Operand& recurrent_bias,
                    const Operand& lengths, bool reverse) {
  TH_CHECK(!d.has(2), "has no derivative by way of its gates");
  if (state().enabled) {
    unrolled_lstm_gradients(d, {x, h0, weight, recurrent, bias, recurrent_bias, lengths, reverse},
                            c0);
    return;
  }
  const Value gy = d.gradient(0), cells = c, states = y, kept = gates, in = x, h = h0, first = c0,
              w = weight, u = recurrent, l = lengths;
  Value gc;
  if (d.has(1)) {  // the fused pass takes the gradient of the last cell alone
    const Value& all = d.gradient(1);
    const int64_t steps = all.sizes[0], last = reverse ? 0 : steps - 1;
    gc = copied(selected(all, 0, last));
    Value others = copied(all);
    Value one = selected(others, 0, last);
    ops::fill(&one, 0);
    double rest = 0;
    ops::norm_all(&rest, &others, 1);
    TH_CHECK(rest == 0, "has a derivative by the last step's cell alone, not by others'");
  }
  Value gx = Value::like(gy), gh0 = gx, gc0 = gx;
  Parameters p = rooms(d, gy, weight, recurrent, bias, recurrent_bias);
  ops::lstm_backward(d.wanted(x) ? &gx : nullptr, &gh0, &gc0, wanted(p.weight), wanted(p.recurrent),
                     wanted(p.bias), wanted(p.recurrent_bias), &gy, given(gc), &in, given(h),
                     given(first), &w, &u, &states, &cells, &kept, given(l), reverse, 1);
  give_defined(d, x, gx);
  give_defined(d, h0, gh0);
  give_defined(d, c0, gc0);
  give_all(d, p, weight, recurrent, bias, recurrent_bias);
}

void gru_gradients(Derivation& d, const Operand& y, const Operand& gates, const Operand& hidden,
                   const Operand& x, const Operand& h0, const Operand& weight,
                   const Operand& recurrent, const Operand& bias, const Operand& recurrent_bias,
                   const Operand& lengths, bool reverse) {
  TH_CHECK(!d.has(1) && !d.has(2), "has no derivative by way of its gates");
  if (state().enabled) {
    unrolled_gru_gradients(d, {x, h0, weight, recurrent, bias, recurrent_bias, lengths, reverse});
    return;
  }
  const Value gy = d.gradient(0), states = y, kept = gates, parts = hidden, in = x, h = h0,
              w = weight, u = recurrent, l = lengths;
  Value gx = Value::like(gy), gh0 = gx;
  Parameters p = rooms(d, gy, weight, recurrent, bias, recurrent_bias);
  ops::gru_backward(d.wanted(x) ? &gx : nullptr, &gh0, wanted(p.weight), wanted(p.recurrent),
                    wanted(p.bias), wanted(p.recurrent_bias), &gy, &in, given(h), &w, &u, &states,
                    &kept, &parts, given(l), reverse, 1);
  give_defined(d, x, gx);
  give_defined(d, h0, gh0);
  give_all(d, p, weight, recurrent, bias, recurrent_bias);
}

void rnn_gradients(Derivation& d, const Operand& y, const Operand& x, const Operand& h0,
                   const Operand& weight, const Operand& recurrent, const Operand& bias,
                   const Operand& recurrent_bias, const Operand& lengths, bool reverse, bool relu) {
  if (state().enabled) {
    unrolled_rnn_gradients(d, {x, h0, weight, recurrent, bias, recurrent_bias, lengths, reverse},
                           relu);
    return;
  }
  const Value gy = d.gradient(0), states = y, in = x, h = h0, w = weight, u = recurrent,
              l = lengths;
  Value gx = Value::like(gy), gh0 = gx;
  Parameters p = rooms(d, gy, weight, recurrent, bias, recurrent_bias);
  ops::rnn_backward(d.wanted(x) ? &gx : nullptr, &gh0, wanted(p.weight), wanted(p.recurrent),
                    wanted(p.bias), wanted(p.recurrent_bias), &gy, &in, given(h), &w, &u, &states,
                    given(l), reverse, relu, 1);
  give_defined(d, x, gx);
  give_defined(d, h0, gh0);
  give_all(d, p, weight, recurrent, bias, recurrent_bias);
}

}  // namespace

void define_sequence(Derivative* table) {
  constexpr const char* kFused =
      "its gradient goes by single steps where it is differentiated itself";
  TH_DERIVATIVES(attention, NAMES(r, q, k, v, mask, noise, causal, scale),
                 ALL(attention_gradients(d, grad, q, k, v, mask, noise, causal, scale)))
  TH_UNDIFFERENTIATED(attention_backward,
                      "its gradient is made of plain operations where it is differentiated itself")
  TH_DERIVATIVES(
      lstm,
      NAMES(y, c, gates, x, h0, c0, weight, recurrent, bias, recurrent_bias, lengths, reverse),
      ALL(lstm_gradients(d, y, c, gates, x, h0, c0, weight, recurrent, bias, recurrent_bias,
                         lengths, reverse)))
  TH_UNDIFFERENTIATED(lstm_backward, kFused)
  TH_DERIVATIVES(
      gru,
      NAMES(y, gates, hidden, x, h0, weight, recurrent, bias, recurrent_bias, lengths, reverse),
      ALL(gru_gradients(d, y, gates, hidden, x, h0, weight, recurrent, bias, recurrent_bias,
                        lengths, reverse)))
  TH_UNDIFFERENTIATED(gru_backward, kFused)
  TH_DERIVATIVES(rnn,
                 NAMES(y, x, h0, weight, recurrent, bias, recurrent_bias, lengths, reverse, relu),
                 ALL(rnn_gradients(d, y, x, h0, weight, recurrent, bias, recurrent_bias, lengths,
                                   reverse, relu)))
  TH_UNDIFFERENTIATED(rnn_backward, kFused)
}

}  // namespace th::gradient
