#include "cpu/kernels/nn/pooling.h"

#include <type_traits>

#include "cpu/kernels/vectors.h"

namespace th::cpu::TH_ISA {
namespace {

/// Integers as wide as T, for positions and comparisons.
template <class T>
using Position = std::conditional_t<sizeof(T) == 4, int32_t, int64_t>;

template <class T>
[[gnu::always_inline]] inline bool beats(T x, T top) {
  return x > top || x != x;
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

template <class T>
void window(const PoolShape& s, const T* x, int64_t oh, int64_t ow, T* y, int64_t* index) {
  int64_t h0 = oh * s.dH - s.padH;
  int64_t w0 = ow * s.dW - s.padW;
  const int64_t h1 = h0 + s.kH < s.H ? h0 + s.kH : s.H;
  const int64_t w1 = w0 + s.kW < s.W ? w0 + s.kW : s.W;
  h0 = h0 < 0 ? 0 : h0;
  w0 = w0 < 0 ? 0 : w0;
  int64_t at = h0 * s.W + w0;
  T top = x[at];
  for (int64_t h = h0; h < h1; ++h) {
    for (int64_t w = w0; w < w1; ++w) {
      const T v = x[h * s.W + w];
      if (beats(v, top)) {
        top = v;
        at = h * s.W + w;
      }
    }
  }
  *y = top;
  *index = at + 1;
}

template <class T>
void forward(const PoolShape& s, const T* x, T* y, int64_t* indices) {
  const bool simple = s.two_by_two() && s.H * s.W < (int64_t{1} << 30);
  for (int64_t oh = 0; oh < s.outH; ++oh, y += s.outW, indices += s.outW) {
    int64_t ow = 0;
    if (simple) {
      ow = two_by_two_row<T, kLanes<T>>(x + 2 * oh * s.W, 2 * oh * s.W, s.W, s.outW, 0, y, indices);
    }
    for (; ow < s.outW; ++ow) {
      window(s, x, oh, ow, y + ow, indices + ow);
    }
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
  bool good = s.H * s.W < (int64_t{1} << 30);
  for (int64_t oh = 0; oh < s.outH && good; ++oh) {
    T* rows = r + 2 * oh * s.W;
    good = backward_row<T, kLanes<T>>(g + oh * s.outW, indices + oh * s.outW, 2 * oh * s.W, s.W,
                                      s.outW, 0, rows);
    for (int64_t w = 2 * s.outW; w < s.W; ++w) {
      rows[w] = rows[s.W + w] = 0;
    }
  }
  for (int64_t i = 2 * s.outH * s.W; i < s.H * s.W; ++i) {
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

void fill(PoolKernels& table) {
  table.of_float = {forward<float>, backward_two_by_two<float>};
  table.of_double = {forward<double>, backward_two_by_two<double>};
  table.within = within;
}

}  // namespace th::cpu::TH_ISA
