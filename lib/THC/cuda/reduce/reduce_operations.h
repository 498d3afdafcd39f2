// What is reduced: operations as device code sees them, and what becomes of their totals.
//
// An operation has a type of elements W, an accumulator Acc, identity(), take(acc, element,
// position), combine by its call operator (any order), value(acc) and position(acc).
#pragma once

#include <cstdint>
#include <type_traits>

#include "functors/reduce.h"

namespace thc {

using namespace th;

/// What becomes of a total of n elements.
enum class Finish : int32_t { kTotal, kMean, kSquareRoot, kRoot, kVariance, kDeviation };

template <class W>
TH_HD inline W finish(Finish kind, W total, double n, double p) {
  if constexpr (std::is_same_v<W, double>) {
    switch (kind) {
      case Finish::kMean:
        return functors::Mean::finish(total, n, p);
      case Finish::kSquareRoot:
        return functors::SquareRoot::finish(total, n, p);
      case Finish::kRoot:
        return functors::Root::finish(total, n, p);
      case Finish::kVariance:
        return functors::Variance::finish(total, n, p);
      case Finish::kDeviation:
        return functors::Deviation::finish(total, n, p);
      default:
        break;
    }
  }
  return total;
}

/// One of the functors of functors/reduce.h; p is its parameter.
template <class Op, class Wide>
struct Fold {
  using W = Wide;
  using Acc = W;
  double p;
  TH_HD Acc identity() const { return Op::template identity<W>(); }
  TH_HD Acc take(Acc acc, W x, int64_t) const { return Op::combine(acc, Op::map(x, p)); }
  TH_HD Acc operator()(Acc a, Acc b) const { return Op::combine(a, b); }
  TH_HD static W value(Acc acc) { return acc; }
  TH_HD static int64_t position(Acc) { return 0; }
};

/// Min or Max with the position: the first of equals, the first NaN if there is one.
template <class Op, class Wide>
struct Extreme {
  using W = Wide;
  struct Acc {
    W value;
    int64_t position;  // < 0: no element yet
  };
  TH_HD Acc identity() const { return {W{}, -1}; }
  TH_HD Acc take(Acc acc, W x, int64_t i) const { return (*this)(acc, {x, i}); }
  TH_HD Acc operator()(Acc a, Acc b) const {
    if (a.position < 0 || b.position < 0) {
      return a.position < 0 ? b : a;
    }
    if (Op::displaces(a.value, b.value)) {
      return b;
    }
    if (Op::displaces(b.value, a.value)) {
      return a;
    }
    return a.position < b.position ? a : b;
  }
  TH_HD static W value(Acc acc) { return acc.value; }
  TH_HD static int64_t position(Acc acc) { return acc.position; }
};

/// The sum of squared deviations from the mean.
struct SquaredDeviations {
  using W = double;
  using Acc = functors::Moments;
  TH_HD Acc identity() const { return {0, 0, 0}; }
  TH_HD Acc take(Acc acc, double x, int64_t) const { return Acc::combine(acc, {1, x, 0}); }
  TH_HD Acc operator()(Acc a, Acc b) const { return Acc::combine(a, b); }
  TH_HD static double value(Acc acc) { return acc.squares; }
  TH_HD static int64_t position(Acc) { return 0; }
};

}  // namespace thc
