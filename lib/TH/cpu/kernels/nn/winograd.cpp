// F(4 x 4, 3 x 3) of Lavin and Gray, "Fast algorithms for convolutional neural networks", CVPR 2016
// (arXiv:1509.09308), section 4.3. Rows of a plane are combined while neighbours lie side by side;
// then every fourth element goes into a vector, so that a vector holds the same column of
// neighbouring tiles.
#include "cpu/kernels/nn/winograd.h"

#include <algorithm>
#include <utility>

#include "cpu/kernels/turn.h"

namespace th::cpu::TH_ISA {
namespace {

using V = Vector<float>;
constexpr int64_t kL = kLanes<float>;
constexpr int64_t kOut = kWinogradOutputs;
constexpr int64_t kIn = 6;
constexpr int64_t kRow = kOut * kWinogradTiles + 2 * kL;  // elements of a row of tiles
using Indices = std::make_integer_sequence<int, static_cast<int>(kL)>;

[[gnu::always_inline]] inline void store(float* p, const V& v) { std::memcpy(p, &v, sizeof(V)); }

/// Store in a loop that gcc would take for memcpy or memset: rows are short, and a call takes
/// longer.
[[gnu::always_inline]] inline void store_here(float* p, V v) {
#if defined(__x86_64__)
  asm("" : "+v"(v));
#elif defined(__aarch64__)
  asm("" : "+w"(v));
#endif
  store(p, v);
}

// --- six numbers from six, six from four, four from six ------------------------------------------

// The points of the interpolation are 0, a, -a, b, -b and infinity. With 1 and 2, as in the paper,
// numbers of the tiles differ so much in size that errors are some four times as large.
constexpr float a = 0.625f, b = 1.5f;
constexpr float a2 = a * a, a3 = a2 * a, b2 = b * b, b3 = b2 * b;
constexpr float kBy0 = 1 / (a2 * b2), kByA = 1 / (2 * a2 * (a2 - b2)),
                kByB = 1 / (2 * b2 * (b2 - a2));

/// B'.
template <class T>
[[gnu::always_inline]] inline void input_six(const T (&d)[6], T (&r)[6]) {
  const T even = d[4] - b2 * d[2];
  const T odd = a * (d[3] - b2 * d[1]);
  const T outer = d[4] - a2 * d[2];
  const T inner = b * (d[3] - a2 * d[1]);
  r[0] = a2 * b2 * d[0] - (a2 + b2) * d[2] + d[4];
  r[1] = even + odd;
  r[2] = even - odd;
  r[3] = outer + inner;
  r[4] = outer - inner;
  r[5] = a2 * b2 * d[1] - (a2 + b2) * d[3] + d[5];
}

/// A.
template <class T>
[[gnu::always_inline]] inline void gradient_six(const T (&d)[4], T (&r)[6]) {
  const T even = d[0] + a2 * d[2];
  const T odd = a * d[1] + a3 * d[3];
  const T outer = d[0] + b2 * d[2];
  const T inner = b * d[1] + b3 * d[3];
  r[0] = d[0];
  r[1] = even + odd;
  r[2] = even - odd;
  r[3] = outer + inner;
  r[4] = outer - inner;
  r[5] = d[3];
}

/// A'.
template <class T>
[[gnu::always_inline]] inline void output_four(const T (&m)[6], T (&r)[4]) {
  const T even = m[1] + m[2];
  const T odd = m[1] - m[2];
  const T outer = m[3] + m[4];
  const T inner = m[3] - m[4];
  r[0] = m[0] + even + outer;
  r[1] = a * odd + b * inner;
  r[2] = a2 * even + b2 * outer;
  r[3] = a3 * odd + b3 * inner + m[5];
}

/// G.
template <class T>
[[gnu::always_inline]] inline void weight_six(const T (&w)[3], T (&r)[6]) {
  const T even = (w[0] + a2 * w[2]) * kByA;
  const T odd = w[1] * (a * kByA);
  const T outer = (w[0] + b2 * w[2]) * kByB;
  const T inner = w[1] * (b * kByB);
  r[0] = w[0] * kBy0;
  r[1] = even + odd;
  r[2] = even - odd;
  r[3] = outer + inner;
  r[4] = outer - inner;
  r[5] = w[2];
}

/// G'.
template <class T>
[[gnu::always_inline]] inline void weight_three(const T (&m)[6], T (&r)[3]) {
  const T even = (m[1] + m[2]) * kByA;
  const T outer = (m[3] + m[4]) * kByB;
  r[0] = m[0] * kBy0 + even + outer;
  r[1] = (m[1] - m[2]) * (a * kByA) + (m[3] - m[4]) * (b * kByB);
  r[2] = a2 * even + b2 * outer + m[5];
}

// --- vectors of every fourth element, and back ---------------------------------------------------

/// The columns 0 to 3 of kL tiles from their 4 kL elements.
template <int... I>
[[gnu::always_inline]] inline void columns_of(const float* from, V* r,
                                              std::integer_sequence<int, I...>) {
  const V a = load<V>(from), b = load<V>(from + kL);
  const V c = load<V>(from + 2 * kL), d = load<V>(from + 3 * kL);
  const V e0 = __builtin_shufflevector(a, b, (2 * I)...);
  const V o0 = __builtin_shufflevector(a, b, (2 * I + 1)...);
  const V e1 = __builtin_shufflevector(c, d, (2 * I)...);
  const V o1 = __builtin_shufflevector(c, d, (2 * I + 1)...);
  r[0] = __builtin_shufflevector(e0, e1, (2 * I)...);
  r[1] = __builtin_shufflevector(o0, o1, (2 * I)...);
  r[2] = __builtin_shufflevector(e0, e1, (2 * I + 1)...);
  r[3] = __builtin_shufflevector(o0, o1, (2 * I + 1)...);
}

/// The columns 0 and 1 alone.
template <int... I>
[[gnu::always_inline]] inline void two_columns_of(const float* from, V* r,
                                                  std::integer_sequence<int, I...>) {
  constexpr int half = static_cast<int>(kL) / 2;
  const V a = load<V>(from), b = load<V>(from + kL);
  const V c = load<V>(from + 2 * kL), d = load<V>(from + 3 * kL);
  const V low = __builtin_shufflevector(a, b, (4 * (I % half) + I / half)...);
  const V high = __builtin_shufflevector(c, d, (4 * (I % half) + I / half)...);
  r[0] = __builtin_shufflevector(low, high, (I < half ? I : I + half)...);
  r[1] = __builtin_shufflevector(low, high, (I < half ? I + half : I + 2 * half)...);
}

/// The reverse of columns_of.
template <int... I>
[[gnu::always_inline]] inline void side_by_side(const V* columns, float* to,
                                                std::integer_sequence<int, I...>) {
  constexpr int lanes = static_cast<int>(kL);
  constexpr int half = lanes / 2;
  const auto low = [](const V& a, const V& b) __attribute__((always_inline)) {
    return __builtin_shufflevector(a, b, (I / 2 + I % 2 * lanes)...);
  };
  const auto high = [](const V& a, const V& b) __attribute__((always_inline)) {
    return __builtin_shufflevector(a, b, (half + I / 2 + I % 2 * lanes)...);
  };
  const V a0 = low(columns[0], columns[2]), a1 = high(columns[0], columns[2]);
  const V b0 = low(columns[1], columns[3]), b1 = high(columns[1], columns[3]);
  store(to, low(a0, b0));
  store(to + kL, high(a0, b0));
  store(to + 2 * kL, low(a1, b1));
  store(to + 3 * kL, high(a1, b1));
}

// --- tiles ---------------------------------------------------------------------------------------

/// Neighbouring tiles of one row of tiles: `place` is that of the first among all.
struct Run {
  int64_t image, y, x;  // of its first output
  int64_t place, tiles;
};

template <class F>
[[gnu::always_inline]] inline void each_run(const WinogradTiles& t, F&& f) {
  for (int64_t i = 0; i < t.count;) {
    const int64_t row = (t.first + i) / t.across, x = (t.first + i) % t.across;
    const int64_t tiles = std::min(t.count - i, t.across - x);
    f(Run{row / t.down, row % t.down * kOut, x * kOut, i, tiles});
    i += tiles;
  }
}

/// What rows outside of a plane are read from.
alignas(64) const float kZeros[kRow] = {};

[[gnu::always_inline]] inline V load_to(const float* p, int64_t left) {
  return left >= kL ? load<V>(p) : load_part<float>(p, left, V{});
}

/// Combine the Rows rows under a run, to[i * kRow + p] for the columns p < width, which begin at
/// column x of the plane.
template <int Rows, auto Combine>
[[gnu::always_inline]] inline void combine_rows(const WinogradTiles& t, const float* plane,
                                                int64_t y, int64_t x, int64_t width, float* to) {
  const int64_t begin = std::clamp<int64_t>(-x, 0, width);
  const int64_t end = std::clamp<int64_t>(t.W - x, begin, width);
  const int64_t next = t.H * t.W;
  const float* rows[Rows];
  for (int i = 0; i < Rows; ++i) {
    const bool inside = y + i >= 0 && y + i < t.H;
    rows[i] = inside ? plane + (y + i) * t.W + x : kZeros;
  }
  if (begin > 0) {
    for (int i = 0; i < kIn; ++i) {
      store(to + i * kRow, V{});
    }
  }
  int64_t p = begin;
  for (; p < end; p += kL) {
    V d[Rows], r[kIn];
#pragma GCC unroll 8
    for (int i = 0; i < Rows; ++i) {
      d[i] = load_to(rows[i] + p, end - p);
      if (i < kOut) {
        __builtin_prefetch(rows[i] + p + next);
      }
    }
    Combine(d, r);
#pragma GCC unroll 8
    for (int i = 0; i < kIn; ++i) {
      store(to + i * kRow + p, r[i]);
    }
  }
  for (; p < width; p += kL) {
    for (int i = 0; i < kIn; ++i) {
      store_here(to + i * kRow + p, V{});
    }
  }
}

/// Zeros for the tiles that fill up the last vector.
inline void fill_up(const WinogradTiles& t, float* rows) {
  const int64_t begin = t.count * kOut, end = t.columns() * kOut;
  for (int i = 0; begin < end && i < kIn; ++i) {
    std::fill(rows + i * kRow + begin, rows + i * kRow + end, 0.f);
  }
}

void inputs(const WinogradTiles& t, const float* plane, float* to) {
  // The columns 4 and 5 of a tile are 0 and 1 of the next one, but for the last of a run.
  alignas(64) float rows[kIn * kRow], behind[kIn * kRow];
  each_run(
      t, [&](const Run& r) __attribute__((always_inline)) {
        float* own = rows + r.place * kOut;
        const int64_t width = r.tiles * kOut;
        combine_rows<6, input_six<V>>(t, plane + r.image * t.image, r.y - t.top, r.x - t.left,
                                      width + 2, own);
        float* next = behind + r.place * kOut;
        for (int i = 0; i < kIn; ++i) {
          for (int64_t p = 0; p < width - 2; p += kL) {
            store_here(next + i * kRow + p, load<V>(own + i * kRow + p + kOut));
          }
        }
      });
  fill_up(t, rows);
  fill_up(t, behind);
  for (int64_t i = 0; i < t.columns(); i += kL) {
    for (int row = 0; row < kIn; ++row) {
      V d[6], r[6];
      columns_of(rows + row * kRow + i * kOut, d, Indices{});
      two_columns_of(behind + row * kRow + i * kOut, d + 4, Indices{});
      input_six<V>(d, r);
#pragma GCC unroll 8
      for (int j = 0; j < kIn; ++j) {
        store(to + (row * kIn + j) * t.step + i, r[j]);
      }
    }
  }
}

void gradients(const WinogradTiles& t, const float* plane, float* to) {
  alignas(64) float rows[kIn * kRow];
  each_run(
      t, [&](const Run& r) __attribute__((always_inline)) {
        combine_rows<4, gradient_six<V>>(t, plane + r.image * t.image, r.y, r.x, r.tiles * kOut,
                                         rows + r.place * kOut);
      });
  fill_up(t, rows);
  for (int64_t i = 0; i < t.columns(); i += kL) {
    for (int row = 0; row < kIn; ++row) {
      V d[4], r[6];
      columns_of(rows + row * kRow + i * kOut, d, Indices{});
      gradient_six<V>(d, r);
#pragma GCC unroll 8
      for (int j = 0; j < kIn; ++j) {
        store(to + (row * kIn + j) * t.step + i, r[j]);
      }
    }
  }
}

void outputs(const WinogradTiles& t, const float* from, float bias, float* plane) {
  alignas(64) float rows[kOut * kRow];
  for (int64_t i = 0; i < t.columns(); i += kL) {
    V half[kIn][kOut];
    for (int row = 0; row < kIn; ++row) {
      V m[6];
#pragma GCC unroll 8
      for (int j = 0; j < kIn; ++j) {
        m[j] = load<V>(from + (row * kIn + j) * t.step + i);
      }
      output_four<V>(m, half[row]);
    }
    V r[kOut][kOut];
#pragma GCC unroll 4
    for (int j = 0; j < kOut; ++j) {
      const V m[6] = {half[0][j], half[1][j], half[2][j], half[3][j], half[4][j], half[5][j]};
      V column[4];
      output_four<V>(m, column);
#pragma GCC unroll 4
      for (int row = 0; row < kOut; ++row) {
        r[row][j] = column[row] + bias;
      }
    }
#pragma GCC unroll 4
    for (int row = 0; row < kOut; ++row) {
      side_by_side(r[row], rows + row * kRow + i * kOut, Indices{});
    }
  }
  each_run(
      t, [&](const Run& r) __attribute__((always_inline)) {
        const int64_t width = std::min(r.tiles * kOut, t.W - r.x);
        for (int64_t row = 0; row < std::min(kOut, t.H - r.y); ++row) {
          const float* own = rows + row * kRow + r.place * kOut;
          float* to = plane + r.image * t.image + (r.y + row) * t.W + r.x;
          int64_t p = 0;
          for (; p + kL <= width; p += kL) {
            __builtin_prefetch(to + p + t.H * t.W, 1);
            store_here(to + p, load<V>(own + p));
          }
          if (p < width) {
            __builtin_prefetch(to + p + t.H * t.W, 1);
            store_part<float>(to + p, width - p, load<V>(own + p));
          }
        }
      });
}

// --- weights -------------------------------------------------------------------------------------

constexpr int64_t kTaps = 9;

/// taps[k]: number k of `count` <= kL kernels.
[[gnu::always_inline]] inline void read_taps(const float* weight, int64_t count, V* taps) {
#pragma GCC unroll 4
  for (int64_t first = 0; first < kTaps; first += kL) {
    const int64_t some = std::min(kL, kTaps - first);
    V lines[kL] = {};
    for (int64_t i = 0; i < count; ++i) {
      lines[i] = load_part<float>(weight + i * kTaps + first, some, V{});
    }
    turn<float>(lines);
    for (int64_t k = 0; k < some; ++k) {
      taps[first + k] = lines[k];
    }
  }
}

[[gnu::always_inline]] inline void add_taps(const V* taps, int64_t count, float* weight) {
#pragma GCC unroll 4
  for (int64_t first = 0; first < kTaps; first += kL) {
    const int64_t some = std::min(kL, kTaps - first);
    V lines[kL] = {};
    for (int64_t k = 0; k < some; ++k) {
      lines[k] = taps[first + k];
    }
    turn<float>(lines);
    for (int64_t i = 0; i < count; ++i) {
      float* own = weight + i * kTaps + first;
      store_part<float>(own, some, load_part<float>(own, some, V{}) + lines[i]);
    }
  }
}

void weights(int64_t count, bool turned, const float* weight, float* to, int64_t step) {
  for (int64_t c = 0; c < count; c += kL) {
    const int64_t some = std::min(kL, count - c);
    V taps[kTaps];
    read_taps(weight + c * kTaps, some, taps);
    if (turned) {
      std::reverse(taps, taps + kTaps);
    }
    V half[3][kIn];
    for (int row = 0; row < 3; ++row) {
      const V w[3] = {taps[row * 3], taps[row * 3 + 1], taps[row * 3 + 2]};
      weight_six<V>(w, half[row]);
    }
    for (int j = 0; j < kIn; ++j) {
      const V w[3] = {half[0][j], half[1][j], half[2][j]};
      V r[kIn];
      weight_six<V>(w, r);
      for (int row = 0; row < kIn; ++row) {
        store_part<float>(to + (row * kIn + j) * step + c, some, r[row]);
      }
    }
  }
}

void weight_gradients(int64_t count, const float* from, int64_t step, float scale, float* weight) {
  for (int64_t c = 0; c < count; c += kL) {
    const int64_t some = std::min(kL, count - c);
    V half[kIn][3];
    for (int row = 0; row < kIn; ++row) {
      V m[kIn];
      for (int j = 0; j < kIn; ++j) {
        m[j] = load_part<float>(from + (row * kIn + j) * step + c, some, V{});
      }
      weight_three<V>(m, half[row]);
    }
    V taps[kTaps];
    for (int j = 0; j < 3; ++j) {
      const V m[kIn] = {half[0][j], half[1][j], half[2][j], half[3][j], half[4][j], half[5][j]};
      V r[3];
      weight_three<V>(m, r);
      for (int row = 0; row < 3; ++row) {
        taps[row * 3 + j] = r[row] * scale;
      }
    }
    add_taps(taps, some, weight + c * kTaps);
  }
}

}  // namespace

void set_kernels(WinogradKernels& table) {
  table = {inputs, gradients, outputs, weights, weight_gradients};
}

}  // namespace th::cpu::TH_ISA
