// How reductions go through a tensor: `n` elements for each of `results` results, by one thread or
// one block per result, or by several when results are few. The grouping depends on the shape
// alone, so that a sum is the same number every time and on every device.
#pragma once

#include <algorithm>
#include <optional>

#include "core/memory/allocator.h"
#include "cuda/launch.h"
#include "cuda/reduce/reduce_operations.h"
#include "cuda/wide_elements.h"

namespace thc {

namespace detail {

/// Elements of x by result and position within it.
template <class Op>
struct ReduceSource {
  using W = typename Op::W;
  using Acc = typename Op::Acc;

  WideElements<W> x;
  OffsetCalculator outer;
  OffsetCalculator inner;
  Op op;

  template <class T>
  TH_HD Acc range_of(int64_t result, int64_t begin, int64_t end, int64_t step) const {
    const T* from = x.template as<const T>() + outer.offset(result);
    Acc acc = op.identity();
    if (inner.ndim <= 1) {
      const int64_t stride = inner.ndim == 0 ? 0 : inner.strides[0];
      for (int64_t i = begin; i < end; i += step) {
        acc = op.take(acc, static_cast<W>(widen(from[i * stride])), i);
      }
    } else {
      for (int64_t i = begin; i < end; i += step) {
        acc = op.take(acc, static_cast<W>(widen(from[inner.offset(i)])), i);
      }
    }
    return acc;
  }

  /// The elements begin, begin + step, ... below end.
  TH_HD Acc range(int64_t result, int64_t begin, int64_t end, int64_t step) const {
    switch (x.dtype) {
#define TH_DTYPE(TAG, NAME, ELEMENT, C, FIELD, KIND, COMPUTED)            \
  case TAG:                                                               \
    if constexpr (std::is_integral_v<ELEMENT> == std::is_integral_v<W>) { \
      return range_of<ELEMENT>(result, begin, end, step);                 \
    }                                                                     \
    break;
#include "ops/dtypes.def"
#undef TH_DTYPE
      default:
        break;
    }
    return op.identity();
  }
};

/// Where results go.
template <class Op>
struct ReduceTarget {
  using W = typename Op::W;
  using Acc = typename Op::Acc;

  WideElements<W> r;
  OffsetCalculator layout;
  int64_t* positions;  // or NULL
  OffsetCalculator positions_layout;
  Finish kind;
  double n;
  double p;

  TH_HD void store(int64_t result, Acc acc) const {
    r.store(layout.offset(result), finish(kind, Op::value(acc), n, p));
    if (positions != nullptr) {
      positions[positions_layout.offset(result)] = Op::position(acc) + 1;
    }
  }
};

struct ReduceShape {
  int64_t results;
  int64_t n;
  int64_t parts;  // of the n elements
  TH_HD int64_t begin(int64_t part) const { return n * part / parts; }
};

/// One thread per result and part; neighbouring threads have neighbouring results.
template <class Op>
struct ThreadReduce {
  using Acc = typename Op::Acc;
  ReduceSource<Op> source;
  ReduceTarget<Op> target;
  ReduceShape shape;
  Acc* partials;

  TH_HD void operator()(int64_t i) const {
    const int64_t result = i % shape.results;
    const int64_t part = i / shape.results;
    const Acc acc = source.range(result, shape.begin(part), shape.begin(part + 1), 1);
    if (partials != nullptr) {
      partials[i] = acc;
    } else {
      target.store(result, acc);
    }
  }
};

/// One block per result and part.
template <class Op>
struct BlockReduce {
  using Acc = typename Op::Acc;
  ReduceSource<Op> source;
  ReduceTarget<Op> target;
  ReduceShape shape;
  Acc* partials;

  template <class Block>
  TH_D void operator()(Block& block) const {
    const int64_t result = block.index() % shape.results;
    const int64_t part = block.index() / shape.results;
    Acc acc = source.range(result, shape.begin(part) + block.thread(), shape.begin(part + 1),
                           block.threads());
    acc = block.reduce(acc, source.op);
    if (block.thread() == 0) {
      if (partials != nullptr) {
        partials[block.index()] = acc;
      } else {
        target.store(result, acc);
      }
    }
  }
};

/// The parts of a result, one block per result.
template <class Op>
struct CombineParts {
  using Acc = typename Op::Acc;
  Op op;
  ReduceTarget<Op> target;
  ReduceShape shape;
  const Acc* partials;

