// What each loss makes of one element x and its target t: forward is the term, backward dterm/dx.
// a and b are the loss's numbers; float and double only.
#pragma once

#include "functors/pointwise/unary.h"

namespace th::functors {
inline namespace TH_ISA {

struct MseLoss {
  template <class T>
  TH_HD static T forward(T x, T t, T /*a*/, T /*b*/) {
    return (x - t) * (x - t);
  }
  template <class T>
  TH_HD static T backward(T x, T t, T /*a*/, T /*b*/) {
    return 2 * (x - t);
  }
};

struct L1Loss {
  template <class T>
  TH_HD static T forward(T x, T t, T /*a*/, T /*b*/) {
    return math::fabs(x - t);
  }
  template <class T>
  TH_HD static T backward(T x, T t, T /*a*/, T /*b*/) {
    return Sign::forward(x - t);
  }
};

struct HuberLoss {
  template <class T>
  TH_HD static T forward(T x, T t, T a, T /*b*/) {
    const T d = math::fabs(x - t);
    return d < a ? T(0.5) * d * d : a * (d - T(0.5) * a);
  }
  template <class T>
  TH_HD static T backward(T x, T t, T a, T /*b*/) {
    const T d = x - t;
    return d < -a ? -a : (d > a ? a : d);
  }
};

/// x is a probability. Torch7's 1e-12 keeps the logarithm finite.
struct BceLoss {
  static constexpr double kSmallest = 1e-12;
  template <class T>
  TH_HD static T forward(T x, T t, T /*a*/, T /*b*/) {
    return -(t * math::log(x + T(kSmallest)) + (1 - t) * math::log(1 - x + T(kSmallest)));
  }
  template <class T>
  TH_HD static T backward(T x, T t, T /*a*/, T /*b*/) {
    return (x - t) / ((1 - x + T(kSmallest)) * (x + T(kSmallest)));
  }
};

/// The same of sigmoid(x): log(1 + e^x) - t x.
struct BceLogitsLoss {
  template <class T>
  TH_HD static T forward(T x, T t, T /*a*/, T /*b*/) {
    return Softplus::forward(x) - t * x;
  }
  template <class T>
  TH_HD static T backward(T x, T t, T /*a*/, T /*b*/) {
    return Sigmoid::forward(x) - t;
  }
};

/// x is the logarithm of a probability, t a probability.
struct KlDivLoss {
  template <class T>
  TH_HD static T forward(T x, T t, T /*a*/, T /*b*/) {
    return t > 0 ? t * (math::log(t) - x) : T(0);
  }
  template <class T>
  TH_HD static T backward(T /*x*/, T t, T /*a*/, T /*b*/) {
    return t > 0 ? -t : T(0);
  }
};

struct SoftMarginLoss {
  template <class T>
  TH_HD static T forward(T x, T t, T /*a*/, T /*b*/) {
    return Softplus::forward(-t * x);
  }
  template <class T>
  TH_HD static T backward(T x, T t, T /*a*/, T /*b*/) {
    return -t * Sigmoid::forward(-t * x);
  }
};

struct MarginLoss {
  template <class T>
  TH_HD static T forward(T x, T t, T a, T /*b*/) {
    const T z = a - t * x;
    return z > 0 ? z : T(0);
  }
  template <class T>
  TH_HD static T backward(T x, T t, T a, T /*b*/) {
    return a - t * x > 0 ? -t : T(0);
  }
};

/// x is a distance, t > 0 where it shall be small.
struct HingeLoss {
  template <class T>
  TH_HD static T forward(T x, T t, T a, T /*b*/) {
    const T z = a - x;
    return t > 0 ? x : (z > 0 ? z : T(0));
  }
  template <class T>
  TH_HD static T backward(T x, T t, T a, T /*b*/) {
    return t > 0 ? T(1) : (a - x > 0 ? T(-1) : T(0));
  }
};

/// Lin et al., Focal Loss for Dense Object Detection, 2017: the loss of sigmoid(x) times what is
/// missing to certainty, q, to the power a; b weighs targets 1, 1 - b targets 0 (b < 0: neither).
struct FocalLoss {
  template <class T>
  TH_HD static T missing(T p, T t) {
    return p + t - 2 * p * t;  // 1 - p where t is 1, p where it is 0
  }
  template <class T>
  TH_HD static T weight(T t, T b) {
    return b < 0 ? T(1) : b * t + (1 - b) * (1 - t);
  }
  template <class T>
  TH_HD static T forward(T x, T t, T a, T b) {
    const T q = missing(Sigmoid::forward(x), t);
    return weight(t, b) * math::pow(q, a) * BceLogitsLoss::forward(x, t, a, b);
  }
  template <class T>
  TH_HD static T backward(T x, T t, T a, T b) {
    const T p = Sigmoid::forward(x);
    const T q = missing(p, t);
    const T power = math::pow(q, a);
    const T slope = q > 0 ? a * power / q * p * (1 - p) * (1 - 2 * t) : T(0);  // d(q^a)/dx
    return weight(t, b) * (slope * BceLogitsLoss::forward(x, t, a, b) + power * (p - t));
  }
};

}  // namespace TH_ISA
}  // namespace th::functors
