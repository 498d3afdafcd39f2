// F(4 x 4, 3 x 3) of Lavin and Gray, "Fast algorithms for convolutional neural networks", CVPR 2016
// (arXiv:1509.09308), section 4.3. Rows of a plane are combined while neighbours lie side by side;
// then every fourth element goes into a vector, so that a vector holds the same column of
// neighbouring tiles.
#pragma once

#include <algorithm>

#include "cpu/kernels/nn/winograd_vectors.h"

namespace th::cpu::TH_ISA {
namespace {

constexpr int64_t kOut = kWinogradOutputs;
constexpr int64_t kRow = kOut * kWinogradTiles + 2 * kL;  // elements of a row of tiles

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
template <class T>
alignas(64) constexpr T kZeros[kRow] = {};

/// Combine the Rows rows under a run, to[i * kRow + p] for the columns p < width, which begin at
/// column x of the plane.
template <int Rows, auto Combine, class T>
[[gnu::always_inline]] inline void combine_rows(const WinogradTiles& t, const T* plane, int64_t y,
                                                int64_t x, int64_t width, float* to) {
  const int64_t begin = std::clamp<int64_t>(-x, 0, width);
  const int64_t end = std::clamp<int64_t>(t.W - x, begin, width);
  const int64_t next = t.H * t.W;
  const T* rows[Rows];
  for (int i = 0; i < Rows; ++i) {
    const bool inside = y + i >= 0 && y + i < t.H;
    rows[i] = inside ? plane + (y + i) * t.W + x : kZeros<T>;
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
      if (i < kOut) {  // the next plane's, where the processor does not guess them
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

/// put(e, i, numbers): number e of B' d B for the kL tiles from the i-th on, d their 6 x 6 inputs.
template <class T, class Put>
[[gnu::always_inline]] inline void inputs_of(const WinogradTiles& t, const T* plane,
                                             const Put& put) {
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
        put(row * kIn + j, i, r[j]);
      }
    }
  }
}

/// The same of A d A' for 4 x 4 gradients of outputs.
template <class T, class Put>
[[gnu::always_inline]] inline void gradients_of(const WinogradTiles& t, const T* plane,
                                                const Put& put) {
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
        put(row * kIn + j, i, r[j]);
      }
    }
  }
}

/// The plane's outputs A' m A, finished.
template <class T>
void outputs(const WinogradTiles& t, const float* from, const WinogradFinish<T>& finish, T* plane) {
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
        r[row][j] = column[row] + finish.bias;
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
          const int64_t place = r.image * t.image + (r.y + row) * t.W + r.x;
          T* to = plane + place;
          for (int64_t p = 0; p < width; p += kL) {
            __builtin_prefetch(to + p + t.H * t.W, 1);
            V y = load<V>(own + p);
            if (finish.addend != nullptr) {
              __builtin_prefetch(finish.addend + place + p + t.H * t.W);
              y += load_to(finish.addend + place + p, width - p);
            }
            if (finish.relu) {
              y = y > V{} ? y : V{};
            }
            store_to(to + p, width - p, y);
          }
        }
      });
}

}  // namespace
}  // namespace th::cpu::TH_ISA
