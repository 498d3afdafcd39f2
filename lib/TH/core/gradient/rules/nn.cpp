// Softmax, dropout, and losses.
#include "core/gradient/derivation.h"

namespace th::gradient {
namespace {

Value plain(Value x) {
  drop(x);
  return x;
}

Value summed_along(const Value& x, int dim) { return expanded(sum(x, dim), x.shape()); }

Value per_element(const Value& grad, int64_t count, bool size_average) {
  return size_average ? grad / static_cast<double>(count) : grad;
}

/// A loss's gradient by its elements: what the row `NAME_backward` gives, times that of the loss.
template <class F>
Value loss_gradient(F backward, const Value& grad, const Value& x, const Value& target,
                    const Value& weights, double a, double b, bool size_average) {
  return result(x, backward, x, target, weights, a, b, size_average) * spread(grad, x.shape());
}

/// grad times the second derivative of each term, with the factors that the first has.
Value second_gradient(const Value& grad, const Value& second, const Value& weights,
                      bool size_average) {
  const Value all = per_element(grad * second, numel(grad), size_average);
  return weights.defined() ? all * weights : all;
}

/// The derivative of terms by their targets.
Value by_target(const Value& grad, const Value& term, const Value& weights, bool size_average) {
  return second_gradient(spread(grad, term.shape()), term, weights, size_average);
}

constexpr double kSmallest = 1e-12;  // functors/loss.h

Value bce_second(const Value& x, const Value& t) {
  return t / square(x + kSmallest) + (1.0 - t) / square((1.0 + kSmallest) - x);
}

Value logistic_second(const Value& x) { return sigmoid(x) * sigmoid(-x); }

/// Of w q^a B, with p = sigmoid(x), q = p + t - 2pt and the cross entropy B, whose slope is p - t:
/// w ((q^a)'' B + 2 (q^a)' (p - t) + q^a p (1 - p)). Where q is 0, so are its powers' derivatives.
Value focal_second(const Value& x, const Value& t, double a, double b) {
  const Value p = sigmoid(x), spread_of_p = logistic_second(x);
  const Value sign = 1.0 - t * 2.0, q = p + t * (1.0 - p * 2.0);
  const Value some = where_gt(q, 0), divisor = q + (1.0 - some);
  const Value q1 = spread_of_p * sign, q2 = q1 * (1.0 - p * 2.0);
  const Value first = power(divisor, a - 1) * some * a;  // of q^a by q
  const Value second = power(divisor, a - 2) * some * (a * (a - 1));
  const Value entropy = x * (where_gt(x, 0) - t) + log(exp(-abs(x)) + 1.0);
  const Value all = (second * square(q1) + first * q2) * entropy + first * q1 * (p - t) * 2.0 +
                    power(q, a) * spread_of_p;
  return b < 0 ? all : all * (t * b + (1.0 - t) * (1.0 - b));
}

}  // namespace

void define_nn(Derivative* table) {
  TH_DERIVATIVES(softmax, NAMES(r, x, dim), D(x, result(grad, ops::softmax_backward, grad, r, dim)))
  TH_DERIVATIVES(softmax_backward, NAMES(r, g, y, dim),
                 D(g, result(grad, ops::softmax_backward, grad, y, dim))
                     D(y, grad * (g - summed_along(g * y, dim)) - g * summed_along(grad * y, dim)))
  TH_DERIVATIVES(log_softmax, NAMES(r, x, dim),
                 D(x, result(grad, ops::log_softmax_backward, grad, r, dim)))
  TH_DERIVATIVES(log_softmax_backward, NAMES(r, g, y, dim),
                 D(g, grad - summed_along(grad * exp(y), dim))
                     D(y, -(grad * exp(y) * summed_along(g, dim))))
  TH_DERIVATIVES(dropout, NAMES(r, noise, x, p, generator), D(x, grad * noise))
}

#define LOSS(NAME, ...)                                                                   \
  TH_DERIVATIVES(NAME, NAMES(r, x, target, weights, a, b, size_average),                  \
                 D(x, loss_gradient(ops::NAME##_backward, grad, x, target, weights, a, b, \
                                    size_average)) __VA_ARGS__)
#define LOSS_GRADIENT(NAME, SECOND)                                                 \
  TH_DERIVATIVES(NAME##_backward, NAMES(r, x, target, weights, a, b, size_average), \
                 D(x, second_gradient(grad, SECOND, weights, size_average)))
#define BY_TARGET(TERM) D(target, by_target(grad, TERM, weights, size_average))

void define_loss(Derivative* table) {
  TH_DERIVATIVES(nll_loss, NAMES(r, total_weight, x, target, weights, size_average, ignore_index),
                 D(x, result(grad, ops::nll_loss_backward, plain(x), target, weights,
                             plain(total_weight), size_average, ignore_index) *
                          spread(grad, shape_of(x))))
  TH_CONSTANT(nll_loss_backward, "the same for all x")

  LOSS(mse_loss, BY_TARGET((target - x) * 2.0))
  LOSS(l1_loss, BY_TARGET(sign(target - x)))
  LOSS(huber_loss, D(target, -loss_gradient(ops::huber_loss_backward, grad, x, target, weights, a,
                                            b, size_average)))
  LOSS(bce_loss, BY_TARGET(log((1.0 + kSmallest) - x) - log(x + kSmallest)))
  LOSS(bce_logits_loss, BY_TARGET(-Value(x)))
  LOSS(kl_div_loss, BY_TARGET((log(target + where_le(target, 0)) + 1.0 - x) * where_gt(target, 0)))
  LOSS(soft_margin_loss, )
  LOSS(margin_loss, )
  LOSS(hinge_loss, )
  LOSS(focal_loss, )

  LOSS_GRADIENT(mse_loss, filled(grad, shape_of(x), 2))
  LOSS_GRADIENT(l1_loss, zeros(grad, shape_of(x)))
  LOSS_GRADIENT(huber_loss, where_lt(abs(x - target), a))
  LOSS_GRADIENT(bce_loss, bce_second(x, target))
  LOSS_GRADIENT(bce_logits_loss, logistic_second(x))
  LOSS_GRADIENT(kl_div_loss, zeros(grad, shape_of(x)))
  LOSS_GRADIENT(soft_margin_loss, square(target) * logistic_second(target * x))
  LOSS_GRADIENT(margin_loss, zeros(grad, shape_of(x)))
  LOSS_GRADIENT(hinge_loss, zeros(grad, shape_of(x)))
  LOSS_GRADIENT(focal_loss, focal_second(x, target, a, b))
}

}  // namespace th::gradient
