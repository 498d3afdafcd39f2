// Goto and van de Geijn, "Anatomy of high-performance matrix multiplication", 2008: a panel of B is
// packed into strips as wide as the kernel's tile, and blocks of A that stay in the second-level
// cache pass by. Rows of A are read where they lie: the kernel takes one element of each at a time.
// Columns of A' are packed tile by tile.
#include "cpu/linalg/blocked_gemm.h"

#include <algorithm>
#include <atomic>
#include <cassert>

#include "core/runtime/interrupt.h"
#include "cpu/kernels/kernels.h"
#include "cpu/kernels/linalg/dense_gemm.h"
#include "cpu/linalg/packed_columns.h"
#include "cpu/parallel.h"
#include "cpu/work_buffers.h"

namespace th::cpu {
namespace {

// Measured with AVX-512 (Sapphire Rapids): from half to twice of each makes no difference, but for
// the depth where A's columns are read as they lie, every line of which serves two to three tiles:
// a first-level cache of 48 KiB has A's lines beside a strip of B then, which makes long sums 1.02
// to 1.06 times as fast. The depth is the whole product's, whatever a thread has of it: it decides
// the order of the sums.
template <class T>
constexpr int64_t kDepth = PackedColumns<T>::kDepth;  // of a panel
constexpr int64_t kDepthOfColumns = 128;
constexpr int64_t kRows = 192;      // of a block of A: with kDepth, a tenth of a second-level cache
constexpr int64_t kFlatRows = 24;   // the same where results, not operands, are the traffic:
constexpr int64_t kFlatDepth = 64;  // below this depth
constexpr int64_t kColumns = 1024;  // of a panel
/// Rows that lie multiples of this many bytes apart share a few sets of the caches.
constexpr int64_t kPage = 4096;
/// Up to so many rows packing B costs more than it gains; fewer where B's rows are pages apart.
constexpr int64_t kUnpackedRows = 160;
constexpr int64_t kUnpackedRowsOfPages = 64;
/// With so many columns it pays to move A's rows together where they are pages apart.
constexpr int64_t kPackingColumns = 256;
/// Of a block of results that are rounded before they leave the second-level cache.
constexpr int64_t kRounded = 32 * 1024;

template <class T>
int64_t panel_depth(const Gemm<T>& g) {
  return std::min(g.transpose_a && g.n < kTilingColumns ? kDepthOfColumns : kDepth<T>, g.k);
}

/// Rows of the result at a time.
template <class T>
int64_t block_rows(const Gemm<T>& g, int64_t columns) {
  const int64_t most = g.k < kFlatDepth ? kFlatRows : kRows;
  return g.rounded == nullptr
             ? most
             : std::clamp(kRounded / columns / kFlatRows * kFlatRows, kFlatRows, most);
}

/// How a rectangle of the result is worked on: sizes at a time, and what is copied.
template <class T>
struct Blocking {
  int64_t depth, columns, rows;
  bool tiles_a, packs_a, packs_b;
  int64_t a_step;  // between lines of A, as the kernel sees them
  bool rounds;     // from a block of sums

  Blocking(const Gemm<T>& g, int64_t rectangle_rows, int64_t rectangle_columns)
      : depth(panel_depth(g)),
        columns(std::min(kColumns, rectangle_columns)),
        rows(std::min(block_rows(g, columns), rectangle_rows)),
        tiles_a(g.transpose_a && g.n >= kTilingColumns),
        packs_a(!g.transpose_a && pages_apart(g.lda) && g.n >= kPackingColumns),
        packs_b(g.transpose_b ||
                rectangle_rows > (pages_apart(g.ldb) ? kUnpackedRowsOfPages : kUnpackedRows)),
        a_step(packs_a ? depth : g.lda),
        rounds(g.rounded != nullptr) {}

  static bool pages_apart(int64_t step) { return step * int64_t{sizeof(T)} % kPage == 0; }
  int64_t panel() const { return packs_b ? depth * round_up(columns, kVectorColumns<T>) : 0; }
  int64_t block() const { return packs_a || tiles_a ? rows * depth : 0; }
  int64_t sums_row() const { return round_up(columns, kVectorColumns<T>); }
  int64_t buffer() const { return panel() + block() + (rounds ? rows * sums_row() : 0); }
};

/// Rows [i0, i1) and columns [j0, j1) of the result, the work of one thread.
template <class T>
class Rectangle {
 public:
  Rectangle(const Gemm<T>& g, const Blocking<T>& at_once, int64_t i0, int64_t i1, int64_t j0,
            int64_t j1, T* buffer)
      : g_(g),
        at_once_(at_once),
        i0_(i0),
        i1_(i1),
        j0_(j0),
        j1_(j1),
        panel_(buffer),
        block_(panel_ + at_once.panel()),
        sums_(block_ + at_once.block()) {}

  /// @return whether all was done
  bool run() {
    for (int64_t p = 0; p < g_.k && !undone_; p += at_once_.depth) {
      for (int64_t j = j0_; j < j1_ && !undone_; j += at_once_.columns) {
        panel(p, std::min(at_once_.depth, g_.k - p), j, std::min(at_once_.columns, j1_ - j));
      }
    }
    return !undone_;
  }

