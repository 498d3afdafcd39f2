// Reductions as two functions: `map` says what an element contributes, `combine` joins two partial
// results; `identity` is what an empty part gives. Then, what becomes of the total.
//
// A is the accumulator's type: a number, or a compiler vector of numbers. combine is associative
// (up to rounding), so parts may be reduced in any grouping, but earlier parts come first: the
// positions of equal extremes depend on it.
#pragma once

#include <limits>

#include "functors/math.h"
#include "functors/numeric.h"

namespace th::functors {

/// What sums and products are accumulated in where that costs nothing: double, or 64-bit integers.
template <class T>
using Wide = std::conditional_t<std::is_integral_v<T>, int64_t, double>;

template <class A>
TH_HD inline A magnitude(A x) {
  return x > A{} ? x : A{} - x;  // -0 becomes 0, NaN stays
}

/// Accumulates in the wide type.
struct Sum {
  template <class A>
  TH_HD static A identity() {
    return A{};
  }
  template <class A>
  TH_HD static A map(A x, double /*p*/) {
    return x;
  }
  template <class A>
  TH_HD static A combine(A a, A b) {
    return static_cast<A>(wrapping(a) + wrapping(b));
  }
};

struct Prod {
  template <class A>
  TH_HD static A identity() {
    return A{} + 1;
  }
  template <class A>
  TH_HD static A map(A x, double) {
    return x;
  }
  template <class A>
  TH_HD static A combine(A a, A b) {
    return static_cast<A>(wrapping(a) * wrapping(b));
  }
};

struct SumMagnitudes : Sum {
  template <class A>
  TH_HD static A map(A x, double) {
    return magnitude(x);
  }
};

struct SumSquares : Sum {
  template <class A>
  TH_HD static A map(A x, double) {
    return x * x;
  }
};

/// Squares of the distances from p.
struct SumSquaredDeviations : Sum {
  template <class A>
  TH_HD static A map(A x, double p) {
    return (x - p) * (x - p);
  }
};

struct CountNonZero : Sum {
  template <class A>
  TH_HD static A map(A x, double) {
    return x != A{} ? A{} + 1 : A{};
  }
};

/// Sum of |x|^p.
struct SumPowers : Sum {
  TH_HD static double map(double x, double p) { return math::pow(math::fabs(x), p); }
};

/// NaN wins, and the first of equals: `displaces` is what positions go by.
struct Max {
  template <class A>
  TH_HD static A identity() {
    using Limits = std::numeric_limits<A>;
    return Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
  }
  template <class A>
  TH_HD static A map(A x, double) {
    return x;
  }
  template <class A>
  TH_HD static auto displaces(A best, A x) {
    if constexpr (std::is_integral_v<A>) {
      return x > best;
    } else {
      return (best == best) & !(x <= best);
    }
  }
  template <class A>
  TH_HD static A combine(A a, A b) {
    return displaces(a, b) ? b : a;
  }
};

struct Min {
  template <class A>
  TH_HD static A identity() {
    using Limits = std::numeric_limits<A>;
    return Limits::has_infinity ? Limits::infinity() : Limits::max();
  }
  template <class A>
  TH_HD static A map(A x, double) {
    return x;
  }
  template <class A>
  TH_HD static auto displaces(A best, A x) {
    if constexpr (std::is_integral_v<A>) {
      return x < best;
    } else {
      return (best == best) & !(x >= best);
    }
  }
  template <class A>
  TH_HD static A combine(A a, A b) {
    return displaces(a, b) ? b : a;
  }
};

struct MaxMagnitude : Max {
  template <class A>
  TH_HD static A map(A x, double) {
    return magnitude(x);
  }
};

struct MinMagnitude : Min {
  template <class A>
  TH_HD static A map(A x, double) {
    return magnitude(x);
  }
};

/// Count, mean and sum of squared deviations of a set, joined without cancellation.
/// Source: Chan, Golub & LeVeque, "Updating formulae and a pairwise algorithm for computing sample
/// variances", 1979, eq. 2.1.
struct Moments {
  double count;
  double mean;
  double squares;

  TH_HD static Moments combine(Moments a, Moments b) {
    if (a.count == 0) {
      return b;
    }
    if (b.count == 0) {
      return a;
    }
    const double count = a.count + b.count;
    const double weight = b.count / count;
    const double distance = b.mean - a.mean;
    return {count, a.mean + distance * weight,
            a.squares + b.squares + distance * distance * (a.count * weight)};
  }
};

// --- what becomes of the total: n elements, parameter p -----------------------------------------

struct Total {
  template <class A>
  TH_HD static A finish(A total, double /*n*/, double /*p*/) {
    return total;
  }
};

struct Mean {
  TH_HD static double finish(double total, double n, double) { return total / n; }
};

struct SquareRoot {
  TH_HD static double finish(double total, double, double) { return math::sqrt(total); }
};

struct Root {
  TH_HD static double finish(double total, double, double p) { return math::pow(total, 1 / p); }
};

/// p is what to take from the count: 1 for the unbiased estimate, 0 for the biased one.
struct Variance {
  TH_HD static double finish(double squares, double n, double p) { return squares / (n - p); }
};

struct Deviation {
  TH_HD static double finish(double squares, double n, double p) {
    return math::sqrt(squares / (n - p));
  }
};

}  // namespace th::functors
