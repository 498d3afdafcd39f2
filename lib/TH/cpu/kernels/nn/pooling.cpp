#include "cpu/kernels/nn/pooling.h"

#include <type_traits>

#include "cpu/kernels/vectors.h"
#include "functors/pooling.h"

namespace th::cpu::TH_ISA {
namespace {

/// Integers as wide as T, for positions and comparisons.
template <class T>
using Position = std::conditional_t<sizeof(T) == 4, int32_t, int64_t>;

using functors::Taps;
using functors::Triple;

/// Where the row of a window's taps i in depth and k in height begins.
[[gnu::always_inline]] inline int64_t row_of(const PoolShape& s, const Taps& t, const Taps& h,
                                             int64_t i, int64_t k) {
  return ((t.begin + i * t.step) * s.axes[1].in + h.begin + k * h.step) * s.axes[2].in;
}

/// Windows of 2 x 2: outputs [j, j + Lanes) of one row.
template <class T, int Lanes, int... I>
[[gnu::always_inline]] inline void four_to_one(const T* top_row, const T* bottom_row, int64_t first,
                                               int64_t W, T* y, int64_t* indices,
                                               std::integer_sequence<int, I...>) {
  using V = Vector<T, Lanes>;
  using P = Vector<Position<T>, Lanes>;
  const auto left = [](V a, V b) { return __builtin_shufflevector(a, b, (2 * I)...); };
  const auto right = [](V a, V b) { return __builtin_shufflevector(a, b, (2 * I + 1)...); };
  const V a = load<V>(top_row);
  const V b = load<V>(top_row + Lanes);
  const V c = load<V>(bottom_row);
  const V d = load<V>(bottom_row + Lanes);
  const P start = P{(2 * I)...} + static_cast<Position<T>>(first + 1);
  V best = left(a, b);
  P at = start;
  const auto challenge = [&](V x, Position<T> step) {
    const auto wins = (x > best) | (x != x);
    best = wins ? x : best;
    at = wins ? start + step : at;
  };
  challenge(right(a, b), 1);
  challenge(left(c, d), static_cast<Position<T>>(W));
  challenge(right(c, d), static_cast<Position<T>>(W + 1));
  std::memcpy(y, &best, sizeof(V));
  const auto wide = __builtin_convertvector(at, Vector<int64_t, Lanes>);
  std::memcpy(indices, &wide, sizeof(wide));
}

template <class T, int Lanes>
[[gnu::always_inline]] inline int64_t two_by_two_row(const T* x, int64_t row_start, int64_t W,
                                                     int64_t outW, int64_t j, T* y,
                                                     int64_t* indices) {
  for (; j + Lanes <= outW; j += Lanes) {
    four_to_one<T, Lanes>(x + 2 * j, x + W + 2 * j, row_start + 2 * j, W, y + j, indices + j,
                          std::make_integer_sequence<int, Lanes>{});
  }
  if constexpr (Lanes > 2) {
    return two_by_two_row<T, Lanes / 2>(x, row_start, W, outW, j, y, indices);
  }
  return j;
}

/// Elements p[0], p[Stride], p[2 * Stride], ...; none behind the last of them is read.
template <int Stride, class T, int Lanes, int... I>
[[gnu::always_inline]] inline Vector<T, Lanes> spaced(const T* p,
                                                      std::integer_sequence<int, I...>) {
  using V = Vector<T, Lanes>;
  if constexpr (Stride == 1) {
    return load<V>(p);
  } else if constexpr (Stride == 3) {
    return V{p[Stride * I]...};
  } else {
    const V low = load<V>(p);
    const V high = load<V>(p + Lanes - 1);
    return __builtin_shufflevector(low, high, (I < Lanes / 2 ? 2 * I : 2 * I + 1)...);
  }
}

template <class T, int Lanes, int... I>
[[gnu::always_inline]] inline Vector<T, Lanes> counted(T step, std::integer_sequence<int, I...>) {
  return Vector<T, Lanes>{(step * I)...};
}

/// The windows [j, j + Lanes) of a row of outputs: maxima. Windows lie inside the plane in width.
template <class T, int Stride>
struct Maxima {
  const T* x;
  T* y;
  int64_t* indices;

