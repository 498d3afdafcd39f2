// One function of each element.
#include <cmath>

#include "core/gradient/derivation.h"

namespace th::gradient {
namespace {

/// Without its history: what a formula reads twice must be differentiated once.
Value plain(Value x) {
  drop(x);
  return x;
}

Value one_minus(const Value& x) { return 1.0 - x; }

// --- second derivatives: of the functions whose gradient reads x ---------------------------------

Value bell(const Value& x) {  // the normal distribution's density
  return exp(square(x) * -0.5) * 0.3989422804014327;
}

Value gelu_tanh_second(const Value& x) {
  constexpr double k = 0.7978845608028654, c = 0.044715;  // sqrt(2 / pi)
  const Value s = sigmoid((x + x * square(x) * c) * (2 * k));
  const Value slope = (square(x) * (3 * c) + 1.0) * (2 * k);
  const Value s1 = s * one_minus(s) * slope;
  const Value s2 = s1 * one_minus(s * 2.0) * slope + s * one_minus(s) * x * (12 * k * c);
  return s1 * 2.0 + x * s2;
}

Value silu_second(const Value& x) {
  const Value s = sigmoid(x);
  return s * one_minus(s) * (x * one_minus(s * 2.0) + 2.0);
}

Value mish_second(const Value& x) {
  const Value s = sigmoid(x), t = tanh(result(x, ops::softplus, x));
  const Value rest = one_minus(square(t));
  const Value t1 = rest * s;
  const Value t2 = rest * s * one_minus(s) - t * t1 * s * 2.0;
  return t1 * 2.0 + x * t2;
}

Value tanhshrink_second(const Value& x) {
  const Value t = tanh(x);
  return t * one_minus(square(t)) * 2.0;
}

Value no_second(const Value& x) { return zeros(x, x.shape()); }

/// log(x) where it is multiplied with 0 for x = 0.
Value safe_log(const Value& x) { return log(x + where_eq(x, 0)); }

/// 1 where both are, so that nothing is divided by 0 whose gradient is 0 by convention.
Value both_zero(const Value& x, const Value& y) { return where_eq(x, 0) * where_eq(y, 0); }

Value pow_second(const Value& y, double value) {
  const double factor = value * (value - 1);
  return factor == 0 ? zeros(y, y.shape()) : power(y, value - 2) * factor;
}

}  // namespace

// The fused gradient NAME_backward(g, x, y): of some functions it reads the operand x, of others
// the result y, which stands for both then.
#define OF_X(NAME)                  \
  TH_DERIVATIVES(NAME, NAMES(r, x), \
                 D(x, result(grad, ops::NAME##_backward, grad, Value(x), plain(x))))
#define OF_RESULT(NAME)             \
  TH_DERIVATIVES(NAME, NAMES(r, x), \
                 D(x, result(grad, ops::NAME##_backward, grad, plain(r), Value(r))))
#define OF_X2(NAME)                       \
  TH_DERIVATIVES(NAME, NAMES(r, x, a, b), \
                 D(x, result(grad, ops::NAME##_backward, grad, Value(x), plain(x), a, b)))

void define_pointwise(Derivative* table) {
  OF_X(abs)
  TH_DERIVATIVES(neg, NAMES(r, x), D(x, -grad))
  TH_DERIVATIVES(square, NAMES(r, x), D(x, grad * x * 2.0))
  OF_RESULT(exp)
  OF_RESULT(expm1)
  OF_X(log)
  OF_X(log1p)
  OF_RESULT(sqrt)
  OF_RESULT(rsqrt)
  OF_RESULT(cinv)
  OF_X(sin)
  OF_X(cos)
  OF_RESULT(tan)
  OF_X(asin)
  OF_X(acos)
  OF_X(atan)
  OF_X(sinh)
  OF_X(cosh)
  OF_RESULT(tanh)
  TH_DERIVATIVES(frac, NAMES(r, x), D(x, grad))
  OF_RESULT(sigmoid)
  OF_X(softplus)
  OF_RESULT(relu)
  OF_RESULT(selu)
  OF_X(tanhshrink)
  OF_X(softsign)
  OF_X(logsigmoid)
  OF_X(gelu)
  OF_X(gelu_tanh)
  OF_X(silu)
  OF_X(mish)
  OF_RESULT(hardsigmoid)
  OF_X(hardswish)
  TH_CONSTANT(sign, "steps: the gradient is 0 wherever there is one")
  TH_CONSTANT(floor, "steps: the gradient is 0 wherever there is one")
  TH_CONSTANT(ceil, "steps: the gradient is 0 wherever there is one")
  TH_CONSTANT(round, "steps: the gradient is 0 wherever there is one")
  TH_CONSTANT(trunc, "steps: the gradient is 0 wherever there is one")

  TH_DERIVATIVES(add_value, NAMES(r, x, value), D(x, grad))
  TH_DERIVATIVES(mul, NAMES(r, x, value), D(x, grad * value))
  TH_DERIVATIVES(div, NAMES(r, x, value), D(x, grad / value))
  TH_DERIVATIVES(fmod, NAMES(r, x, value), D(x, grad))
  TH_DERIVATIVES(remainder, NAMES(r, x, value), D(x, grad))
  TH_DERIVATIVES(
      pow, NAMES(r, x, value),
      D(x, value == 0 ? zeros(grad, shape_of(x)) : result(grad, ops::pow_backward, grad, value, x)))
  TH_DERIVATIVES(tpow, NAMES(r, x, value),
                 D(x, value == 0 ? zeros(grad, shape_of(x)) : grad * r * std::log(value)))
  TH_DERIVATIVES(cmax_value, NAMES(r, x, value), D(x, grad * where_ge(x, value)))
  TH_DERIVATIVES(cmin_value, NAMES(r, x, value), D(x, grad * where_le(x, value)))
  TH_DERIVATIVES(lshift, NAMES(r, x, value), D(x, grad * std::exp2(value)))
  TH_DERIVATIVES(rshift, NAMES(r, x, value), D(x, grad * std::exp2(-value)))
  TH_CONSTANT(bitand_value, "integers")
  TH_CONSTANT(bitor_value, "integers")
  TH_CONSTANT(bitxor_value, "integers")

  OF_X2(clamp)
  OF_X2(threshold)
  OF_X2(leaky_relu)
  OF_X2(hardshrink)
  OF_X2(softshrink)
  TH_DERIVATIVES(elu, NAMES(r, x, a, b),
                 D(x, result(grad, ops::elu_backward, grad, plain(r), Value(r), a, b)))

  TH_DERIVATIVES(cmul, NAMES(r, x, y), D(x, grad * y) D(y, grad * x))
  TH_DERIVATIVES(cdiv, NAMES(r, x, y), D(x, grad / y) D(y, -(grad * r / y)))
  TH_DERIVATIVES(cpow, NAMES(r, x, y),
                 D(x, grad * y * power(x + both_zero(x, y), y - 1.0)) D(y, grad * r * safe_log(x)))
  TH_DERIVATIVES(cfmod, NAMES(r, x, y), D(x, grad) D(y, -(grad * trunc(x / y))))
  TH_DERIVATIVES(cremainder, NAMES(r, x, y), D(x, grad) D(y, -(grad * floor(x / y))))
  TH_DERIVATIVES(cmax, NAMES(r, x, y),
                 D(x, grad * where_ge(x, y)) D(y, grad * one_minus(where_ge(x, y))))
  TH_DERIVATIVES(cmin, NAMES(r, x, y),
                 D(x, grad * where_ge(y, x)) D(y, grad * one_minus(where_ge(y, x))))
  TH_DERIVATIVES(atan2, NAMES(r, x, y),
                 D(x, grad * y / (square(x) + square(y) + both_zero(x, y)))
                     D(y, -(grad * x / (square(x) + square(y) + both_zero(x, y)))))
  TH_DERIVATIVES(prelu, NAMES(r, x, y),
                 D(x, grad * (where_gt(x, 0) + y * where_le(x, 0))) D(y, grad * x * where_le(x, 0)))
  TH_DERIVATIVES(clshift, NAMES(r, x, y),
                 D(x, grad * result(y, ops::tpow, y, 2.0)) D(y, grad * r * M_LN2))
  TH_DERIVATIVES(crshift, NAMES(r, x, y),
                 D(x, grad * result(y, ops::tpow, y, 0.5)) D(y, grad * r * -M_LN2))
  TH_CONSTANT(cbitand, "integers")
  TH_CONSTANT(cbitor, "integers")
  TH_CONSTANT(cbitxor, "integers")

  TH_DERIVATIVES(add_scaled, NAMES(r, x, value, y), D(x, grad) D(y, grad * value))
  TH_DERIVATIVES(lerp, NAMES(r, x, value, y), D(x, grad * (1 - value)) D(y, grad * value))
  TH_DERIVATIVES(pow_backward, NAMES(r, x, value, y),
                 D(x, result(grad, ops::pow_backward, grad, value, y))
                     D(y, grad * x * pow_second(y, value)))
  TH_DERIVATIVES(addcmul, NAMES(r, x, value, y, z),
                 D(x, grad) D(y, grad * z * value) D(z, grad * y * value))
  TH_DERIVATIVES(addcdiv, NAMES(r, x, value, y, z),
                 D(x, grad) D(y, grad / z * value) D(z, grad * y / square(z) * -value))
  TH_DERIVATIVES(prelu_backward, NAMES(r, x, value, y, z),
                 D(x, grad * (where_gt(y, value) + z * where_le(y, value))) D(y, no_second(grad))
                     D(z, grad * x * where_le(y, value)))
}

// --- gradients of gradients ---------------------------------------------------------------------

#define GRADIENT_OF_X(NAME, SECOND)                  \
  TH_DERIVATIVES(NAME##_backward, NAMES(r, g, x, y), \
                 D(g, result(grad, ops::NAME##_backward, grad, x, y)) D(x, grad* g*(SECOND)))
#define GRADIENT_OF_RESULT(NAME, SECOND)                                            \
  TH_DERIVATIVES(NAME##_backward, NAMES(r, g, x, y),                                \
                 D(g, result(grad, ops::NAME##_backward, grad, plain(y), Value(y))) \
                     D(y, grad* g*(SECOND)))
#define GRADIENT_OF_X2(NAME, OPERAND, SECOND)                               \
  TH_DERIVATIVES(NAME##_backward, NAMES(r, g, x, y, a, b),                  \
                 D(g, result(grad, ops::NAME##_backward, grad, x, y, a, b)) \
                     D(OPERAND, grad* g*(SECOND)))

void define_pointwise_gradients(Derivative* table) {
  GRADIENT_OF_X(abs, no_second(x))
  GRADIENT_OF_X(neg, no_second(x))
  GRADIENT_OF_X(square, filled(grad, shape_of(x), 2))
  GRADIENT_OF_RESULT(exp, ones(grad, shape_of(y)))
  GRADIENT_OF_RESULT(expm1, ones(grad, shape_of(y)))
  GRADIENT_OF_X(log, -1.0 / square(x))
  GRADIENT_OF_X(log1p, -1.0 / square(x + 1.0))
  GRADIENT_OF_RESULT(sqrt, -0.5 / square(y))
  GRADIENT_OF_RESULT(rsqrt, square(y) * -1.5)
  GRADIENT_OF_RESULT(cinv, y * -2.0)
  GRADIENT_OF_X(sin, -sin(x))
  GRADIENT_OF_X(cos, -cos(x))
  GRADIENT_OF_RESULT(tan, y * 2.0)
  GRADIENT_OF_X(asin, x * power(one_minus(square(x)), -1.5))
  GRADIENT_OF_X(acos, -(x * power(one_minus(square(x)), -1.5)))
  GRADIENT_OF_X(atan, x * power(square(x) + 1.0, -2) * -2.0)
  GRADIENT_OF_X(sinh, sinh(x))
  GRADIENT_OF_X(cosh, cosh(x))
  GRADIENT_OF_RESULT(tanh, y * -2.0)
  GRADIENT_OF_X(frac, no_second(x))
  GRADIENT_OF_RESULT(sigmoid, one_minus(y * 2.0))
  GRADIENT_OF_X(softplus, sigmoid(x) * sigmoid(-x))
  GRADIENT_OF_RESULT(relu, no_second(grad))
  GRADIENT_OF_RESULT(selu, where_le(y, 0))
  GRADIENT_OF_X(tanhshrink, tanhshrink_second(x))
  GRADIENT_OF_X(softsign, sign(x) * power(abs(x) + 1.0, -3) * -2.0)
  GRADIENT_OF_X(logsigmoid, -(sigmoid(x) * sigmoid(-x)))
  GRADIENT_OF_X(gelu, bell(x) * (2.0 - square(x)))
  GRADIENT_OF_X(gelu_tanh, gelu_tanh_second(x))
  GRADIENT_OF_X(silu, silu_second(x))
  GRADIENT_OF_X(mish, mish_second(x))
  GRADIENT_OF_RESULT(hardsigmoid, no_second(grad))
  GRADIENT_OF_X(hardswish, where_ge(x, -3) * where_le(x, 3) / 3.0)
  TH_CONSTANT(sign_backward, "0 everywhere")
  TH_CONSTANT(floor_backward, "0 everywhere")
  TH_CONSTANT(ceil_backward, "0 everywhere")
  TH_CONSTANT(round_backward, "0 everywhere")
  TH_CONSTANT(trunc_backward, "0 everywhere")

  GRADIENT_OF_X2(clamp, x, no_second(grad))
  GRADIENT_OF_X2(threshold, x, no_second(grad))
  GRADIENT_OF_X2(leaky_relu, x, no_second(grad))
  GRADIENT_OF_X2(hardshrink, x, no_second(grad))
  GRADIENT_OF_X2(softshrink, x, no_second(grad))
  GRADIENT_OF_X2(elu, y, where_le(y, 0) * b)
}

}  // namespace th::gradient
