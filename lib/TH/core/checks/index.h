// What every backend checks before it reads or writes by position or mask.
#pragma once

#include "core/tensor/dtype.h"
#include "core/tensor/tensor.h"

namespace th {

// --- positions ----------------------------------------------------------------------------------

/// A compact copy where needed: what is checked is what will be used.
inline Tensor checked_positions(const TH_Tensor* positions) {
  check_defined(positions, "the tensor of positions");
  check_dtype(*positions, TH_LONG, "the tensor of positions");
  return contiguous(*positions);
}

/// One position per step along a dimension.
inline Tensor checked_vector(const TH_Tensor* positions) {
  Tensor p = checked_positions(positions);
  TH_CHECK(p.ndim == 1, "the tensor of positions is ", shape(p),
           ", wanted one dimension; flatten it first, as in positions:view(-1)");
  return p;
}

/// The i-th of n positions does not lie within dimension `dim` of t.
[[noreturn]] inline void position_out_of_range(int64_t i, int64_t n, int64_t position,
                                               const TH_Tensor& t, int dim) {
  fail("position ", i + 1, " of ", n, " is ", position, ", out of range: dimension ", dim + 1,
       " of the tensor (", shape(t), ") has size ", t.sizes[dim],
       position < 1 ? "; positions count from 1" : "");
}

/// a and b agree in every dimension but `dim`.
inline void check_same_but(const TH_Tensor& a, const TH_Tensor& b, int dim, const char* a_name,
                           const char* b_name) {
  bool same = a.ndim == b.ndim;
  for (int d = 0; same && d < a.ndim; ++d) {
    same = d == dim || a.sizes[d] == b.sizes[d];
  }
  TH_CHECK(same, "sizes do not match: ", a_name, " is ", shape(a), " and ", b_name, " is ",
           shape(b), "; they must agree in every dimension but ", dim + 1);
}

/// x has n slices along dim, each of as many elements as a slice of r.
inline void check_slices(const TH_Tensor& r, int dim, int64_t n, const TH_Tensor& x) {
  check_dim(x, dim);
  check_same_dtype(r, x);
  TH_CHECK(x.sizes[dim] == n, "there are ", n, " positions, but dimension ", dim + 1,
           " of the source (", shape(x), ") has size ", x.sizes[dim]);
  TH_CHECK(numel(x) / n == numel(r) / r.sizes[dim], "sizes do not match: the tensor is ", shape(r),
           " and the source ", shape(x), "; they must agree in every dimension but ", dim + 1);
}

/// x has an element for each of the positions p in r.
inline void check_scattered(const TH_Tensor& r, int dim, const TH_Tensor& p, const TH_Tensor* x) {
  check_defined(x, "the source");
  check_same_dtype(r, *x);
  check_same_but(p, *x, dim, "the tensor of positions", "the source");
  TH_CHECK(x->sizes[dim] >= p.sizes[dim], "the source (", shape(*x),
           ") has fewer elements along dimension ", dim + 1, " than there are positions (",
           shape(p), ")");
}

// --- masks --------------------------------------------------------------------------------------

inline void check_mask(const TH_Tensor* mask, const TH_Tensor* t) {
  TH_CHECK(t != nullptr && mask != nullptr, "the tensor or its mask is missing");
  check_dtype(*mask, TH_BYTE, "the mask");
  check_same_count(*t, {mask});
}

[[noreturn]] inline void not_a_mask(int64_t i, int value) {
  fail("a mask holds only 0 and 1, element ", i + 1, " is ", value,
       "; make one by a comparison, as in x:ne(0)");
}

inline void check_masked_source(const TH_Tensor& x, int64_t ones) {
  TH_CHECK(numel(x) >= ones, "the mask has ", ones, " ones, but the source (", shape(x), ") only ",
           numel(x), " elements");
}

}  // namespace th