 private:
  void panel(int64_t p, int64_t depth, int64_t j, int64_t columns) {
    const T* b = g_.b + (g_.transpose_b ? j * g_.ldb + p : p * g_.ldb + j);
    PackedColumns<T> packed(panel_);
    for (int64_t i = i0_; i < i1_; i += at_once_.rows) {
      if (interrupt::asked()) [[unlikely]] {
        undone_ = true;
        return;
      }
      if (i == i0_ && at_once_.packs_b) {
        packed.pack(g_.transpose_b, b, g_.ldb, depth, columns);
      }
      const int64_t rows = std::min(at_once_.rows, i1_ - i);
      const T* a = g_.a + (g_.transpose_a ? p * g_.lda + i : i * g_.lda + p);
      if (at_once_.tiles_a) {
        dense_gemm_kernels().row<T>().pack_tiles(a, g_.lda, rows, depth, block_);
        a = block_;
      } else if (at_once_.packs_a) {
        for (int64_t row = 0; row < rows; ++row) {
          std::copy_n(a + row * g_.lda, depth, block_ + row * at_once_.a_step);
        }
        a = block_;
      }
      Gemm<T> part = {g_.transpose_a,
                      false,
                      rows,
                      columns,
                      depth,
                      g_.alpha,
                      a,
                      at_once_.a_step,
                      b,
                      g_.ldb,
                      p == 0 ? g_.beta : T(1),
                      at_once_.rounds ? sums_ : g_.c + i * g_.ldc + j,
                      at_once_.rounds ? at_once_.sums_row() : g_.ldc};
      part.pairs = g_.pairs;
      part.tiled = at_once_.tiles_a;
      if (p == 0 && g_.start != nullptr) {
        part.start = g_.before(i, j);
        part.start_row = g_.start_row;
      }
      if (at_once_.packs_b) {
        packed.multiply(part);
      } else {
        dense_gemm_kernels().row<T>().product(part);
      }
      for (int64_t row = 0; at_once_.rounds && row < rows; ++row) {
        convert_kernels().convert[TH_FLOAT][TH_BFLOAT16](g_.rounded + (i + row) * g_.ldc + j,
                                                         sums_ + row * part.ldc, columns);
      }
    }
  }

  const Gemm<T>& g_;
  const Blocking<T>& at_once_;
  int64_t i0_, i1_, j0_, j1_;
  T *panel_, *block_, *sums_;
  bool undone_ = false;
};

/// How many rectangles above and beside each other: of all ways to make `parts` of them the one
/// with the least to pack.
struct Grid {
  int64_t down = 1, across = 1;

  Grid(int64_t m, int64_t n, int64_t parts) {
    int64_t least = -1;
    for (int64_t d = 1; d <= parts; ++d) {
      if (parts % d == 0) {
        const int64_t edges = (m + d - 1) / d + (n * d + parts - 1) / parts;
        if (least < 0 || edges < least) {
          least = edges;
          down = d;
          across = parts / d;
        }
      }
    }
  }
};

}  // namespace

namespace {

/// How the result is divided, and what each part packs.
template <class T>
struct Division {
  Grid grid;
  int64_t rows, columns, parts;
  Blocking<T> at_once;
  int64_t each;  // elements of working memory

  Division(const Gemm<T>& g, int64_t slices)
      : grid(g.m, g.n, slices),
        // In whole tiles, so that only the last rectangles have a ragged edge.
        rows(round_up((g.m + grid.down - 1) / grid.down, 6)),
        columns(round_up((g.n + grid.across - 1) / grid.across, kVectorColumns<T>)),
        parts(grid.down * grid.across),
        at_once(g, std::min(rows, g.m), std::min(columns, g.n)),
        each(round_up(at_once.buffer() + kSlack, 64)) {}
};

template <class T>
int64_t slices(const Gemm<T>& g, int64_t team) {
  return std::clamp<int64_t>(g.m * g.n * g.k / kThreadGrain, 1, team);
}

}  // namespace

template <class T>
int64_t blocked_workspace(const Gemm<T>& g, int64_t team) {
  const Division<T> several(g, slices(g, team));
  return std::max(several.parts * several.each, Division<T>(g, 1).each);
}

namespace {

/// For all threads of the share, or, where it has grown or the cuts have moved since the memory was
/// taken, for as many as that is enough for.
template <class T>
Division<T> division_in(const Gemm<T>& g, std::span<T> workspace) {
  for (int64_t parts = slices(g, threads::share());; --parts) {
    const Division<T> d(g, parts);
    if (parts == 1 || d.parts * d.each <= static_cast<int64_t>(workspace.size())) [[likely]] {
      return d;
    }
  }
}

}  // namespace

template <class T>
bool rounds_in_blocks(const Gemm<T>& g) {
  return g.k <= panel_depth(g) && (g.beta == 0 || g.start != nullptr);
}

template <class T>
void blocked_gemm(const Gemm<T>& g, std::span<T> workspace) {
  assert(!g.tiled);
  const Division<T> d = division_in(g, workspace);
  std::atomic<bool> undone = false;
  parallel_items(d.parts, kGrain, [&](int64_t first, int64_t last) {
    for (int64_t part = first; part < last; ++part) {
      const int64_t i = part / d.grid.across * d.rows;
      const int64_t j = part % d.grid.across * d.columns;
      if (i < g.m && j < g.n) {
        const int64_t i1 = std::min(g.m, i + d.rows);
        const int64_t j1 = std::min(g.n, j + d.columns);
        if (!Rectangle<T>(g, d.at_once, i, i1, j, j1, workspace.data() + part * d.each).run()) {
          undone.store(true, std::memory_order_relaxed);
        }
      }
    }
  });
  if (undone.load(std::memory_order_relaxed)) [[unlikely]] {
    interrupt::left_undone();
  }
}

#define TH_INSTANTIATE(T)                                           \
  template int64_t blocked_workspace<T>(const Gemm<T>& g, int64_t); \
  template bool rounds_in_blocks<T>(const Gemm<T>& g);              \
  template void blocked_gemm<T>(const Gemm<T>&, std::span<T>);
TH_INSTANTIATE(float)
TH_INSTANTIATE(double)
#undef TH_INSTANTIATE

}  // namespace th::cpu
