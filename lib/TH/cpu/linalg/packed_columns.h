// The right operand of several products, in strips of columns as wide as the kernel's tile.
#pragma once

#include <algorithm>
#include <cassert>

#include "cpu/kernels/linalg/dense_gemm.h"
#include "cpu/work_buffers.h"

namespace th::cpu {

template <class T>
constexpr int64_t kVectorColumns = kVector * 4 / int64_t{sizeof(T)};

/// B, k x n, in memory of somebody else's.
template <class T>
class PackedColumns {
 public:
  static constexpr int64_t kDepth = 256;  // of a strip that a first-level cache holds

  /// Elements of memory.
  static int64_t size(int64_t k, int64_t n) { return k * round_up(n, kVectorColumns<T>); }

  explicit PackedColumns(T* memory) : memory_(memory) {}

  /// B(p, j) is b[p * step + j], or b[j * step + p] where what lies there is B'.
  void pack(bool transposed, const T* b, int64_t step, int64_t k, int64_t n) {
    k_ = k;
    n_ = n;
    const auto& kernels = dense_gemm_kernels().row<T>();
    for (int64_t s = 0, width; s < n; s += width) {
      width = kernels.strip(n - s);
      // Rows lie no further apart: a tile's would crowd in a few sets of a first-level cache.
      kernels.pack(transposed, b + s * (transposed ? step : 1), step, k, width, memory_ + s * k,
                   round_up(width, kernels.vector));
    }
  }

  /// C = beta C + alpha op(A) B, of B the first g.k rows and g.n columns; on this thread.
  void multiply(const Gemm<T>& g) const {
    assert(!g.tiled || g.k <= kDepth);  // a part of the depth is not next to each other in tiles
    const auto& kernels = dense_gemm_kernels().row<T>();
    int64_t p = 0;
    do {
      Gemm<T> part = g;
      part.k = std::min(kDepth, g.k - p);
      part.a += p * (g.transpose_a ? g.lda : 1);
      part.beta = p == 0 ? g.beta : T(1);
      for (int64_t s = 0, width; s < g.n; s += width) {
        width = kernels.strip(n_ - s);
        part.n = std::min(width, g.n - s);
        part.ldb = round_up(width, kernels.vector);
        part.b = memory_ + s * k_ + p * part.ldb;
        part.c = g.c + s;
        part.start = p == 0 && g.start != nullptr ? g.start + s : nullptr;
        kernels.product(part);
      }
      p += kDepth;
    } while (p < g.k);
  }

 private:
  T* memory_;
  int64_t k_ = 0, n_ = 0;
};

}  // namespace th::cpu
