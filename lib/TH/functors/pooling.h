// Windows of pooling in one, two or three dimensions, for the loops of every device.
//
// Where windows lie is a struct: Strided, Adaptive, Fractional. It tells for each direction which
// elements an output's window has (`taps`), and which outputs may have an element in their windows
// (`covering`). What is computed of a window is written once for all of them.
#pragma once

#include <cstdint>

#include "functors/image_shapes.h"
#include "functors/instruction_set.h"
#include "functors/numeric.h"

namespace th::functors {
inline namespace TH_ISA {

TH_HD inline int64_t at_least(int64_t x, int64_t least) { return x < least ? least : x; }
TH_HD inline int64_t at_most(int64_t x, int64_t most) { return x > most ? most : x; }

/// A position in a volume.
struct Triple {
  int64_t t, h, w;
};

/// A window in one direction: elements begin, begin + step, ...; padded counts those in the padding
/// too.
struct Taps {
  int64_t begin, count, step, padded;

  TH_HD bool holds(int64_t place) const {
    const int64_t distance = place - begin;
    return distance >= 0 && distance < count * step && (step == 1 || distance % step == 0);
  }
};

/// The outputs [first, last] of one direction whose windows may hold a place.
struct Covering {
  int64_t first, last;

  TH_HD Covering(int64_t the_first, int64_t the_last) : first(the_first), last(the_last) {}
  /// Of windows that reach over k places, `step` apart, the first one `pad` before the input.
  TH_HD Covering(int64_t place, int64_t k, int64_t step, int64_t pad, int64_t outputs)
      : first(place + pad < k ? 0 : (place + pad - k) / step + 1),
        last(at_most((place + pad) / step, outputs - 1)) {}
};

/// Steps of size `step` that it takes to pass `distance`.
TH_HD inline int64_t steps_over(int64_t distance, int64_t step) {
  if (distance <= 0) {
    return 0;
  }
  return step == 1 ? distance : (distance + step - 1) / step;
}

/// Windows that begin `stride` apart. The padding ends as far behind the input as before it.
struct Strided {
  PoolShape s;

  TH_HD Taps taps(int64_t /*plane*/, int d, int64_t out) const {
    const PoolAxis& a = s.axes[d];
    const int64_t first = out * a.stride - a.pad;
    const int64_t before = steps_over(-first, a.dilation);
    const int64_t begin = first + before * a.dilation;
    const int64_t inside = at_most(steps_over(a.in - begin, a.dilation), a.kernel - before);
    const int64_t padded = at_most(steps_over(a.in + a.pad - first, a.dilation), a.kernel);
    return {begin, at_least(inside, 0), a.dilation, padded};
  }

  /// Exact without dilation.
  TH_HD Covering covering(int64_t /*plane*/, int d, int64_t place) const {
    const PoolAxis& a = s.axes[d];
    return {place, (a.kernel - 1) * a.dilation + 1, a.stride, a.pad, a.out};
  }
};

/// As many windows as outputs are wanted, from floor(i in / out) to ceil((i + 1) in / out).
struct Adaptive {
  PoolShape s;

  TH_HD Taps taps(int64_t /*plane*/, int d, int64_t out) const {
    const PoolAxis& a = s.axes[d];
    const int64_t begin = out * a.in / a.out;
    const int64_t count = ((out + 1) * a.in + a.out - 1) / a.out - begin;
    return {begin, count, 1, count};
  }

  TH_HD Covering covering(int64_t /*plane*/, int d, int64_t place) const {
    const PoolAxis& a = s.axes[d];
    return {place * a.out / a.in, ((place + 1) * a.out - 1) / a.in};
  }
};

/// Windows of one size in steps of one or two sizes, which a number u of [0, 1) for each plane and
/// direction orders: window i < n - 1 begins at floor(alpha (i + u)) - floor(alpha u) with
/// alpha = (in - kernel) / (n - 1), the last one ends with the input.
/// Source: Graham, "Fractional max-pooling", 2014 (arXiv:1412.6071).
template <class T>
struct Fractional {
  PoolShape s;
  const T* samples;  // planes x directions, the last direction first
  int directions;

  TH_HD double sample(int64_t plane, int d) const {
    return static_cast<double>(static_cast<Compute<T>>(samples[plane * directions + 2 - d]));
  }

  TH_HD Taps taps(int64_t plane, int d, int64_t out) const {
    const PoolAxis& a = s.axes[d];
    const int64_t last = a.in - a.kernel;
    int64_t begin = last;
    if (out < a.out - 1) {
      const double alpha = static_cast<double>(last) / static_cast<double>(a.out - 1);
      const double u = sample(plane, d);
      begin = static_cast<int64_t>((static_cast<double>(out) + u) * alpha) -
              static_cast<int64_t>(u * alpha);
    }
    return {at_most(begin, last), a.kernel, 1, a.kernel};
  }

  /// Some more than those that do.
  TH_HD Covering covering(int64_t plane, int d, int64_t place) const {
    const PoolAxis& a = s.axes[d];
    const int64_t last = a.in - a.kernel;
    if (a.out == 1 || last <= 0) {
      return {0, a.out - 1};
    }
    const double alpha = static_cast<double>(last) / static_cast<double>(a.out - 1);
    const double u = sample(plane, d);
    const double start = static_cast<double>(place + static_cast<int64_t>(u * alpha));
    const double first = (start - static_cast<double>(a.kernel)) / alpha - u - 1;
    const double end = (start + 1) / alpha - u + 1;
    return {first > 0 ? at_most(static_cast<int64_t>(first), a.out - 1) : 0,
            place >= last ? a.out - 1 : at_most(static_cast<int64_t>(end), a.out - 1)};
  }
};

/// The window of one output: three directions of taps.
template <class Windows>
struct Window {
  Taps t, h, w;

  TH_HD Window(const Windows& windows, int64_t plane, const Triple& out)
      : t(windows.taps(plane, 0, out.t)),
        h(windows.taps(plane, 1, out.h)),
        w(windows.taps(plane, 2, out.w)) {}

  /// What a mean over it divides by.
  TH_HD int64_t count(bool with_padding) const {
    return with_padding ? t.padded * h.padded * w.padded : t.count * h.count * w.count;
  }

  TH_HD bool holds(const Triple& place) const {
    return t.holds(place.t) && h.holds(place.h) && w.holds(place.w);
  }

  /// f(position in the volume) for each element, in row-major order.
  template <class F>
  TH_HD void walk(const PoolShape& s, const F& f) const {
    for (int64_t i = 0; i < t.count; ++i) {
      for (int64_t j = 0; j < h.count; ++j) {
        const int64_t row = (t.begin + i * t.step) * s.axes[1].in + h.begin + j * h.step;
        int64_t at = row * s.axes[2].in + w.begin;
        for (int64_t k = 0; k < w.count; ++k, at += w.step) {
          f(at);
        }
      }
    }
  }
};

/// A maximum and its position. The first of several equal ones counts; a NaN counts as the maximum.
template <class C>
struct Maximum {
  C value;
  int64_t at;
};

template <class Windows, class T>
TH_HD Maximum<Compute<T>> maximum(const Windows& windows, int64_t plane, const Triple& out,
                                  const T* x) {
  using C = Compute<T>;
  const Window<Windows> window(windows, plane, out);
  Maximum<C> top{static_cast<C>(0), -1};
  window.walk(windows.s, [&](int64_t at) {
    const C v = static_cast<C>(x[at]);
    if (top.at < 0 || v > top.value || v != v) {
      top = {v, at};
    }
  });
  return top;
}

template <class Windows, class T>
TH_HD Compute<T> mean(const Windows& windows, int64_t plane, const Triple& out, bool count_padding,
                      const T* x) {
  using C = Compute<T>;
  const Window<Windows> window(windows, plane, out);
  C sum = 0;
  window.walk(windows.s, [&](int64_t at) { sum += static_cast<C>(x[at]); });
  return sum / static_cast<C>(window.count(count_padding));
}

/// f(output, its position) for each output whose window may hold a place, in row-major order.
template <class Windows, class F>
TH_HD void for_covering(const Windows& windows, int64_t plane, const Triple& place, const F& f) {
  const PoolShape& s = windows.s;
  const Covering t = windows.covering(plane, 0, place.t);
  const Covering h = windows.covering(plane, 1, place.h);
  const Covering w = windows.covering(plane, 2, place.w);
  for (int64_t i = t.first; i <= t.last; ++i) {
    for (int64_t j = h.first; j <= h.last; ++j) {
      for (int64_t k = w.first; k <= w.last; ++k) {
        f(Triple{i, j, k}, (i * s.axes[1].out + j) * s.axes[2].out + k);
      }
    }
  }
}

}  // namespace TH_ISA
}  // namespace th::functors
