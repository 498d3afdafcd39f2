// Elements written at a position each. Where a position comes twice the last one wins, as on the
// CPU, whatever order threads run in.
#include "core/tables/index.h"
#include "core/tensor/element_size.h"
#include "core/tensor/sizes_with.h"
#include "cuda/index/index_place.h"
#include "cuda/register.h"

namespace thc {
namespace {

/// A thread goes along the dimension.
template <class U>
struct ScatterLines {
  U* r;
  const U* x;
  const int64_t* positions;
  OffsetCalculator r_lines, x_lines, p_lines;
  int64_t r_stride, x_stride, p_stride;
  int64_t n;

  TH_HD void operator()(int64_t line) const {
    U* const to = r + r_lines.offset(line);
    const U* from = x + x_lines.offset(line);
    const int64_t* p = positions + p_lines.offset(line);
    for (int64_t i = 0; i < n; ++i) {
      to[(p[i * p_stride] - 1) * r_stride] = from[i * x_stride];
    }
  }
};

/// Where few threads would have long ways to go: every element of r finds out first which step
/// writes to it last.
struct LastSteps {
  const int64_t* positions;
  int64_t inner;  // elements behind the dimension
  int64_t n;
  int64_t size;        // of r along the dimension
  int64_t* remaining;  // lines x size: steps after the last one

  TH_HD int64_t step(int64_t i) const { return i / inner % n; }
  TH_HD int64_t& slot(int64_t i) const {
    const int64_t line = i / (inner * n) * inner + i % inner;
    return remaining[line * size + positions[i] - 1];
  }
  TH_HD void operator()(int64_t i) const { atomic_min(&slot(i), n - 1 - step(i)); }
};

template <class U>
struct ScatterLast {
  LastSteps last;
  Place<U> place;
  const U* x;
  OffsetCalculator x_layout;
  TH_HD void operator()(int64_t i) const {
    if (last.slot(i) == last.n - 1 - last.step(i)) {
      place(i) = x[x_layout.offset(i)];
    }
  }
};

void scatter_lines(TH_Tensor& r, int dim, const Tensor& p, const Tensor& x, int64_t lines) {
  const SizesWith shape(p, dim, 1);
  with_size(element_size(r.dtype), [&]<class U>() {
    launch(stream_for(r), lines,
           ScatterLines<U>{data<U>(r), data<U>(x), data<int64_t>(p), along(shape, r.strides),
                           along(shape, x.strides), along(shape, p.strides), r.strides[dim],
                           x.strides[dim], p.strides[dim], p.sizes[dim]});
  });
}

void scatter_last(TH_Tensor& r, int dim, const Tensor& p, const Tensor& x) {
  const cudaStream_t stream = stream_for(r);
  int64_t inner = 1;
  for (int d = dim + 1; d < p.ndim; ++d) {
    inner *= p.sizes[d];
  }
  const int64_t bytes = numel(r) * int64_t{8};
  const Scratch remaining(r, bytes);
  THC_CHECK(cudaMemsetAsync(remaining.data<char>(), 0x7f, static_cast<size_t>(bytes), stream));
  const LastSteps last{data<int64_t>(p), inner, p.sizes[dim], r.sizes[dim],
                       remaining.data<int64_t>()};
  launch(stream, numel(p), last);
  with_size(element_size(r.dtype), [&]<class U>() {
    launch(stream, numel(p),
           ScatterLast<U>{last, place_in<U>(r, dim, sizes_of(p), p, p.strides), data<U>(x),
                          along(sizes_of(p), x.strides)});
  });
}

void scatter(TH_Tensor* r, int dim, const TH_Tensor* positions, const TH_Tensor* x) {
  const Tensor p = scatter_positions(r, dim, positions);
  check_scattered(*r, dim, p, x);
  const Tensor source = unaliased(*x, *r);
  const int64_t lines = numel(p) / p.sizes[dim];
  if (p.sizes[dim] <= 4 || lines >= 4096) {
    scatter_lines(*r, dim, p, source, lines);
  } else {
    scatter_last(*r, dim, p, source);
  }
}

}  // namespace

void register_scatter(th::IndexTable& b) { b.scatter = scatter; }

}  // namespace thc
