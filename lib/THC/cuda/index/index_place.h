// What everything that reads or writes at positions along a dimension shares: checked positions,
// and where they lead:
//     at[..., positions[...] - 1, ...]  <->  other[..., i, ...]
// index_* have one position per step along the dimension, gather and scatter one per element.
#pragma once

#include "core/checks/index.h"
#include "core/tensor/aliasing.h"
#include "cuda/first.h"
#include "cuda/offsets.h"

namespace thc {

// --- checks -------------------------------------------------------------------------------------

struct OutOfRange {
  const int64_t* positions;
  int64_t size;
  TH_HD bool operator()(int64_t i) const { return positions[i] < 1 || positions[i] > size; }
};

/// Every position lies within dimension `dim` of t. Before anything is written; waits.
inline void check_range(const Tensor& positions, const TH_Tensor& t, int dim) {
  const int64_t n = numel(positions);
  const int64_t bad = first_where(positions, n, OutOfRange{data<int64_t>(positions), t.sizes[dim]});
  if (bad >= 0) [[unlikely]] {
    const int64_t position = fetch(data<int64_t>(positions) + bad, stream_for(positions));
    position_out_of_range(bad, n, position, t, dim);
  }
}

/// The positions of an operation that writes into r, checked, and not about to be overwritten.
inline Tensor positions_into(const TH_Tensor* r, int dim, const TH_Tensor* positions) {
  check_defined(r, "the tensor");
  check_dim(*r, dim);
  const Tensor p = checked_vector(positions);
  check_range(p, *r, dim);
  return unaliased(p, *r);
}

inline Tensor scatter_positions(const TH_Tensor* r, int dim, const TH_Tensor* positions) {
  check_defined(r, "the tensor");
  check_dim(*r, dim);
  const Tensor p = checked_positions(positions);
  check_same_but(*r, p, dim, "the tensor", "the tensor of positions");
  check_range(p, *r, dim);
  return unaliased(p, *r);
}

// --- places -------------------------------------------------------------------------------------

/// Sizes of what is walked, with strides of a tensor but 0 along the dimension.
inline OffsetCalculator across(std::span<const int64_t> shape, int dim, const int64_t* strides) {
  int64_t rest[TH_MAX_DIMS];
  for (int d = 0; d < static_cast<int>(shape.size()); ++d) {
    rest[d] = d == dim ? 0 : strides[d];
  }
  return OffsetCalculator(static_cast<int>(shape.size()), shape.data(), rest);
}

inline OffsetCalculator along(std::span<const int64_t> shape, const int64_t* strides) {
  return OffsetCalculator(static_cast<int>(shape.size()), shape.data(), strides);
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
  OffsetCalculator rest;
  int64_t stride;  // along the dimension
  const int64_t* positions;
  OffsetCalculator positions_layout;

  TH_HD int64_t position(int64_t i) const { return positions[positions_layout.offset(i)] - 1; }
  TH_HD U& operator()(int64_t i) const { return at[rest.offset(i) + position(i) * stride]; }
};

template <class U>
Place<U> place_in(const TH_Tensor& at, int dim, std::span<const int64_t> shape,
                  const Tensor& positions, const int64_t* position_strides) {
  return {data<U>(at), across(shape, dim, at.strides), at.strides[dim], data<int64_t>(positions),
          along(shape, position_strides)};
}

inline int64_t count(std::span<const int64_t> shape) {
  int64_t n = 1;
  for (int64_t size : shape) {
    n *= size;
  }
  return n;
}

}  // namespace thc
