// What products of matrices are made from: operands in a layout that BLAS reads, results that may
// lie under an operand.
#pragma once

#include <algorithm>
#include <utility>

#include "core/backend.h"
#include "core/checks_blas.h"
#include "core/dtype.h"
#include "core/tensor.h"
#include "cpu/aliasing.h"
#include "cpu/gemm.h"

namespace th::cpu {

using RealTypes = TypeSet<float, double>;

/// First byte of t and the one behind its last.
inline std::pair<const char*, const char*> reach(const TH_Tensor& t) {
  int64_t last = 0;
  for (int d = 0; d < t.ndim; ++d) {
    last += (t.sizes[d] - 1) * t.strides[d];
  }
  return {bytes(t), bytes(t) + (last + 1) * element_size(t.dtype)};
}

inline bool same_elements(const TH_Tensor& a, const TH_Tensor& b) {
  return a.store == b.store && a.offset == b.offset && same_sizes(a, b) &&
         std::equal(a.strides, a.strides + a.ndim, b.strides);
}

/// Whether writing r, once it has t's sizes, may change an element of x.
inline bool overlaps(const TH_Tensor& r, const TH_Tensor& t, const TH_Tensor& x) {
  if (!shares_memory(r, x)) {
    return false;
  }
  if (!same_sizes(r, t)) {
    return true;  // resizing it will move its elements
  }
  const auto [r_first, r_end] = reach(r);
  const auto [x_first, x_end] = reach(x);
  return r_first < x_end && x_first < r_end;
}

/// Rows or columns next to each other in memory, as BLAS wants a matrix.
struct Layout {
  bool transposed;
  int64_t row;  // elements from one row to the next; from one column to the next if transposed
};

/// Of the last two dimensions. False when neither has stride 1.
inline bool find_layout(const TH_Tensor& t, Layout& layout) {
  const int i = t.ndim - 2;
  const int64_t rows = t.sizes[i];
  const int64_t columns = t.sizes[i + 1];
  const int64_t row_stride = rows == 1 ? std::max<int64_t>(columns, 1) : t.strides[i];
  const int64_t column_stride = columns == 1 ? std::max<int64_t>(rows, 1) : t.strides[i + 1];
  if ((columns == 1 || t.strides[i + 1] == 1) && row_stride >= columns) {
    layout = {false, row_stride};
    return true;
  }
  if ((rows == 1 || t.strides[i] == 1) && column_stride >= rows) {
    layout = {true, column_stride};
    return true;
  }
  return false;
}

/// A matrix, or a batch of them, in a layout that BLAS can read; a copy if it has to be.
struct Matrices {
  Tensor tensor;
  Layout layout;
  int64_t step;  // from one matrix of a batch to the next

  explicit Matrices(const TH_Tensor& t) : tensor(t) {
    if (!find_layout(t, layout)) {
      tensor = Tensor::like(t, t.dtype, sizes_of(t));
      th::copy(tensor, t);
      find_layout(tensor, layout);
    }
    step = t.ndim == 3 ? tensor.strides[0] : 0;
  }

  template <class T>
  const T* at(int64_t k) const {
    return data<T>(tensor) + k * step;
  }
};

/// A vector with stride 1.
inline Tensor dense_vector(const TH_Tensor& t) { return contiguous(t); }

/// C = beta C + alpha A B for one matrix of the batches.
template <class T>
void multiply(const Matrices& a,
              const Matrices& b,
              int64_t batch,
              const ProductSizes& s,
              T alpha,
              T beta,
              T* c,
              const Layout& c_layout) {
  const Layout& la = a.layout;
  const Layout& lb = b.layout;
  const T* ap = a.at<T>(batch);
  const T* bp = b.at<T>(batch);
  if (c_layout.transposed) {  // C' = B' A'
    gemm<T>(!lb.transposed,
            !la.transposed,
            s.n,
            s.m,
            s.k,
            alpha,
            bp,
            lb.row,
            ap,
            la.row,
            beta,
            c,
            c_layout.row);
  } else {
    gemm<T>(la.transposed,
            lb.transposed,
            s.m,
            s.n,
            s.k,
            alpha,
            ap,
            la.row,
            bp,
            lb.row,
            beta,
            c,
            c_layout.row);
  }
}

/// r = op(t, x, y) for any aliasing, strides and type: `op` itself sees float, double or integer
/// operands and a result that has t's sizes, holds t's elements where `reads_t`, does not lie under
/// x or y, and has one of BLAS's layouts.
template <class Op>
void produce(TH_Tensor* r,
             double beta,
             const TH_Tensor* t,
             const TH_Tensor* x,
             const TH_Tensor* y,
             Op&& op) {
  if (is_half(t->dtype)) {
    const auto widened = [](const TH_Tensor& h) {
      Tensor f = Tensor::like(h, TH_FLOAT, sizes_of(h));
      th::copy(f, h);
      return f;
    };
    const Tensor wide_x = widened(*x);
    const Tensor wide_y = widened(*y);
    Tensor result = beta != 0 ? widened(*t) : Tensor::like(*t, TH_FLOAT, sizes_of(*t));
    op(result, wide_x, wide_y);
    resize_as(*r, result);
    th::copy(*r, result);
    return;
  }
  const bool in_place = same_elements(*r, *t);
  Layout layout;
  const bool regular = !same_sizes(*r, *t) || r->ndim < 2 || find_layout(*r, layout);
  if (regular && !overlaps(*r, *t, *x) && !overlaps(*r, *t, *y) &&
      (in_place || !overlaps(*r, *t, *t))) {
    resize_as(*r, *t);
    if (!in_place && beta != 0) {
      th::copy(*r, *t);
    }
    op(*r, *x, *y);
    return;
  }
  Tensor result = Tensor::like(*t, t->dtype, sizes_of(*t));
  if (beta != 0) {
    th::copy(result, *t);
  }
  op(result, *x, *y);
  resize_as(*r, result);
  th::copy(*r, result);
}

}  // namespace th::cpu