  template <int Lanes>
  [[gnu::always_inline]] void run(const PoolShape& s, const Taps& t, const Taps& h, int64_t out,
                                  int64_t j) const {
    using Lane = std::make_integer_sequence<int, Lanes>;
    using P = Vector<Position<T>, Lanes>;
    const PoolAxis& a = s.axes[2];
    const int64_t first = j * Stride - a.pad;
    const P start = counted<Position<T>, Lanes>(Stride, Lane{}) + 1;
    Vector<T, Lanes> best = {};
    P at = {};
    bool begun = false;
    for (int64_t i = 0; i < t.count; ++i) {
      for (int64_t k = 0; k < h.count; ++k) {
        int64_t place = row_of(s, t, h, i, k) + first;
        for (int64_t w = 0; w < a.kernel; ++w, place += a.dilation) {
          const auto v = spaced<Stride, T, Lanes>(x + place, Lane{});
          const P here = start + static_cast<Position<T>>(place);
          if (!begun) {
            best = v;
            at = here;
            begun = true;
            continue;
          }
          const auto wins = (v > best) | (v != v);
          best = wins ? v : best;
          at = wins ? here : at;
        }
      }
    }
    std::memcpy(y + out + j, &best, sizeof(best));
    const auto wide = __builtin_convertvector(at, Vector<int64_t, Lanes>);
    std::memcpy(indices + out + j, &wide, sizeof(wide));
  }

  void one(const PoolShape& s, const Triple& out, int64_t place) const {
    const auto top = functors::maximum(functors::Strided{s}, 0, out, x);
    y[place] = top.value;
    indices[place] = top.at + 1;
  }
};

/// The same for means.
template <class T, int Stride>
struct Means {
  const T* x;
  T* y;
  bool count_padding;

  template <int Lanes>
  [[gnu::always_inline]] void run(const PoolShape& s, const Taps& t, const Taps& h, int64_t out,
                                  int64_t j) const {
    const PoolAxis& a = s.axes[2];
    const int64_t first = j * Stride - a.pad;
    Vector<T, Lanes> sum = {};
    for (int64_t i = 0; i < t.count; ++i) {
      for (int64_t k = 0; k < h.count; ++k) {
        const T* place = x + row_of(s, t, h, i, k) + first;
        for (int64_t w = 0; w < a.kernel; ++w, place += a.dilation) {
          sum += spaced<Stride, T, Lanes>(place, std::make_integer_sequence<int, Lanes>{});
        }
      }
    }
    const int64_t count = count_padding ? t.padded * h.padded : t.count * h.count;
    sum /= static_cast<T>(count * a.kernel);
    std::memcpy(y + out + j, &sum, sizeof(sum));
  }

