// Running sums and products along a dimension.
//
// Many lines: a thread each. Few: a line is cut into parts whose totals are made first, so that
// each part knows where it starts; a block then goes through its part tile by tile.
#include <optional>

#include "core/checks/reduce.h"
#include "core/tables/reduce.h"
#include "core/tensor/aliasing.h"
#include "cuda/lines.h"
#include "cuda/reduce/reduce_walk.cuh"
#include "cuda/register.h"

namespace thc {
namespace {

/// The lines of a tensor along a dimension.
template <class W>
struct Line {
  WideElements<W> t;
  OffsetCalculator lines;
  int64_t stride;

  Line(const TH_Tensor& tensor, int dim)
      : t(tensor), lines(lines_along(tensor, dim)), stride(tensor.strides[dim]) {}
  TH_HD int64_t begin(int64_t line) const { return lines.offset(line); }
};

template <class Op, class W>
struct ScanThreads {
  Line<W> x;
  Line<W> r;
  int64_t n;

  TH_HD void operator()(int64_t line) const {
    int64_t from = x.begin(line);
    int64_t to = r.begin(line);
    W total = Op::template identity<W>();
    for (int64_t i = 0; i < n; ++i, from += x.stride, to += r.stride) {
      total = Op::combine(total, x.t.load(from));
      r.t.store(to, total);
    }
  }
};

/// Lines in parts: block b works on part b % parts of line b / parts.
struct ScanShape {
  int64_t n;
  int64_t parts;
  TH_HD int64_t begin(int64_t part) const { return n * part / parts; }
};

template <class Op, class W>
struct PartTotals {
  Line<W> x;
  ScanShape shape;
  W* totals;

  template <class Block>
  TH_D void operator()(Block& block) const {
    const int64_t part = block.index() % shape.parts;
    const int64_t base = x.begin(block.index() / shape.parts);
    W total = Op::template identity<W>();
    for (int64_t i = shape.begin(part) + block.thread(); i < shape.begin(part + 1);
         i += block.threads()) {
      total = Op::combine(total, x.t.load(base + i * x.stride));
    }
    total = block.reduce(total, Fold<Op, W>{0});
    if (block.thread() == 0) {
      totals[block.index()] = total;
    }
  }
};

/// Totals of parts become where the parts start.
template <class Op, class W>
struct PartStarts {
  int64_t parts;
  W* totals;

  TH_HD void operator()(int64_t line) const {
    W start = Op::template identity<W>();
    for (int64_t part = 0; part < parts; ++part) {
      const W total = totals[line * parts + part];
      totals[line * parts + part] = start;
      start = Op::combine(start, total);
    }
  }
};

template <class Op, class W>
struct ScanParts {
  Line<W> x;
  Line<W> r;
  ScanShape shape;
  const W* starts;  // NULL: one part each

  template <class Block>
  TH_D void operator()(Block& block) const {
    const int64_t part = block.index() % shape.parts;
    const int64_t line = block.index() / shape.parts;
    const int64_t from = x.begin(line);
    const int64_t to = r.begin(line);
    const int64_t end = shape.begin(part + 1);
    const int thread = block.thread();
    const int threads = block.threads();
    W* const buffers = block.template shared<W>();  // two, written and read in turn
    int current = 0;
    W start = starts == nullptr ? Op::template identity<W>() : starts[block.index()];
    for (int64_t tile = shape.begin(part); tile < end; tile += threads) {
      const int64_t i = tile + thread;
      W value = i < end ? x.t.load(from + i * x.stride) : Op::template identity<W>();
      current ^= 1;
      buffers[current * threads + thread] = value;
      block.sync();
      for (int distance = 1; distance < threads; distance *= 2) {
        if (thread >= distance) {
          value = Op::combine(buffers[current * threads + thread - distance], value);
        }
        current ^= 1;
        buffers[current * threads + thread] = value;
        block.sync();
      }
      if (i < end) {
        r.t.store(to + i * r.stride, Op::combine(start, value));
      }
      start = Op::combine(start, buffers[current * threads + threads - 1]);
    }
  }
};

template <class Op, class W>
void scan(TH_Tensor& r, const TH_Tensor& x, int dim, W* totals, int64_t lines, int64_t parts) {
  const cudaStream_t stream = stream_for(x);
  const Line<W> from(x, dim);
  const Line<W> to(r, dim);
  const int64_t n = x.sizes[dim];
  if (parts == 0) {
    launch(stream, lines, ScanThreads<Op, W>{from, to, n});
    return;
  }
  const ScanShape shape{n, parts};
  if (totals != nullptr) {
    launch_blocks(stream, lines * parts, kThreads, 0, PartTotals<Op, W>{from, shape, totals});
    launch(stream, lines, PartStarts<Op, W>{parts, totals});
  }
  launch_blocks(stream, lines * parts, kThreads, 2 * kThreads * sizeof(W),
                ScanParts<Op, W>{from, to, shape, totals});
}

/// Parts of each line for a block each; 0: a thread takes a whole line.
int64_t parts_for(const TH_Tensor& x, int dim, int64_t lines) {
  const int64_t n = x.sizes[dim];
  const bool columns = x.strides[dim] > 1;
  if (n < 2 * kWarp || (columns && lines >= 4 * kThreads)) {
    return 0;
  }
  return std::max<int64_t>(1, std::min(detail::kBusyBlocks / lines, n / detail::kBlockWork));
}

template <class Op>
void scan_dim(TH_Tensor* r, const TH_Tensor* x, int dim) {
  TH_CHECK(r != nullptr && x != nullptr, "an operand is missing");
  check_dim(*x, dim);
  check_same_dtype(*r, *x);
  const Tensor source(*x);  // r may be x
  const int64_t lines = numel(source) / source.sizes[dim];
  const int64_t parts = parts_for(source, dim, lines);
  std::optional<Scratch> totals;
  if (parts > 1) {
    totals.emplace(source, lines * parts * int64_t{8});
  }
  Result result(r, sizes_of(source), Result::Any, {&source});
  with_wide(source.dtype, [&]<class W>() {
    scan<Op, W>(result.tensor(), source, dim, totals ? totals->template data<W>() : nullptr, lines,
                parts);
  });
  result.finish();
}

}  // namespace

void register_scan(th::ReduceTable& b) {
  b.cumsum = scan_dim<functors::Sum>;
  b.cumprod = scan_dim<functors::Prod>;
}

}  // namespace thc
