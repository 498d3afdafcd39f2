// Normalisation: one fused pass back; plain operations where that pass is differentiated itself.
#include "core/gradient/derivation.h"

namespace th::gradient {
namespace {

/// Sums over all dimensions but those in which `sizes` is not 1.
Value mean_over(const Value& x, std::span<const int64_t> sizes) {
  const Value total = summed(x, sizes);
  return expanded(total * (static_cast<double>(numel(total)) / static_cast<double>(numel(x))),
                  x.shape());
}

struct Rows {
  Value x;                       // with the dimensions that are averaged over
  std::vector<int64_t> kept;     // 1 in those
  std::vector<int64_t> weights;  // 1 in the dimensions that share a weight
};

/// What the normalised elements' gradient is to the elements, with everything that depends on them
/// recorded.
Value normalised_gradient(const Rows& rows, const Value& grad, bool centred, double eps,
                          Value* normalised) {
  const Value middle = centred ? rows.x - mean_over(rows.x, rows.kept) : rows.x;
  const Value scale = power(mean_over(square(middle), rows.kept) + eps, -0.5);
  *normalised = middle * scale;
  const Value along = *normalised * mean_over(grad * *normalised, rows.kept);
  return (centred ? grad - mean_over(grad, rows.kept) - along : grad - along) * scale;
}

Value weighted(const Value& grad, const Value& weight, std::span<const int64_t> sizes) {
  return weight.defined() ? grad * expanded(viewed(weight, sizes), grad.shape()) : grad;
}

std::vector<int64_t> planes_of(const Value& x) {
  std::vector<int64_t> sizes(static_cast<size_t>(x.ndim), 1);
  sizes[x.ndim > 1 ? 1 : 0] = x.sizes[x.ndim > 1 ? 1 : 0];
  return sizes;
}

void give_parameters(Derivation& d, const Operand& weight, const Operand& bias, const Value& grad,
                     const Value& normalised, std::span<const int64_t> sizes) {
  if (d.wanted(weight)) {
    d.give(weight, summed(grad * normalised, sizes));
  }
  if (d.wanted(bias)) {
    d.give(bias, summed(grad, sizes));
  }
}

/// The results of a fused pass back: what is not wanted stays undefined.
struct Fused {
  Value x, weight, bias;

  Fused(Derivation& d, const Value& grad, const Operand& of_x, const Operand& of_weight,
        const Operand& of_bias)
      : x(d.wanted(of_x) ? Value::like(grad) : Value()), wants_x(d.wanted(of_x)) {
    if (d.wanted(of_weight)) {
      weight = zeros(grad, shape_of(of_weight));
    }
    if (d.wanted(of_bias)) {
      bias = zeros(grad, shape_of(of_bias));
    }
  }
  bool wants_x;
  TH_Tensor* to_x() { return wants_x ? &x : nullptr; }
  TH_Tensor* to_weight() { return weight.defined() ? &weight : nullptr; }
  TH_Tensor* to_bias() { return bias.defined() ? &bias : nullptr; }
  void give(Derivation& d, const Operand& of_x, const Operand& of_weight, const Operand& of_bias) {
    if (wants_x) {
      d.give(of_x, std::move(x));
    }
    if (weight.defined()) {
      d.give(of_weight, std::move(weight));
    }
    if (bias.defined()) {
      d.give(of_bias, std::move(bias));
    }
  }
};
const TH_Tensor* given(const Value& v) { return v.defined() ? &v : nullptr; }

void batch_norm_gradients(Derivation& d, const Value& grad, const Operand& x, const Operand& weight,
                          const Operand& bias, const Operand& running_mean,
                          const Operand& running_var, const Operand& save_mean,
                          const Operand& save_std, bool train, double eps) {
  if (!state().enabled) {
    Fused fused(d, grad, x, weight, bias);
    const Value input = x, w = weight, mean = running_mean, var = running_var,
                saved_mean = save_mean, saved_std = save_std;
    ops::batch_norm_backward(fused.to_x(), fused.to_weight(), fused.to_bias(), &grad, &input,
                             given(w), given(mean), given(var), given(saved_mean), given(saved_std),
                             train, eps, 1);
    fused.give(d, x, weight, bias);
    return;
  }
  const Value input = x, w = weight;
  const std::vector<int64_t> sizes = planes_of(input);
  const Value g = weighted(grad, w, sizes);
  Value normalised, gx;
  if (train) {
    gx = normalised_gradient({input, sizes, sizes}, g, true, eps, &normalised);
  } else {
    const Value mean = running_mean, var = running_var;
    const Value scale = expanded(viewed(power(var + eps, -0.5), sizes), input.shape());
    normalised = (input - expanded(viewed(mean, sizes), input.shape())) * scale;
    gx = g * scale;
  }
  if (d.wanted(x)) {
    d.give(x, gx);
  }
  give_parameters(d, weight, bias, grad, normalised, sizes);
}

void row_norm_gradients(Derivation& d, const Value& grad, const Operand& x, const Operand& weight,
                        const Operand& bias, const Operand& save_mean, const Operand& save_std,
                        bool centred, int64_t length, int64_t groups, int64_t inner, double eps) {
  if (!state().enabled) {
    Fused fused(d, grad, x, weight, bias);
    const Value input = x, w = weight, mean = save_mean, std = save_std;
    ops::row_norm_backward(fused.to_x(), fused.to_weight(), fused.to_bias(), &grad, &input,
                           given(w), given(mean), &std, centred, length, groups, inner, 1);
    fused.give(d, x, weight, bias);
    return;
  }
  const Value w = weight;
  const int64_t all = count_of(x), outer = all / (groups * length);
  const int64_t sizes[] = {outer, groups, length / inner, inner};
  const int64_t weights[] = {1, groups, length / inner, 1};
  Rows rows{viewed(x, sizes), {outer, groups, 1, 1}, {}};
  const Value through = viewed(grad, sizes);
  Value normalised;
  const Value gx =
      normalised_gradient(rows, weighted(through, w, weights), centred, eps, &normalised);
  if (d.wanted(x)) {
    d.give(x, viewed(gx, shape_of(x)));
  }
  give_parameters(d, weight, bias, through, normalised, weights);
}

}  // namespace

void define_normalization(Derivative* table) {
  constexpr const char* kPlain =
      "its gradient is made of plain operations where it is differentiated itself";
  TH_DERIVATIVES(batch_norm,
                 NAMES(r, save_mean, save_std, x, weight, bias, running_mean, running_var, train,
                       momentum, eps),
                 ALL(batch_norm_gradients(d, grad, x, weight, bias, running_mean, running_var,
                                          save_mean, save_std, train, eps)))
  TH_UNDIFFERENTIATED(batch_norm_backward, kPlain)
  TH_DERIVATIVES(
      row_norm, NAMES(r, save_mean, save_std, x, weight, bias, centred, length, groups, inner, eps),
      ALL(row_norm_gradients(d, grad, x, weight, bias, save_mean, save_std, centred, length, groups,
                             inner, eps)))
  TH_UNDIFFERENTIATED(row_norm_backward, kPlain)
}

}  // namespace th::gradient