  template <class Block>
  TH_D void operator()(Block& block) const {
    Acc acc = op.identity();
    for (int64_t part = block.thread(); part < shape.parts; part += block.threads()) {
      acc = op(acc, partials[part * shape.results + block.index()]);
    }
    acc = block.reduce(acc, op);
    if (block.thread() == 0) {
      target.store(block.index(), acc);
    }
  }
};

/// Threads that keep a device busy, and the blocks.
inline constexpr int64_t kBusyThreads = 65536;
inline constexpr int64_t kBusyBlocks = 512;
/// Elements that are worth a thread, or a block.
inline constexpr int64_t kThreadWork = 64;
inline constexpr int64_t kBlockWork = 4096;

/// Whether neighbours in memory belong to different results.
inline bool reduces_columns(const OffsetCalculator& outer, const OffsetCalculator& inner) {
  return outer.ndim > 0 && inner.ndim == 1 && outer.sizes[outer.ndim - 1] >= kWarp &&
         outer.strides[outer.ndim - 1] < inner.strides[0];
}

}  // namespace detail

/// A reduction about to be made: allocates what it needs, then runs.
template <class Op>
class ReducePlan {
 public:
  using Acc = typename Op::Acc;

  ReducePlan(const TH_Tensor& x, const OffsetCalculator& outer, const OffsetCalculator& inner,
             int64_t results, Op op)
      : stream_(stream_for(x)),
        source_{WideElements<typename Op::W>(x), outer, inner, op},
        shape_{results, numel(x) / results, 1} {
    by_threads_ = shape_.n < kWarp * 2 || detail::reduces_columns(outer, inner);
    const int64_t wanted =
        by_threads_ ? detail::kBusyThreads / results : detail::kBusyBlocks / results;
    const int64_t worth = shape_.n / (by_threads_ ? detail::kThreadWork : detail::kBlockWork);
    shape_.parts = std::max<int64_t>(1, std::min(wanted, worth));
    if (shape_.parts > 1) {
      partials_.emplace(x, shape_.parts * results * static_cast<int64_t>(sizeof(Acc)));
    }
  }

  int64_t n() const { return shape_.n; }

  void run(const detail::ReduceTarget<Op>& target) const {
    Acc* const partials = partials_ ? partials_->template data<Acc>() : nullptr;
    const int64_t tasks = shape_.results * shape_.parts;
    if (by_threads_) {
      launch(stream_, tasks, detail::ThreadReduce<Op>{source_, target, shape_, partials});
    } else {
      launch_blocks(stream_, tasks, kThreads, 0,
                    detail::BlockReduce<Op>{source_, target, shape_, partials});
    }
    if (partials != nullptr) {
      launch_blocks(stream_, shape_.results, shape_.parts <= 2 * kWarp ? kWarp : 4 * kWarp, 0,
                    detail::CombineParts<Op>{source_.op, target, shape_, partials});
    }
  }

 private:
  cudaStream_t stream_;
  detail::ReduceSource<Op> source_;
  detail::ReduceShape shape_;
  bool by_threads_;
  std::optional<Scratch> partials_;
};

/// All elements of x, which has some, in the order of memory; waits for the number.
template <class Op>
typename Op::W reduce_all(const TH_Tensor& x, Op op) {
  using W = typename Op::W;
  int order[TH_MAX_DIMS];
  for (int d = 0; d < x.ndim; ++d) {
    order[d] = d;
  }
  std::stable_sort(order, order + x.ndim,
                   [&](int a, int b) { return x.strides[a] > x.strides[b]; });
  int64_t sizes[TH_MAX_DIMS];
  int64_t strides[TH_MAX_DIMS];
  for (int d = 0; d < x.ndim; ++d) {
    sizes[d] = x.sizes[order[d]];
    strides[d] = x.strides[order[d]];
  }
  const ReducePlan<Op> plan(x, OffsetCalculator(), OffsetCalculator(x.ndim, sizes, strides), 1, op);
  const Scratch value(x, sizeof(W));
  detail::ReduceTarget<Op> target{};
  target.r.base = value.data<char>();
  target.r.dtype = std::is_integral_v<W> ? TH_LONG : TH_DOUBLE;
  plan.run(target);
  return fetch(value.data<W>(), stream_for(x));
}

}  // namespace thc
