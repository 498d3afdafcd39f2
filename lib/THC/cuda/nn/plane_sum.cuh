// Sums over one plane of all samples of a batch, by a block.
#pragma once

#include <algorithm>

#include "cuda/launch.h"
#include "cuda/nn/grid.h"

namespace thc {

/// N samples of C planes with P elements each.
struct BatchPlanes {
  int64_t N, C, P;
  Grid grid;  // of samples and the elements of a plane

  BatchPlanes(int64_t samples, int64_t planes, int64_t elements)
      : N(samples), C(planes), P(elements), grid(N, 1, P) {}

  TH_HD int64_t count() const { return N * P; }
  /// Where element i of plane c lies, i from all samples.
  TH_HD int64_t offset(int64_t c, int64_t i) const {
    const Grid::Place at = grid(i);
    return (at.plane * C + c) * P + at.column;
  }
  static constexpr int kMostThreads = 768;  // 80 registers for each; 64, with 1024, are too few
  /// Threads of a block for a sum.
  int threads() const {
    const int64_t warps = (count() / 4 + kWarp - 1) / kWarp;
    return static_cast<int>(std::clamp<int64_t>(warps, 1, kMostThreads / kWarp)) * kWarp;
  }
};

struct Plus {
  template <class C>
  TH_HD C operator()(C a, C b) const {
    return a + b;
  }
};

/// The sum of f(offset) over the plane of the block's number, known to all threads; in an order
/// that the sizes fix. There are few planes and so few blocks: each thread keeps four loads in
/// flight.
template <class C, class Block, class F>
TH_D C sum_plane(Block& block, const BatchPlanes& p, const F& f) {
  constexpr int kInFlight = 4;
  const int64_t n = p.count();
  const int64_t step = block.threads();
  C sums[kInFlight] = {};
  int64_t i = block.thread();
  for (; i + (kInFlight - 1) * step < n; i += kInFlight * step) {
    for (int k = 0; k < kInFlight; ++k) {
      sums[k] += f(p.offset(block.index(), i + k * step));
    }
  }
  for (; i < n; i += step) {
    sums[0] += f(p.offset(block.index(), i));
  }
  return block.reduce((sums[0] + sums[1]) + (sums[2] + sums[3]), Plus{});
}

}  // namespace thc
