// Reading and writing at positions along a dimension: checks, results, and which way elements go.
// index_* have one position per step along the dimension, gather and scatter one per element.
#include "core/tables/index.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <numeric>
#include <vector>

#include "core/checks/index.h"
#include "core/tensor/aliasing.h"
#include "core/tensor/dtype.h"
#include "core/tensor/element_size.h"
#include "core/tensor/sizes_with.h"
#include "core/tensor/tensor.h"
#include "cpu/index/index_walk.h"
#include "cpu/kernels/index.h"
#include "cpu/parallel.h"
#include "cpu/register.h"
#include "cpu/select.h"

namespace th::cpu {

const IndexKernels& index_kernels() {
  static const IndexKernels table = select_kernels<IndexKernels>();
  return table;
}

namespace {

// --- checks -------------------------------------------------------------------------------------

/// Every position lies within dimension `dim` of t. To be called before anything is written.
void check_range(const Tensor& positions, const TH_Tensor& t, int dim) {
  const int64_t* p = data<int64_t>(positions);
  const int64_t n = numel(positions);
  const int64_t size = t.sizes[dim];
  std::atomic<bool> ok = true;
  parallel_for(n, kGrain, [&](int64_t begin, int64_t end) {
    if (!index_kernels().in_range(p + begin, end - begin, size)) {
      ok = false;
    }
  });
  if (!ok) [[unlikely]] {
    const int64_t* bad = std::find_if(p, p + n, [&](int64_t v) { return v < 1 || v > size; });
    position_out_of_range(bad - p, n, *bad, t, dim);
  }
}

// --- walks --------------------------------------------------------------------------------------

/// Moving elements needs no more of their type than its size.
template <class Move>
void move_elements(const Nest& nest, int64_t size, void* at, void* other, const Tensor& positions) {
  with_size(size, [&]<class T>() {
    walk_positions<Move>(nest, static_cast<T*>(at), static_cast<T*>(other),
                         data<int64_t>(positions));
  });
}

/// Strides of a vector of positions as if it had `dim` among a tensor's dimensions.
struct VectorStrides {
  int64_t values[TH_MAX_DIMS] = {};
  explicit VectorStrides(int dim) { values[dim] = 1; }
};

// --- results of their own: index, gather --------------------------------------------------

void index(TH_Tensor* r, const TH_Tensor* x, int dim, const TH_Tensor* positions) {
  TH_CHECK(r != nullptr, "the result is missing");
  check_defined(x, "the tensor");
  check_dim(*x, dim);
  const Tensor p = checked_vector(positions);
  check_range(p, *x, dim);
  const Tensor source(*x);  // r may be x
  const SizesWith shape(source, dim, p.sizes[0]);
  check_same_dtype(*r, source);
  Result result(r, shape, Result::Any, {&source, &p});
  TH_Tensor& to = result.tensor();
  const Nest nest(shape, dim, source.strides, to.strides, VectorStrides(dim).values);
  move_elements<Gather>(nest, element_size(to.dtype), bytes(source), bytes(to), p);
  result.finish();
}

void gather(TH_Tensor* r, const TH_Tensor* x, int dim, const TH_Tensor* positions) {
  TH_CHECK(r != nullptr, "the result is missing");
  check_defined(x, "the tensor");
  check_dim(*x, dim);
  const Tensor p = checked_positions(positions);
  check_same_but(*x, p, dim, "the tensor", "the tensor of positions");
  check_range(p, *x, dim);
  const Tensor source(*x);
  check_same_dtype(*r, source);
  Result result(r, sizes_of(p), Result::Any, {&source, &p});
  TH_Tensor& to = result.tensor();
  const Nest nest(sizes_of(p), dim, source.strides, to.strides, p.strides);
  move_elements<Gather>(nest, element_size(to.dtype), bytes(source), bytes(to), p);
  result.finish();
}

// --- writing into r: index_copy, index_add, index_fill, scatter ----------------------------------

/// x with r's sizes, but n along dim. The slices of x may have another shape with the same number
/// of elements; they are rearranged then.
Tensor slices_like(const TH_Tensor& r, int dim, int64_t n, const TH_Tensor& x) {
  check_slices(r, dim, n, x);
  Tensor source = unaliased(x, r);
  const SizesWith wanted(r, dim, n);
  if (std::ranges::equal(wanted, sizes_of(source))) {
    return source;
  }
  Tensor arranged = Tensor::like(r, r.dtype, wanted);
  for (int64_t i = 0; i < n; ++i) {
    Tensor to, from;
    narrow(to, arranged, dim, i, 1);
    narrow(from, source, dim, i, 1);
    copy(to, from);
  }
  return arranged;
}

/// The positions of an operation that writes into r, checked, and not about to be overwritten.
Tensor positions_into(const TH_Tensor* r, int dim, const TH_Tensor* positions) {
  check_defined(r, "the tensor");
  check_dim(*r, dim);
  const Tensor p = checked_vector(positions);
  check_range(p, *r, dim);
  return unaliased(p, *r);
}

/// The walk of index_copy and its kin: r at the positions, x (if any) in order.
Nest nest_into(const TH_Tensor& r, int dim, int64_t n, const Tensor* x) {
  return Nest(SizesWith(r, dim, n), dim, r.strides, x == nullptr ? nullptr : x->strides,
              VectorStrides(dim).values);
}

void index_copy(TH_Tensor* r, int dim, const TH_Tensor* positions, const TH_Tensor* x) {
  const Tensor p = positions_into(r, dim, positions);
  check_defined(x, "the source");
  const Tensor source = slices_like(*r, dim, p.sizes[0], *x);
  const Nest nest = nest_into(*r, dim, p.sizes[0], &source);
  move_elements<Scatter>(nest, element_size(r->dtype), bytes(*r), bytes(source), p);
}

/// Steps in ascending order of their positions, those of one position in their own order; empty
/// where no position comes twice.
std::vector<int64_t> steps_by_position(const Tensor& positions) {
  const int64_t* p = data<int64_t>(positions);
  std::vector<int64_t> steps(static_cast<size_t>(numel(positions)));
  std::iota(steps.begin(), steps.end(), 0);
  std::ranges::stable_sort(steps, {}, [p](int64_t i) { return p[i]; });
  const auto same = [p](int64_t i, int64_t k) { return p[i] == p[k]; };
  return std::ranges::adjacent_find(steps, same) == steps.end() ? std::vector<int64_t>() : steps;
}

Tensor slice_of(const TH_Tensor& t, int dim, int64_t i) {
  Tensor slice;
  init(slice, t.dtype, t.device_type, t.device);
  narrow(slice, t, dim, i, 1);
  return slice;
}

/// Sums of 16 bits, slice by slice: in floats until all that goes to a position is there.
void add_slices(TH_Tensor& r, int dim, const Tensor& positions, const Tensor& x,
                const std::vector<int64_t>& steps) {
  const int64_t* p = data<int64_t>(positions);
  Tensor slice = slice_of(r, dim, 0);
  Tensor sum = Tensor::like(r, TH_FLOAT, sizes_of(slice));
  Tensor more = Tensor::like(r, TH_FLOAT, sizes_of(slice));
  const int64_t n = numel(sum);
  for (size_t k = 0; k < steps.size();) {
    const int64_t position = p[steps[k]];
    slice = slice_of(r, dim, position - 1);
    copy(sum, slice);
    for (; k < steps.size() && p[steps[k]] == position; ++k) {
      copy(more, slice_of(x, dim, steps[k]));
      float* to = data<float>(sum);
      const float* from = data<float>(more);
      for (int64_t i = 0; i < n; ++i) {
        to[i] += from[i];
      }
    }
    copy(slice, sum);
  }
}

void index_add(TH_Tensor* r, int dim, const TH_Tensor* positions, const TH_Tensor* x) {
  const Tensor p = positions_into(r, dim, positions);
  check_defined(x, "the source");
  const Tensor source = slices_like(*r, dim, p.sizes[0], *x);
  if (is_half(r->dtype) && !may_overlap_itself(*r)) {
    const std::vector<int64_t> steps = steps_by_position(p);
    if (!steps.empty()) {
      add_slices(*r, dim, p, source, steps);
      return;
    }
  }
  const Nest nest = nest_into(*r, dim, p.sizes[0], &source);
  AllTypes::dispatch(r->dtype, [&]<class T>() {
    walk_positions<AddTo>(nest, data<T>(*r), data<T>(source), data<int64_t>(p));
  });
}

/// A script's number as the bytes of an element.
struct Element {
  alignas(8) char bytes[8];
  Element(int dtype, double value) {
    AllTypes::dispatch(dtype, [&]<class T>() {
      const T element = from_number<T>(value);
      std::memcpy(bytes, &element, sizeof(T));
    });
  }
};

void index_fill(TH_Tensor* r, int dim, const TH_Tensor* positions, double value) {
  const Tensor p = positions_into(r, dim, positions);
  Element element(r->dtype, value);
  const Nest nest = nest_into(*r, dim, p.sizes[0], nullptr);
  move_elements<Scatter>(nest, element_size(r->dtype), bytes(*r), element.bytes, p);
}

Tensor scatter_positions(const TH_Tensor* r, int dim, const TH_Tensor* positions) {
  check_defined(r, "the tensor");
  check_dim(*r, dim);
  const Tensor p = checked_positions(positions);
  check_same_but(*r, p, dim, "the tensor", "the tensor of positions");
  check_range(p, *r, dim);
  return unaliased(p, *r);
}

void scatter(TH_Tensor* r, int dim, const TH_Tensor* positions, const TH_Tensor* x) {
  const Tensor p = scatter_positions(r, dim, positions);
  check_scattered(*r, dim, p, x);
  const Tensor source = unaliased(*x, *r);
  const Nest nest(sizes_of(p), dim, r->strides, source.strides, p.strides);
  move_elements<Scatter>(nest, element_size(r->dtype), bytes(*r), bytes(source), p);
}

void scatter_value(TH_Tensor* r, int dim, const TH_Tensor* positions, double value) {
  const Tensor p = scatter_positions(r, dim, positions);
  Element element(r->dtype, value);
  const Nest nest(sizes_of(p), dim, r->strides, nullptr, p.strides);
  move_elements<Scatter>(nest, element_size(r->dtype), bytes(*r), element.bytes, p);
}

}  // namespace

void register_index(IndexTable& b) {
  b.index = index;
  b.index_copy = index_copy;
  b.index_add = index_add;
  b.index_fill = index_fill;
  b.gather = gather;
  b.scatter = scatter;
  b.scatter_value = scatter_value;
}

}  // namespace th::cpu