  void one(const PoolShape& s, const Triple& out, int64_t place) const {
    y[place] = functors::mean(functors::Strided{s}, 0, out, count_padding, x);
  }
};

/// Outputs [j, end) of a row by whole vectors, of which the last may take some outputs once more;
/// where they begin that are left.
template <int Lanes, class Pool>
[[gnu::always_inline]] inline int64_t vectors_of_row(const Pool& pool, const PoolShape& s,
                                                     const Taps& t, const Taps& h, int64_t out,
                                                     int64_t j, int64_t end) {
  if (end - j >= Lanes) {
    for (; j + Lanes <= end; j += Lanes) {
      pool.template run<Lanes>(s, t, h, out, j);
    }
    if (j < end) {
      pool.template run<Lanes>(s, t, h, out, end - Lanes);
    }
    return end;
  }
  if constexpr (Lanes > 2) {
    return vectors_of_row<Lanes / 2>(pool, s, t, h, out, j, end);
  }
  return j;
}

/// All outputs of a plane: those whose windows lie inside it in width by vectors, where windows are
/// one, two or three elements apart.
template <class T, class Pool>
[[gnu::always_inline]] inline void plane(const Pool& pool, const PoolShape& s, int64_t stride) {
  const functors::Strided windows{s};
  const PoolAxis& a = s.axes[2];
  const int64_t reach = (a.kernel - 1) * a.dilation + 1;
  int64_t begin = 0;
  int64_t end = 0;
  if (a.stride == stride && s.in_elements() < (int64_t{1} << 30) && a.in + a.pad >= reach) {
    begin = functors::at_most((a.pad + stride - 1) / stride, a.out);
    end = functors::at_least(functors::at_most((a.in + a.pad - reach) / stride + 1, a.out), begin);
  }
  int64_t out = 0;
  for (int64_t ot = 0; ot < s.axes[0].out; ++ot) {
    const Taps t = windows.taps(0, 0, ot);
    for (int64_t oh = 0; oh < s.axes[1].out; ++oh, out += a.out) {
      const Taps h = windows.taps(0, 1, oh);
      const int64_t done = vectors_of_row<kLanes<T>>(pool, s, t, h, out, begin, end);
      for (int64_t j = 0; j < begin; ++j) {
        pool.one(s, {ot, oh, j}, out + j);
      }
      for (int64_t j = done; j < a.out; ++j) {
        pool.one(s, {ot, oh, j}, out + j);
      }
    }
  }
}

template <class T>
void two_by_two(const PoolShape& s, const T* x, T* y, int64_t* indices) {
  const int64_t W = s.axes[2].in;
  const int64_t outW = s.axes[2].out;
  for (int64_t oh = 0; oh < s.axes[1].out; ++oh) {
    const int64_t out = oh * outW;
    int64_t ow = two_by_two_row<T, kLanes<T>>(x + 2 * oh * W, 2 * oh * W, W, outW, 0, y + out,
                                              indices + out);
    for (; ow < outW; ++ow) {
      Maxima<T, 2>{x, y, indices}.one(s, {0, oh, ow}, out + ow);
    }
  }
}

template <class T>
void maxima(const PoolShape& s, const T* x, T* y, int64_t* indices) {
  if (s.two_by_two() && s.in_elements() < (int64_t{1} << 30)) {
    two_by_two(s, x, y, indices);
  } else if (s.axes[2].stride == 2) {
    plane<T>(Maxima<T, 2>{x, y, indices}, s, 2);
  } else if (s.axes[2].stride == 3) {
    plane<T>(Maxima<T, 3>{x, y, indices}, s, 3);
  } else {
    plane<T>(Maxima<T, 1>{x, y, indices}, s, 1);
  }
}

template <class T>
void means(const PoolShape& s, bool count_padding, const T* x, T* y) {
  if (s.axes[2].stride == 2) {
    plane<T>(Means<T, 2>{x, y, count_padding}, s, 2);
  } else {
    plane<T>(Means<T, 1>{x, y, count_padding}, s, 1);
  }
}

/// The reverse of four_to_one: g goes to the position of the maximum, zeros to the other three.
template <class T, int Lanes, int... I>
[[gnu::always_inline]] inline bool one_to_four(const T* g, const int64_t* indices, int64_t first,
                                               int64_t W, T* top_row, T* bottom_row,
                                               std::integer_sequence<int, I...>) {
  using V = Vector<T, Lanes>;
  using P = Vector<Position<T>, Lanes>;
  const V grad = load<V>(g);
  Vector<int64_t, Lanes> wide;
  std::memcpy(&wide, indices, sizeof(wide));
  const P at =
      __builtin_convertvector(wide, P) - (P{(2 * I)...} + static_cast<Position<T>>(first + 1));
  const auto width = static_cast<Position<T>>(W);
  const V zero = {};
  const V parts[4] = {at == 0 ? grad : zero, at == 1 ? grad : zero, at == width ? grad : zero,
                      at == width + 1 ? grad : zero};
  // Lanes of left and right neighbours take turns.
  const auto low = [](V a, V b) {
    return __builtin_shufflevector(a, b, (I / 2 + I % 2 * Lanes)...);
  };
  const auto high = [](V a, V b) {
    return __builtin_shufflevector(a, b, (Lanes / 2 + I / 2 + I % 2 * Lanes)...);
  };
  const V out[4] = {low(parts[0], parts[1]), high(parts[0], parts[1]), low(parts[2], parts[3]),
                    high(parts[2], parts[3])};
  std::memcpy(top_row, &out[0], sizeof(V));
  std::memcpy(top_row + Lanes, &out[1], sizeof(V));
  std::memcpy(bottom_row, &out[2], sizeof(V));
  std::memcpy(bottom_row + Lanes, &out[3], sizeof(V));
  const auto lost = (at != 0) & (at != 1) & (at != width) & (at != width + 1);
  int64_t any = 0;
  Position<T> lanes[Lanes];
  std::memcpy(lanes, &lost, sizeof(lost));
  for (int i = 0; i < Lanes; ++i) {
    any |= lanes[i];
  }
  return any == 0;
}

template <class T, int Lanes>
[[gnu::always_inline]] inline bool backward_row(const T* g, const int64_t* indices,
                                                int64_t row_start, int64_t W, int64_t outW,
                                                int64_t j, T* r) {
  bool good = true;
  for (; j + Lanes <= outW; j += Lanes) {
    good &= one_to_four<T, Lanes>(g + j, indices + j, row_start + 2 * j, W, r + 2 * j,
                                  r + W + 2 * j, std::make_integer_sequence<int, Lanes>{});
  }
  if constexpr (Lanes > 2) {
    return good & backward_row<T, Lanes / 2>(g, indices, row_start, W, outW, j, r);
  }
  for (; j < outW; ++j) {
    T* corner = r + 2 * j;
    const int64_t at = indices[j] - 1 - (row_start + 2 * j);
    corner[0] = at == 0 ? g[j] : T(0);
    corner[1] = at == 1 ? g[j] : T(0);
    corner[W] = at == W ? g[j] : T(0);
    corner[W + 1] = at == W + 1 ? g[j] : T(0);
    good &= at == 0 || at == 1 || at == W || at == W + 1;
  }
  return good;
}

template <class T>
bool backward_two_by_two(const PoolShape& s, const T* g, const int64_t* indices, T* r) {
  const int64_t W = s.axes[2].in;
  const int64_t outH = s.axes[1].out;
  const int64_t outW = s.axes[2].out;
  bool good = s.in_elements() < (int64_t{1} << 30);
  for (int64_t oh = 0; oh < outH && good; ++oh) {
    T* rows = r + 2 * oh * W;
    good = backward_row<T, kLanes<T>>(g + oh * outW, indices + oh * outW, 2 * oh * W, W, outW, 0,
                                      rows);
    for (int64_t w = 2 * outW; w < W; ++w) {
      rows[w] = rows[W + w] = 0;
    }
  }
  for (int64_t i = 2 * outH * W; i < s.in_elements(); ++i) {
    r[i] = 0;
  }
  return good;
}

bool within(int64_t n, const int64_t* indices, int64_t last) {
  const auto end = static_cast<uint64_t>(last);
  uint64_t outside = 0;
#pragma omp simd reduction(| : outside)
  for (int64_t i = 0; i < n; ++i) {
    outside |=
        static_cast<uint64_t>(indices[i]) - 1 >= end ? 1 : 0;  // index 0 wraps to the largest
  }
  return outside == 0;
}

}  // namespace

void set_kernels(PoolKernels& table) {
  table.of_float = {maxima<float>, means<float>, backward_two_by_two<float>};
  table.of_double = {maxima<double>, means<double>, backward_two_by_two<double>};
  table.within = within;
}

}  // namespace th::cpu::TH_ISA
