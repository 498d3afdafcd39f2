// From which elements of the input an element of a padded or enlarged output is made, in one
// direction, and the reverse. Directions are independent: weights multiply.
//
// A rule has two functions: source(axis, out) tells the two inputs of an output, for_readers(axis,
// place, f) calls f(out, weight) for every output that an input goes into, in a fixed order.
// axis.pad is the number of elements before the input; where negative they are taken away.
#pragma once

#include <cstdint>

#include "functors/image_shapes.h"
#include "functors/instruction_set.h"
#include "functors/numeric.h"
#include "functors/pooling.h"

namespace th::functors {
inline namespace TH_ISA {

/// (1 - part) x[low] + part x[high].
struct Source {
  int64_t low, high;
  double part;
};

/// The border again and again.
struct Replicate {
  TH_HD static Source source(const PoolAxis& a, int64_t out) {
    const int64_t place = at_least(at_most(out - a.pad, a.in - 1), 0);
    return {place, place, 0};
  }

  template <class F>
  TH_HD static void for_readers(const PoolAxis& a, int64_t place, const F& f) {
    const int64_t first = place == 0 ? 0 : at_least(place + a.pad, 0);
    const int64_t last = place == a.in - 1 ? a.out - 1 : at_most(place + a.pad, a.out - 1);
    for (int64_t out = first; out <= last; ++out) {
      f(out, 1.0);
    }
  }
};

/// Mirrored at the border elements, which are not repeated; less than the input is added.
struct Reflect {
  TH_HD static Source source(const PoolAxis& a, int64_t out) {
    int64_t place = out - a.pad;
    place = place < 0 ? -place : place;
    place = place < a.in ? place : 2 * (a.in - 1) - place;
    return {place, place, 0};
  }

  template <class F>
  TH_HD static void for_readers(const PoolAxis& a, int64_t place, const F& f) {
    const int64_t left = a.pad - place;
    const int64_t right = a.pad + 2 * (a.in - 1) - place;
    if (place > 0 && left >= 0 && left < a.out) {
      f(left, 1.0);
    }
    if (place + a.pad >= 0 && place + a.pad < a.out) {
      f(place + a.pad, 1.0);
    }
    if (place < a.in - 1 && right >= 0 && right < a.out) {
      f(right, 1.0);
    }
  }
};

/// floor(i in / out).
struct Nearest {
  TH_HD static Source source(const PoolAxis& a, int64_t out) {
    const int64_t place = out * a.in / a.out;
    return {place, place, 0};
  }

  template <class F>
  TH_HD static void for_readers(const PoolAxis& a, int64_t place, const F& f) {
    const int64_t end = ((place + 1) * a.out + a.in - 1) / a.in;
    for (int64_t out = (place * a.out + a.in - 1) / a.in; out < end; ++out) {
      f(out, 1.0);
    }
  }
};

/// Between neighbours at i (in - 1) / (out - 1), so that corners lie on corners.
struct Linear {
  TH_HD static Source source(const PoolAxis& a, int64_t out) {
    const int64_t steps = at_least(a.out - 1, 1);
    const int64_t position = out * (a.in - 1);
    const int64_t low = position / steps;
    return {low, at_most(low + 1, a.in - 1),
            static_cast<double>(position - low * steps) / static_cast<double>(steps)};
  }

  template <class F>
  TH_HD static void for_readers(const PoolAxis& a, int64_t place, const F& f) {
    const int64_t steps = at_least(a.in - 1, 1);
    const int64_t first = place == 0 ? 0 : ((place - 1) * (a.out - 1) + steps - 1) / steps;
    const int64_t last = a.in == 1 ? a.out - 1 : ((place + 1) * (a.out - 1) + steps - 1) / steps;
    for (int64_t out = first; out <= last && out < a.out; ++out) {
      const Source s = source(a, out);
      const double weight = (s.low == place ? 1 - s.part : 0) + (s.high == place ? s.part : 0);
      if (weight != 0) {
        f(out, weight);
      }
    }
  }
};

}  // namespace TH_ISA
}  // namespace th::functors
