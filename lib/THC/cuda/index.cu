// Reading and writing at positions along a dimension:
//     at[..., positions[...] - 1, ...]  <->  other[..., i, ...]
// index_* have one position per step along the dimension, gather and scatter one per element.
//
// Where a position comes twice the last one wins, and sums are made in the order of the positions,
// as on the CPU, whatever order threads run in.
#include "core/checks_index.h"
#include "cpu/aliasing.h"
#include "cpu/element_size.h"
#include "cuda/element_bits.h"
#include "cuda/fill_backend.h"
#include "cuda/first.h"
#include "cuda/layout.h"
#include "cuda/sort_pairs.h"

namespace thc {
namespace {

using th::cpu::clone;
using th::cpu::Result;
using th::cpu::unaliased;
using th::cpu::with_size;

// --- checks -------------------------------------------------------------------------------------

struct OutOfRange {
  const int64_t* positions;
  int64_t size;
  TH_HD bool operator()(int64_t i) const { return positions[i] < 1 || positions[i] > size; }
};

/// Every position lies within dimension `dim` of t. Before anything is written; waits.
void check_range(const Tensor& positions, const TH_Tensor& t, int dim) {
  const int64_t n = numel(positions);
  const int64_t bad =
      first_where(positions, n, OutOfRange{data<int64_t>(positions), t.sizes[dim]});
  if (bad >= 0) [[unlikely]] {
    const int64_t position = fetch(data<int64_t>(positions) + bad, stream_for(positions));
    position_out_of_range(bad, n, position, t, dim);
  }
}

// --- kernels ------------------------------------------------------------------------------------

/// Sizes of what is walked, with strides of a tensor but 0 along the dimension.
Layout across(std::span<const int64_t> shape, int dim, const int64_t* strides) {
  int64_t rest[TH_MAX_DIMS];
  for (int d = 0; d < static_cast<int>(shape.size()); ++d) {
    rest[d] = d == dim ? 0 : strides[d];
  }
  return Layout(static_cast<int>(shape.size()), shape.data(), rest);
}

Layout along(std::span<const int64_t> shape, const int64_t* strides) {
  return Layout(static_cast<int>(shape.size()), shape.data(), strides);
}

/// Strides of a vector of positions as if it had `dim` among a tensor's dimensions.
struct VectorStrides {
  int64_t values[TH_MAX_DIMS] = {};
  explicit VectorStrides(int dim) { values[dim] = 1; }
};

/// The element of `at` that belongs to the i-th of what is walked.
template <class U>
struct Place {
  U* at;
  Layout rest;
  int64_t stride;  // along the dimension
  const int64_t* positions;
  Layout positions_layout;

