// Copies between tensors whose elements lie side by side along different dimensions, such as a
// matrix and its transpose: tile by tile through shared memory, so that reading and writing both
// move whole lines.
#include <limits>

#include "core/tensor/dimensions.h"
#include "cuda/copy.h"
#include "cuda/launch.h"
#include "cuda/offsets.h"

namespace thc {
namespace {

constexpr int kTile = 32;
constexpr int kRowsAtOnce = 8;

/// Dimension `across` has stride 1 in x, dimension `down` in r; the others are `outer`.
template <class U>
struct CopyTiles {
  U* r;
  const U* x;
  int64_t across;
  int64_t down;
  int64_t r_stride_across;
  int64_t x_stride_down;
  int64_t tiles_across;
  int64_t tiles_down;
  OffsetCalculator r_outer;
  OffsetCalculator x_outer;

  template <class Block>
  TH_D void operator()(Block& block) const {
    U* const tile = block.template shared<U>();  // [down][across], padded against bank conflicts
    int64_t index = block.index();
    const int64_t first_down = index % tiles_down * kTile;
    index /= tiles_down;
    const int64_t first_across = index % tiles_across * kTile;
    index /= tiles_across;
    const U* const from = x + x_outer.offset(index);
    U* const to = r + r_outer.offset(index);
    const int lane = block.thread() % kTile;
    const int row = block.thread() / kTile;
    for (int j = row; j < kTile; j += kRowsAtOnce) {
      const int64_t a = first_across + lane;
      const int64_t d = first_down + j;
      if (a < across && d < down) {
        tile[j * (kTile + 1) + lane] = from[d * x_stride_down + a];
      }
    }
    block.sync();
    for (int j = row; j < kTile; j += kRowsAtOnce) {
      const int64_t a = first_across + j;
      const int64_t d = first_down + lane;
      if (a < across && d < down) {
        to[a * r_stride_across + d] = tile[lane * (kTile + 1) + j];
      }
    }
  }
};

/// The dimensions of a copy, neighbours joined where both tensors allow it.
struct Dimensions {
  int count = 0;
  int64_t sizes[TH_MAX_DIMS];
  int64_t r[TH_MAX_DIMS];
  int64_t x[TH_MAX_DIMS];

  Dimensions(const TH_Tensor& to, const TH_Tensor& from) {
    for (int d = 0; d < to.ndim; ++d) {
      th::join_dimension(count, sizes, to.sizes[d], th::Steps{r, to.strides[d]},
                         th::Steps{x, from.strides[d]});
    }
  }

  /// -1: none.
  int with_unit_stride(const int64_t* strides) const {
    for (int d = 0; d < count; ++d) {
      if (strides[d] == 1) {
        return d;
      }
    }
    return -1;
  }

  void remove(int dimension) {
    --count;
    for (int d = dimension; d < count; ++d) {
      sizes[d] = sizes[d + 1];
      r[d] = r[d + 1];
      x[d] = x[d + 1];
    }
  }
};

}  // namespace

template <class U>
bool copy_transposed(TH_Tensor& r, const TH_Tensor& x, cudaStream_t stream) {
  if (!same_sizes(r, x)) {
    return false;
  }
  Dimensions rest(r, x);
  const int across = rest.with_unit_stride(rest.x);
  const int down = rest.with_unit_stride(rest.r);
  // A tile that is mostly empty costs more than it saves.
  if (across < 0 || down < 0 || across == down || rest.sizes[across] < kTile / 2 ||
      rest.sizes[down] < kTile / 2) {
    return false;
  }
  const auto tiles = [](int64_t size) { return (size + kTile - 1) / kTile; };
  const int64_t size_across = rest.sizes[across];
  const int64_t size_down = rest.sizes[down];
  const int64_t r_stride_across = rest.r[across];
  const int64_t x_stride_down = rest.x[down];
  rest.remove(across > down ? across : down);
  rest.remove(across > down ? down : across);
  const int64_t outer = numel(r) / (size_across * size_down);
  const int64_t blocks = outer * tiles(size_across) * tiles(size_down);
  if (blocks > std::numeric_limits<int32_t>::max()) {
    return false;
  }
  launch_blocks(stream, blocks, kTile * kRowsAtOnce, sizeof(U) * kTile * (kTile + 1),
                CopyTiles<U>{data<U>(r), data<U>(x), size_across, size_down, r_stride_across,
                             x_stride_down, tiles(size_across), tiles(size_down),
                             OffsetCalculator(rest.count, rest.sizes, rest.r),
                             OffsetCalculator(rest.count, rest.sizes, rest.x)});
  return true;
}

template bool copy_transposed<uint8_t>(TH_Tensor&, const TH_Tensor&, cudaStream_t);
template bool copy_transposed<uint16_t>(TH_Tensor&, const TH_Tensor&, cudaStream_t);
template bool copy_transposed<uint32_t>(TH_Tensor&, const TH_Tensor&, cudaStream_t);
template bool copy_transposed<uint64_t>(TH_Tensor&, const TH_Tensor&, cudaStream_t);

}  // namespace thc
