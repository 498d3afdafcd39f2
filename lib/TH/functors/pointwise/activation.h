// Functions that layers apply to each element, and their gradients.
//
// A gradient that is written in y, the output, holds where the layer has overwritten its input too.
#pragma once

#include "functors/pointwise/unary.h"

namespace th::functors {
inline namespace TH_ISA {

struct Clamp {
  template <class T>
  TH_HD static T forward(T x, T a, T b) {
    return x < a ? a : (x > b ? b : x);
  }
  template <class T>
  TH_HD static T backward(T g, T x, T /*y*/, T a, T b) {
    return x > a && x < b ? g : T(0);
  }
};

struct Threshold {
  template <class T>
  TH_HD static T forward(T x, T a, T b) {
    return x > a ? x : b;
  }
  template <class T>
  TH_HD static T backward(T g, T x, T /*y*/, T a, T /*b*/) {
    return x > a ? g : T(0);
  }
};

/// ELU: a = alpha, b = 1. CELU: a = alpha, b = 1 / alpha.
struct Elu {
  static constexpr bool calls_libm = true;
  template <class T>
  TH_HD static T forward(T x, T a, T b) {
    return x > 0 ? x : a * math::expm1(b * x);
  }
  template <class T>
  TH_HD static T backward(T g, T /*x*/, T y, T a, T b) {
    return y > 0 ? g : g * b * (y + a);
  }
};

/// Klambauer et al., Self-Normalizing Neural Networks, 2017: an ELU that keeps mean 0 and
/// variance 1.
struct Selu {
  static constexpr bool calls_libm = true;
  static constexpr double kScale = 1.0507009873554804934;
  static constexpr double kAlpha = 1.6732632423543772848;
  template <class T>
  TH_HD static T forward(T x) {
    return x > 0 ? T(kScale) * x : T(kScale * kAlpha) * math::expm1(x);
  }
  template <class T>
  TH_HD static T backward(T g, T /*x*/, T y) {
    return y > 0 ? T(kScale) * g : g * (y + T(kScale * kAlpha));
  }
};

struct LeakyRelu {
  template <class T>
  TH_HD static T forward(T x, T a, T b) {
    return x > 0 ? b * x : a * x;
  }
  template <class T>
  TH_HD static T backward(T g, T x, T /*y*/, T a, T b) {
    return x > 0 ? b * g : a * g;
  }
};

/// As LeakyRelu, with a slope for each element.
struct Prelu {
  template <class T>
  TH_HD static T forward(T x, T slope) {
    return x > 0 ? x : slope * x;
  }
};

/// x is the gradient, y the layer's input, z the slope.
struct PreluBackward {
  template <class T>
  TH_HD static T forward(T x, T value, T y, T z) {
    return y > value ? x : z * x;
  }
};

struct HardShrink {
  template <class T>
  TH_HD static T forward(T x, T a, T b) {
    return x < a || x > b ? x : T(0);
  }
  template <class T>
  TH_HD static T backward(T g, T x, T /*y*/, T a, T b) {
    return x < a || x > b ? g : T(0);
  }
};

struct SoftShrink {
  template <class T>
  TH_HD static T forward(T x, T a, T b) {
    return x < a ? x - a : (x > b ? x - b : T(0));
  }
  template <class T>
  TH_HD static T backward(T g, T x, T /*y*/, T a, T b) {
    return x < a || x > b ? g : T(0);
  }
};

struct TanhShrink {
  static constexpr bool calls_libm = true;
  template <class T>
  TH_HD static T forward(T x) {
    return x - math::tanh(x);
  }
  template <class T>
  TH_HD static T backward(T g, T x, T /*y*/) {
    const T t = math::tanh(x);
    return g * t * t;
  }
};

struct SoftSign {
  template <class T>
  TH_HD static T forward(T x) {
    return x / (1 + math::fabs(x));
  }
  template <class T>
  TH_HD static T backward(T g, T x, T /*y*/) {
    const T d = 1 + math::fabs(x);
    return g / (d * d);
  }
};

struct LogSigmoid {
  static constexpr bool calls_libm = true;
  template <class T>
  TH_HD static T forward(T x) {
    return -Softplus::forward(-x);
  }
  template <class T>
  TH_HD static T backward(T g, T x, T /*y*/) {
    return g * Sigmoid::forward(-x);
  }
};

/// x Phi(x), Phi the normal distribution. Hendrycks & Gimpel, Gaussian Error Linear Units, 2016.
struct Gelu {
  static constexpr bool calls_libm = true;
  static constexpr double kSqrtHalf = 0.70710678118654752440;
  static constexpr double kDensityAt0 = 0.39894228040143267794;  // 1 / sqrt(2 pi)
  template <class T>
  TH_HD static T phi(T x) {
    return T(0.5) * math::erfc(T(-kSqrtHalf) * x);  // no cancellation for x < 0
  }
  template <class T>
  TH_HD static T forward(T x) {
    return x * phi(x);
  }
  template <class T>
  TH_HD static T backward(T g, T x, T /*y*/) {
    return g * (phi(x) + T(kDensityAt0) * x * math::exp(T(-0.5) * x * x));
  }
};

/// The same paper's approximation: x/2 (1 + tanh(u)) = x / (1 + e^(-2 u)).
struct GeluTanh {
  static constexpr bool calls_libm = true;
  static constexpr double kFactor = 0.79788456080286535588;  // sqrt(2 / pi)
  static constexpr double kCubic = 0.044715;
  template <class T>
  TH_HD static T gate(T x) {
    return Sigmoid::forward(T(2 * kFactor) * (x + T(kCubic) * x * x * x));
  }
  template <class T>
  TH_HD static T forward(T x) {
    return x * gate(x);
  }
  template <class T>
  TH_HD static T backward(T g, T x, T /*y*/) {
    const T s = gate(x);
    return g * (s + x * s * (1 - s) * T(2 * kFactor) * (1 + T(3 * kCubic) * x * x));
  }
};

/// Elfwing et al., Sigmoid-Weighted Linear Units, 2017; also called swish.
struct Silu {
  static constexpr bool calls_libm = true;
  template <class T>
  TH_HD static T forward(T x) {
    return x * Sigmoid::forward(x);
  }
  template <class T>
  TH_HD static T backward(T g, T x, T /*y*/) {
    const T s = Sigmoid::forward(x);
    return g * (s + x * s * (1 - s));
  }
};

/// Misra, Mish: A Self Regularized Non-Monotonic Activation Function, 2019. With e = e^x and
/// n = e (e + 2), tanh(log(1 + e)) = n / (n + 2); above 20 that is 1 to the last bit.
struct Mish {
  static constexpr bool calls_libm = true;
  template <class T>
  TH_HD static T forward(T x) {
    const T e = math::exp(x < T(20) ? x : T(20));
    const T n = e * (e + 2);
    return x * (n / (n + 2));
  }
  template <class T>
  TH_HD static T backward(T g, T x, T /*y*/) {
    const T z = x > T(20) ? T(20) : x;
    const T e = math::exp(z);
    const T n = e * (e + 2);
    const T inverse = 1 / (n + 2);
    // t + x (1 - t^2) sigmoid(x), where 1 - t^2 = 4 (1 + e)^2 / (n + 2)^2; above 20 that is 1, too
    return g * (n * inverse + z * (4 * e * (1 + e) * inverse * inverse));
  }
};

/// Howard et al., Searching for MobileNetV3, 2019, and x times it.
struct HardSigmoid {
  template <class T>
  TH_HD static T forward(T x) {
    const T y = x / 6 + T(0.5);
    return y < T(0) ? T(0) : (y > T(1) ? T(1) : y);
  }
  template <class T>
  TH_HD static T backward(T g, T /*x*/, T y) {
    return y > T(0) && y < T(1) ? g / 6 : T(0);
  }
};

struct HardSwish {
  template <class T>
  TH_HD static T forward(T x) {
    return x * HardSigmoid::forward(x);
  }
  template <class T>
  TH_HD static T backward(T g, T x, T /*y*/) {
    return x < T(-3) ? T(0) : (x > T(3) ? g : g * (x / 3 + T(0.5)));
  }
};

/// x is the gradient, y the operand of the power.
struct PowBackward {
  static constexpr bool calls_libm = true;
  template <class T>
  TH_HD static T forward(T x, T value, T y) {
    return x * value * math::pow(y, value - 1);
  }
};

}  // namespace TH_ISA
}  // namespace th::functors
