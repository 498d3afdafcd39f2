// Sums over k of f(A(i,k), B(k,j)), tile by tile, for matrices of any strides and types: products
// of integers, which vendor libraries leave to us, and whatever else has that form.
#pragma once

#include "core/product.h"
#include "cuda/launch.h"
#include "cuda/offsets.h"

namespace thc {

/// A tile of C is kTile x kTile elements by kThreads threads, kTile / 16 squared each; kDepth
/// columns of A and rows of B lie in shared memory at a time.
inline constexpr int kTile = 64;
inline constexpr int kTileDepth = 16;
/// Rows of a tile are one element longer than they need to be: neighbouring threads then write to
/// different banks of shared memory.
inline constexpr int kTileRow = kTile + 1;

/// f of products: sum += a b.
template <class C>
struct MultiplyAdd {
  using Sum = decltype(wrapping(C{}));
  TH_HD Sum operator()(Sum sum, C a, C b) const { return sum + wrapping(a) * wrapping(b); }
};

/// sum += (a - b)^2
template <class C>
struct AddSquaredDifference {
  using Sum = decltype(wrapping(C{}));
  TH_HD Sum operator()(Sum sum, C a, C b) const {
    const Sum difference = wrapping(a) - wrapping(b);
    return sum + difference * difference;
  }
};

/// C = beta C + alpha sum over k of f. C: the type that is computed in (layout.h).
template <class C, class F>
struct TileProduct {
  using Sum = typename F::Sum;

  Elements<C> a, b, c;
  MatrixView a_view, b_view, c_view;
  int64_t column_tiles, tiles;  // of a matrix
  Sum alpha, beta;
  F f;

  TileProduct(const MatrixView& av, const MatrixView& bv, const MatrixView& cv, double alpha_number,
              double beta_number, F the_f)
      : a(*av.tensor),
        b(*bv.tensor),
        c(*cv.tensor),
        a_view(av),
        b_view(bv),
        c_view(cv),
        column_tiles((cv.columns + kTile - 1) / kTile),
        tiles((cv.rows + kTile - 1) / kTile * column_tiles),
        alpha(wrapping(from_number<C>(alpha_number))),
        beta(wrapping(from_number<C>(beta_number))),
        f(the_f) {}

  static constexpr size_t shared_bytes() { return 2 * kTileDepth * kTileRow * sizeof(C); }

  /// Rows (of A, columns of B) first ... first + kTile and steps p ... p + kTileDepth of a matrix
  /// into shared memory, zeros beyond its edges. Threads are neighbours along the smaller step.
  TH_HD static void fetch_tile(const Elements<C>& from, int64_t offset, int64_t count, int64_t step,
                               int64_t depth, int64_t depth_step, int64_t first, int64_t p,
                               int thread, C* tile) {
    const bool along_depth = depth_step < step;
    for (int e = thread; e < kTile * kTileDepth; e += kThreads) {
      const int i = along_depth ? e / kTileDepth : e % kTile;
      const int q = along_depth ? e % kTileDepth : e / kTile;
      const bool inside = first + i < count && p + q < depth;
      tile[q * kTileRow + i] =
          inside ? from.load_at(offset + (first + i) * step + (p + q) * depth_step) : C{0};
    }
  }

  template <class Block>
  TH_D void operator()(Block& block) const {
    constexpr int kSide = 16;  // threads along a side of the tile
    constexpr int kEach = kTile / kSide;
    C* const a_tile = block.template shared<C>();
    C* const b_tile = a_tile + kTileDepth * kTileRow;
    const int64_t batch = block.index() / tiles;
    const int64_t tile = block.index() % tiles;
    const int64_t row0 = tile / column_tiles * kTile;
    const int64_t column0 = tile % column_tiles * kTile;
    const int64_t k = a_view.columns;
    const int thread = block.thread();
    const int y = thread / kSide;
    const int x = thread % kSide;
    Sum sums[kEach][kEach] = {};
    for (int64_t p = 0; p < k; p += kTileDepth) {
      fetch_tile(a, batch * a_view.batch_step, a_view.rows, a_view.row_step, k, a_view.column_step,
                 row0, p, thread, a_tile);
      fetch_tile(b, batch * b_view.batch_step, b_view.columns, b_view.column_step, k,
                 b_view.row_step, column0, p, thread, b_tile);
      block.sync();
      for (int q = 0; q < kTileDepth; ++q) {
        const C* const a_row = a_tile + q * kTileRow + y;
        const C* const b_row = b_tile + q * kTileRow + x;
        for (int i = 0; i < kEach; ++i) {
          for (int j = 0; j < kEach; ++j) {
            sums[i][j] = f(sums[i][j], a_row[i * kSide], b_row[j * kSide]);
          }
        }
      }
      block.sync();
    }
    for (int i = 0; i < kEach; ++i) {
      for (int j = 0; j < kEach; ++j) {
        const int64_t row = row0 + y + i * kSide;
        const int64_t column = column0 + x + j * kSide;
        if (row < c_view.rows && column < c_view.columns) {
          put(batch * c_view.batch_step + row * c_view.row_step + column * c_view.column_step,
              sums[i][j]);
        }
      }
    }
  }

  TH_HD void put(int64_t offset, Sum sum) const {
    Sum value = alpha * sum;
    if (beta != 0) {
      value += beta * wrapping(c.load_at(offset));
    }
    c.store_at(offset, static_cast<C>(value));
  }
};

/// All tensors of the type C is computed in for; C does not lie under A or B.
template <class C, template <class> class F>
void tile_product(cudaStream_t stream, const MatrixView& a, const MatrixView& b,
                  const MatrixView& c, double alpha, double beta) {
  const TileProduct<C, F<C>> kernel(a, b, c, alpha, beta, F<C>{});
  launch_blocks(stream, c.batches * kernel.tiles, kThreads, kernel.shared_bytes(), kernel);
}

}  // namespace thc