  TH_HD int64_t position(int64_t i) const { return positions[positions_layout.offset(i)] - 1; }
  TH_HD U& operator()(int64_t i) const { return at[rest.offset(i) + position(i) * stride]; }
};

template <class U>
struct GatherKernel {
  Place<U> place;
  U* other;
  Layout layout;
  TH_HD void operator()(int64_t i) const { other[layout.offset(i)] = place(i); }
};

template <class U>
struct FillKernel {
  Place<U> place;
  U value;
  TH_HD void operator()(int64_t i) const { place(i) = value; }
};

template <class U>
Place<U> place_in(const TH_Tensor& at,
                  int dim,
                  std::span<const int64_t> shape,
                  const Tensor& positions,
                  const int64_t* position_strides) {
  return {data<U>(at),
          across(shape, dim, at.strides),
          at.strides[dim],
          data<int64_t>(positions),
          along(shape, position_strides)};
}

int64_t count(std::span<const int64_t> shape) {
  int64_t n = 1;
  for (int64_t size : shape) {
    n *= size;
  }
  return n;
}

// --- results of their own: index, gather ----------------------------------------------------------

void gather_into(TH_Tensor* r,
                 const Tensor& x,
                 int dim,
                 std::span<const int64_t> shape,
                 const Tensor& p,
                 const int64_t* position_strides) {
  check_same_dtype(*r, x);
  Result result(r, shape, Result::Any, {&x, &p});
  TH_Tensor& to = result.tensor();
  with_size(element_size(to.dtype), [&]<class U>() {
    launch(stream_for(to),
           numel(to),
           GatherKernel<U>{
               place_in<U>(x, dim, shape, p, position_strides), data<U>(to), Layout(to)});
  });
  result.finish();
}

void index(TH_Tensor* r, const TH_Tensor* x, int dim, const TH_Tensor* positions) {
  TH_CHECK(r != nullptr, "the result is missing");
  check_defined(x, "the tensor");
  check_dim(*x, dim);
  const Tensor p = checked_vector(positions);
  check_range(p, *x, dim);
  const Tensor source(*x);  // r may be x
  int64_t sizes[TH_MAX_DIMS];
  std::copy_n(x->sizes, x->ndim, sizes);
  sizes[dim] = p.sizes[0];
  gather_into(r,
              source,
              dim,
              {sizes, static_cast<size_t>(source.ndim)},
              p,
              VectorStrides(dim).values);
}

void gather(TH_Tensor* r, const TH_Tensor* x, int dim, const TH_Tensor* positions) {
  TH_CHECK(r != nullptr, "the result is missing");
  check_defined(x, "the tensor");
  check_dim(*x, dim);
  const Tensor p = checked_positions(positions);
  check_same_but(*x, p, dim, "the tensor", "the tensor of positions");
  check_range(p, *x, dim);
  gather_into(r, Tensor(*x), dim, sizes_of(p), p, p.strides);
}

// --- writing slices: index_copy, index_add, index_fill --------------------------------------------

/// The positions of an operation that writes into r, checked, and not about to be overwritten.
Tensor positions_into(const TH_Tensor* r, int dim, const TH_Tensor* positions) {
  check_defined(r, "the tensor");
  check_dim(*r, dim);
  const Tensor p = checked_vector(positions);
  check_range(p, *r, dim);
  return unaliased(p, *r);
}

/// x with r's sizes, but n along dim. The slices of x may have another shape with the same number
/// of elements; they are rearranged then.
Tensor slices_like(const TH_Tensor& r, int dim, int64_t n, const TH_Tensor& x) {
  check_slices(r, dim, n, x);
  Tensor source = unaliased(x, r);
  int64_t sizes[TH_MAX_DIMS];
  std::copy_n(r.sizes, r.ndim, sizes);
  sizes[dim] = n;
  if (std::equal(sizes, sizes + r.ndim, source.sizes, source.sizes + source.ndim)) {
    return source;
  }
  // Slice after slice in memory, then the same memory with r's other sizes behind `dim`.
  const auto dim_first = [dim](const TH_Tensor& t) {
    int64_t order[TH_MAX_DIMS] = {dim};
    for (int d = 0, k = 1; d < t.ndim; ++d) {
      if (d != dim) {
        order[k++] = d;
      }
    }
    Tensor moved;
    permute(moved, t, {order, static_cast<size_t>(t.ndim)});
    return moved;
  };
  const Tensor slices = contiguous(dim_first(source));
  int64_t wanted[TH_MAX_DIMS] = {n};
  for (int d = 0, k = 1; d < r.ndim; ++d) {
    if (d != dim) {
      wanted[k++] = sizes[d];
    }
  }
  Tensor arranged;
  view(arranged, slices, {wanted, static_cast<size_t>(r.ndim)});
  int64_t back[TH_MAX_DIMS];
  for (int d = 0; d < r.ndim; ++d) {
    back[d] = d == dim ? 0 : d < dim ? d + 1 : d;
  }
  permute(arranged, arranged, {back, static_cast<size_t>(r.ndim)});
  return arranged;
}

struct KeysOfPositions {
  const int64_t* positions;
  uint64_t* keys;
  int64_t* steps;
  TH_HD void operator()(int64_t i) const {
    keys[i] = static_cast<uint64_t>(positions[i]);
    steps[i] = i;
  }
};

/// Positions in ascending order with their steps: those of one position follow one another.
class SortedPositions {
 public:
  explicit SortedPositions(const Tensor& positions)
      : n_(numel(positions)), scratch_(positions, n_ * 16) {
    const cudaStream_t stream = stream_for(positions);
    launch(stream, n_, KeysOfPositions{data<int64_t>(positions), keys(), steps()});
    sort_pairs(stream, keys(), steps(), n_);
  }
  uint64_t* keys() const { return scratch_.data<uint64_t>(); }
  int64_t* steps() const { return scratch_.data<int64_t>() + n_; }

 private:
  int64_t n_;
  Scratch scratch_;
};

/// All steps that write to one position of r, by the thread of the first of them.
template <class T, bool kAdd>
struct WriteSlices {
  T* r;
  const T* x;
  Layout r_rest;  // over the other dimensions
  Layout x_rest;
  int64_t r_stride;  // along the dimension
  int64_t x_stride;
  int64_t n;
  int64_t rest;  // elements of a slice
  const uint64_t* keys;
  const int64_t* steps;

