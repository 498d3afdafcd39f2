// Histograms with bins of equal width.
#include <algorithm>
#include <utility>

#include "core/backend.h"
#include "core/checks/signal.h"
#include "core/tables/signal.h"
#include "core/tensor/aliasing.h"
#include "cuda/atomics.h"
#include "cuda/launch.h"
#include "cuda/offsets.h"
#include "cuda/register.h"

namespace thc {
namespace {

/// Up to so many bins a block counts in shared memory first.
constexpr int64_t kSharedBins = 4096;
/// Elements that are worth a block.
constexpr int64_t kCountPiece = 8192;
constexpr int64_t kCountBlocks = 1024;

/// Blocks share the elements of a row.
template <class C>
struct Count {
  Elements<C> x;
  HistogramRange<C> range;
  int64_t columns, pieces, bins;
  int64_t* totals;

  template <class Block>
  TH_D void operator()(Block& block) const {
    const int64_t row = block.index() / pieces;
    const int64_t piece = block.index() % pieces;
    const int64_t begin = row * columns + columns * piece / pieces;
    const int64_t end = row * columns + columns * (piece + 1) / pieces;
    int64_t* const row_totals = totals + row * bins;
    if (bins > kSharedBins) {
      for (int64_t i = begin + block.thread(); i < end; i += block.threads()) {
        const int64_t bin = range.bin(x.load(i), bins);
        if (bin >= 0) {
          atomic_add(row_totals + bin, int64_t{1});
        }
      }
      return;
    }
    int64_t* const own = block.template shared<int64_t>();
    for (int64_t b = block.thread(); b < bins; b += block.threads()) {
      own[b] = 0;
    }
    block.sync();
    for (int64_t i = begin + block.thread(); i < end; i += block.threads()) {
      const int64_t bin = range.bin(x.load(i), bins);
      if (bin >= 0) {
        atomic_add(own + bin, int64_t{1});
      }
    }
    block.sync();
    for (int64_t b = block.thread(); b < bins; b += block.threads()) {
      if (own[b] != 0) {
        atomic_add(row_totals + b, own[b]);
      }
    }
  }
};

template <bool ByRow>
void histogram(TH_Tensor* r, const TH_Tensor* x, int64_t bins, double min, double max) {
  const HistogramSizes s = check_histogram(r, x, bins, min, max, ByRow);
  const int64_t rows = s.rows;
  const int64_t columns = s.columns;
  const Tensor source(*x);  // r may be x
  const int64_t sizes[] = {rows, bins};
  const auto shape = std::span(sizes).last(ByRow ? 2 : 1);
  const Tensor totals = Tensor::like(source, TH_LONG, shape);
  const cudaStream_t stream = stream_for(source);
  const int64_t most = std::max<int64_t>(1, kCountBlocks / rows);
  const int64_t pieces = std::clamp<int64_t>(columns / kCountPiece, 1, most);
  th::RealTypes::dispatch(compute_dtype(source.dtype), [&]<class C>() {
    const HistogramRange<C> range(min, max, [&] {
      const th::Backend& cuda = th::backend(TH_CUDA);
      double low = 0;
      double high = 0;
      cuda.min_all(&low, &source);  // a NaN is its own minimum
      cuda.max_all(&high, &source);
      return std::pair(static_cast<C>(low), static_cast<C>(high));
    });
    const auto bytes = static_cast<size_t>(rows * bins) * sizeof(int64_t);
    THC_CHECK(cudaMemsetAsync(data<int64_t>(totals), 0, bytes, stream));
    const size_t shared = bins > kSharedBins ? 0 : static_cast<size_t>(bins) * sizeof(int64_t);
    launch_blocks(
        stream, rows * pieces, kThreads, shared,
        Count<C>{Elements<C>(source), range, columns, pieces, bins, data<int64_t>(totals)});
  });
  resize(*r, shape);
  copy(*r, totals);
}

}  // namespace

void register_histogram(th::SignalTable& b) {
  b.histc = histogram<false>;
  b.bhistc = histogram<true>;
}

}  // namespace thc
