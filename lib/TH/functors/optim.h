// What a step of each optimiser does to one parameter: the formulas are in ops/optim.def.
//
// A functor is made of the row's numbers, of which it computes what all elements share; its call
// takes the gradient, then x and the kStates states, which it changes.
#pragma once

#include "functors/instruction_set.h"
#include "functors/math.h"

namespace th::functors::optim {
inline namespace TH_ISA {

/// Numbers become elements once for all of them, as T.
template <class T>
inline T element(double number) {
  return from_number<T>(number);
}

/// The gradient with the decay of weights: where there is none, x does not get into it, be it NaN.
template <class T>
TH_HD inline T decayed(T g, T decay, T x) {
  return decay == 0 ? g : g + decay * x;
}

template <class T>
struct Sgd {
  static constexpr int kStates = 0, kNumbers = 2;
  T rate, decay;

  Sgd(double rate_, double decay_) : rate(element<T>(rate_)), decay(element<T>(decay_)) {}
  TH_HD void operator()(T g, T& x) const { x = x - rate * decayed(g, decay, x); }
};

template <class T>
struct Momentum {
  static constexpr int kStates = 1, kNumbers = 6;
  T along_v, along_g, keep, take, decay, shrink;

  Momentum(double along_v_, double along_g_, double keep_, double take_, double decay_,
           double shrink_)
      : along_v(element<T>(along_v_)),
        along_g(element<T>(along_g_)),
        keep(element<T>(keep_)),
        take(element<T>(take_)),
        decay(element<T>(decay_)),
        shrink(element<T>(shrink_)) {}
  TH_HD void operator()(T g, T& x, T& v) const {
    const T d = decayed(g, decay, x);
    v = keep * v + take * d;
    x = shrink * x - along_v * v - along_g * d;
  }
};

template <class T>
struct Rms {
  static constexpr int kStates = 1, kNumbers = 5;
  T rate, keep, take, epsilon, decay;

  Rms(double rate_, double keep_, double take_, double epsilon_, double decay_)
      : rate(element<T>(rate_)),
        keep(element<T>(keep_)),
        take(element<T>(take_)),
        epsilon(element<T>(epsilon_)),
        decay(element<T>(decay_)) {}
  TH_HD void operator()(T g, T& x, T& v) const {
    const T d = decayed(g, decay, x);
    v = keep * v + take * d * d;
    x = x - rate * d / (math::sqrt(v) + epsilon);
  }
};

template <class T>
struct Adam {
  static constexpr int kStates = 2, kNumbers = 8;
  T along_m, along_g, beta1, rest1, beta2, rest2, root, epsilon, decay, shrink;

  Adam(double along_m_, double along_g_, double beta1_, double beta2_, double root_,
       double epsilon_, double decay_, double shrink_)
      : along_m(element<T>(along_m_)),
        along_g(element<T>(along_g_)),
        beta1(element<T>(beta1_)),
        rest1(element<T>(1 - beta1_)),
        beta2(element<T>(beta2_)),
        rest2(element<T>(1 - beta2_)),
        root(element<T>(root_)),
        epsilon(element<T>(epsilon_)),
        decay(element<T>(decay_)),
        shrink(element<T>(shrink_)) {}
  /// The gradient with the weights' decay, into both moments.
  TH_HD T moments(T g, T x, T& m, T& v) const {
    const T d = decayed(g, decay, x);
    m = beta1 * m + rest1 * d;
    v = beta2 * v + rest2 * d * d;
    return d;
  }
  TH_HD T moved(T x, T d, T m, T second) const {
    return shrink * x - (along_m * m + along_g * d) / (root * math::sqrt(second) + epsilon);
  }
  TH_HD void operator()(T g, T& x, T& m, T& v) const {
    const T d = moments(g, x, m, v);
    x = moved(x, d, m, v);
  }
};

template <class T>
struct Amsgrad : Adam<T> {
  static constexpr int kStates = 3;

  using Adam<T>::Adam;
  TH_HD void operator()(T g, T& x, T& m, T& v, T& u) const {
    const T d = this->moments(g, x, m, v);
    u = v > u ? v : u;
    x = this->moved(x, d, m, u);
  }
};

template <class T>
struct Adamax {
  static constexpr int kStates = 2, kNumbers = 5;
  T rate, beta1, rest1, beta2, epsilon, decay;

  Adamax(double rate_, double beta1_, double beta2_, double epsilon_, double decay_)
      : rate(element<T>(rate_)),
        beta1(element<T>(beta1_)),
        rest1(element<T>(1 - beta1_)),
        beta2(element<T>(beta2_)),
        epsilon(element<T>(epsilon_)),
        decay(element<T>(decay_)) {}
  TH_HD void operator()(T g, T& x, T& m, T& u) const {
    const T d = decayed(g, decay, x);
    const T size = math::fabs(d) + epsilon;
    const T faded = beta2 * u;
    m = beta1 * m + rest1 * d;
    u = faded > size ? faded : size;
    x = x - rate * m / u;
  }
};

template <class T>
struct Adadelta {
  static constexpr int kStates = 2, kNumbers = 4;
  T rate, rho, rest, epsilon, decay;

  Adadelta(double rate_, double rho_, double epsilon_, double decay_)
      : rate(element<T>(rate_)),
        rho(element<T>(rho_)),
        rest(element<T>(1 - rho_)),
        epsilon(element<T>(epsilon_)),
        decay(element<T>(decay_)) {}
  TH_HD void operator()(T g, T& x, T& s, T& a) const {
    const T d = decayed(g, decay, x);
    s = rho * s + rest * d * d;
    const T e = math::sqrt(a + epsilon) / math::sqrt(s + epsilon) * d;
    a = rho * a + rest * e * e;
    x = x - rate * e;
  }
};

template <class T>
struct Lion {
  static constexpr int kStates = 1, kNumbers = 4;
  T rate, beta1, rest1, beta2, rest2, shrink;

  Lion(double rate_, double beta1_, double beta2_, double shrink_)
      : rate(element<T>(rate_)),
        beta1(element<T>(beta1_)),
        rest1(element<T>(1 - beta1_)),
        beta2(element<T>(beta2_)),
        rest2(element<T>(1 - beta2_)),
        shrink(element<T>(shrink_)) {}
  TH_HD void operator()(T g, T& x, T& m) const {
    const T c = beta1 * m + rest1 * g;
    const T step = c > 0 ? rate : c < 0 ? -rate : c;  // nothing for 0, NaN for NaN
    m = beta2 * m + rest2 * g;
    x = shrink * x - step;
  }
};

template <class T>
struct Asgd {
  static constexpr int kStates = 1, kNumbers = 3;
  T rate, shrink, share, rest;

  Asgd(double rate_, double shrink_, double share_)
      : rate(element<T>(rate_)),
        shrink(element<T>(shrink_)),
        share(element<T>(share_)),
        rest(element<T>(1 - share_)) {}
  TH_HD void operator()(T g, T& x, T& a) const {
    x = shrink * x - rate * g;
    a = rest * a + share * x;
  }
};

template <class T>
struct Rprop {
  static constexpr int kStates = 2, kNumbers = 4;
  T grow, shrink, least, most;

  Rprop(double grow_, double shrink_, double least_, double most_)
      : grow(element<T>(grow_)),
        shrink(element<T>(shrink_)),
        least(element<T>(least_)),
        most(element<T>(most_)) {}
  TH_HD void operator()(T g, T& x, T& last, T& size) const {
    const T c = g * last;
    const T scaled = size * (c > 0 ? grow : c < 0 ? shrink : T(1));
    const T above = scaled > least ? scaled : least;
    size = above < most ? above : most;
    last = c < 0 ? T(0) : g;
    x = x - (last > 0 ? size : last < 0 ? -size : last);
  }
};

}  // namespace TH_ISA
}  // namespace th::functors::optim