  TH_HD void operator()(int64_t i) const {
    const int64_t first = i / rest;
    const uint64_t key = keys[first];
    if (first > 0 && keys[first - 1] == key) {
      return;
    }
    const int64_t element = i % rest;
    T& to = r[r_rest.offset(element) + (static_cast<int64_t>(key) - 1) * r_stride];
    const T* from = x + x_rest.offset(element);
    if constexpr (kAdd) {
      T sum = to;
      for (int64_t k = first; k < n && keys[k] == key; ++k) {
        sum = convert<T>(static_cast<Compute<T>>(wrapping(widen(sum)) +
                                                 wrapping(widen(from[steps[k] * x_stride]))));
      }
      to = sum;
    } else {
      int64_t last = first;
      while (last + 1 < n && keys[last + 1] == key) {
        ++last;
      }
      to = from[steps[last] * x_stride];
    }
  }
};

template <class T, bool kAdd>
void write_slices(TH_Tensor& r, int dim, const Tensor& x, const SortedPositions& order, int64_t n) {
  int64_t sizes[TH_MAX_DIMS];
  std::copy_n(r.sizes, r.ndim, sizes);
  sizes[dim] = 1;
  const std::span<const int64_t> slice(sizes, static_cast<size_t>(r.ndim));
  const int64_t rest = count(slice);
  launch(stream_for(r),
         n * rest,
         WriteSlices<T, kAdd>{data<T>(r),
                              data<T>(x),
                              along(slice, r.strides),
                              along(slice, x.strides),
                              r.strides[dim],
                              x.strides[dim],
                              n,
                              rest,
                              order.keys(),
                              order.steps()});
}

void index_copy(TH_Tensor* r, int dim, const TH_Tensor* positions, const TH_Tensor* x) {
  const Tensor p = positions_into(r, dim, positions);
  check_defined(x, "the source");
  const Tensor source = slices_like(*r, dim, p.sizes[0], *x);
  const SortedPositions order(p);
  with_size(element_size(r->dtype), [&]<class U>() {
    write_slices<U, false>(*r, dim, source, order, p.sizes[0]);
  });
}

void index_add(TH_Tensor* r, int dim, const TH_Tensor* positions, const TH_Tensor* x) {
  const Tensor p = positions_into(r, dim, positions);
  check_defined(x, "the source");
  const Tensor source = slices_like(*r, dim, p.sizes[0], *x);
  const SortedPositions order(p);
  AllTypes::dispatch(r->dtype, [&]<class T>() {
    write_slices<T, true>(*r, dim, source, order, p.sizes[0]);
  });
}

void fill_at(TH_Tensor& r,
             int dim,
             std::span<const int64_t> shape,
             const Tensor& p,
             const int64_t* position_strides,
             double value) {
  const uint64_t bits = element_bits(r.dtype, value);
  with_size(element_size(r.dtype), [&]<class U>() {
    launch(stream_for(r),
           count(shape),
           FillKernel<U>{place_in<U>(r, dim, shape, p, position_strides), static_cast<U>(bits)});
  });
}

void index_fill(TH_Tensor* r, int dim, const TH_Tensor* positions, double value) {
  const Tensor p = positions_into(r, dim, positions);
  int64_t sizes[TH_MAX_DIMS];
  std::copy_n(r->sizes, r->ndim, sizes);
  sizes[dim] = p.sizes[0];
  fill_at(*r,
          dim,
          {sizes, static_cast<size_t>(r->ndim)},
          p,
          VectorStrides(dim).values,
          value);
}

// --- writing elements: scatter --------------------------------------------------------------------

Tensor scatter_positions(const TH_Tensor* r, int dim, const TH_Tensor* positions) {
  check_defined(r, "the tensor");
  check_dim(*r, dim);
  const Tensor p = checked_positions(positions);
  check_same_but(*r, p, dim, "the tensor", "the tensor of positions");
  check_range(p, *r, dim);
  return unaliased(p, *r);
}

/// A thread goes along the dimension.
template <class U>
struct ScatterLines {
  U* r;
  const U* x;
  const int64_t* positions;
  Layout r_lines, x_lines, p_lines;
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
  int64_t size;         // of r along the dimension
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
  Layout x_layout;
  TH_HD void operator()(int64_t i) const {
    if (last.slot(i) == last.n - 1 - last.step(i)) {
      place(i) = x[x_layout.offset(i)];
    }
  }
};

void scatter_lines(TH_Tensor& r, int dim, const Tensor& p, const Tensor& x, int64_t lines) {
  int64_t sizes[TH_MAX_DIMS];
  std::copy_n(p.sizes, p.ndim, sizes);
  sizes[dim] = 1;
  const std::span<const int64_t> shape(sizes, static_cast<size_t>(p.ndim));
  with_size(element_size(r.dtype), [&]<class U>() {
    launch(stream_for(r),
           lines,
           ScatterLines<U>{data<U>(r),
                           data<U>(x),
                           data<int64_t>(p),
                           along(shape, r.strides),
                           along(shape, x.strides),
                           along(shape, p.strides),
                           r.strides[dim],
                           x.strides[dim],
                           p.strides[dim],
                           p.sizes[dim]});
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
  const LastSteps last{data<int64_t>(p),
                       inner,
                       p.sizes[dim],
                       r.sizes[dim],
                       remaining.data<int64_t>()};
  launch(stream, numel(p), last);
  with_size(element_size(r.dtype), [&]<class U>() {
    launch(stream,
           numel(p),
           ScatterLast<U>{last,
                          place_in<U>(r, dim, sizes_of(p), p, p.strides),
                          data<U>(x),
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

void scatter_value(TH_Tensor* r, int dim, const TH_Tensor* positions, double value) {
  const Tensor p = scatter_positions(r, dim, positions);
  fill_at(*r, dim, sizes_of(p), p, p.strides, value);
}

}  // namespace

void fill_index(Backend& b) {
  b.index = index;
  b.index_copy = index_copy;
  b.index_add = index_add;
  b.index_fill = index_fill;
  b.gather = gather;
  b.scatter = scatter;
  b.scatter_value = scatter_value;
}

}  // namespace thc
