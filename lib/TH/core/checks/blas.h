// What every backend checks before it multiplies matrices and vectors.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>

#include "core/tensor/dtype.h"
#include "core/tensor/tensor.h"

namespace th {

/// "[2 x 3]", as Torch7 writes sizes in these errors.
inline std::string size_text(const TH_Tensor& t) {
  std::string text = "[";
  for (int d = 0; d < t.ndim; ++d) {
    text += str(d > 0 ? " x " : "", t.sizes[d]);
  }
  return text + "]";
}

inline void check_dot(const TH_Tensor* x, const TH_Tensor* y) {
  TH_CHECK(x != nullptr && y != nullptr, "an operand is missing");
  check_same_dtype(*x, *y);
  check_same_count(*x, {y});
}

inline void check_product_types(const TH_Tensor* r, const TH_Tensor* t, const TH_Tensor* x,
                                const TH_Tensor* y) {
  TH_CHECK(r != nullptr && t != nullptr && x != nullptr && y != nullptr, "an operand is missing");
  check_same_dtype(*t, *x);
  check_same_dtype(*t, *y);
  check_same_dtype(*r, *t);
}

/// t has those sizes.
inline bool has_sizes(const TH_Tensor& t, std::initializer_list<int64_t> sizes) {
  return std::equal(sizes.begin(), sizes.end(), t.sizes, t.sizes + t.ndim);
}

/// r = beta t + alpha A x
inline void check_addmv(const TH_Tensor* r, const TH_Tensor* t, const TH_Tensor* a,
                        const TH_Tensor* x) {
  check_product_types(r, t, a, x);
  TH_CHECK(a->ndim == 2 && x->ndim == 1, "matrix and vector expected, got ", a->ndim, "D, ",
           x->ndim, "D");
  const int64_t m = a->sizes[0];
  const int64_t n = a->sizes[1];
  TH_CHECK(n == x->sizes[0], "size mismatch, m: ", size_text(*a), ", v: ", size_text(*x),
           "; the columns of m (", n, ") must equal the elements of v (", x->sizes[0], ")");
  TH_CHECK(has_sizes(*t, {m}), "size mismatch, t: ", size_text(*t), ", m: ", size_text(*a),
           ", v: ", size_text(*x), "; t must have ", m, " elements, one for each row of m");
}

/// r = beta t + alpha A B
inline void check_addmm(const TH_Tensor* r, const TH_Tensor* t, const TH_Tensor* a,
                        const TH_Tensor* b) {
  check_product_types(r, t, a, b);
  TH_CHECK(a->ndim == 2 && b->ndim == 2, "matrices expected, got ", a->ndim, "D, ", b->ndim,
           "D tensors");
  const int64_t m = a->sizes[0];
  const int64_t k = a->sizes[1];
  const int64_t n = b->sizes[1];
  TH_CHECK(k == b->sizes[0], "size mismatch, m1: ", size_text(*a), ", m2: ", size_text(*b),
           "; the columns of m1 (", k, ") must equal the rows of m2 (", b->sizes[0], ")");
  TH_CHECK(has_sizes(*t, {m, n}), "size mismatch, t: ", size_text(*t), ", m1: ", size_text(*a),
           ", m2: ", size_text(*b), "; t must be [", m, " x ", n, "], as m1 times m2 is");
}

/// r = beta t + alpha x y'
inline void check_addr(const TH_Tensor* r, const TH_Tensor* t, const TH_Tensor* x,
                       const TH_Tensor* y) {
  check_product_types(r, t, x, y);
  TH_CHECK(x->ndim == 1 && y->ndim == 1, "vector and vector expected, got ", x->ndim, "D, ",
           y->ndim, "D tensors");
  const int64_t m = x->sizes[0];
  const int64_t n = y->sizes[0];
  TH_CHECK(has_sizes(*t, {m, n}), "size mismatch, t: ", size_text(*t), ", vec1: ", size_text(*x),
           ", vec2: ", size_text(*y), "; t must be [", m, " x ", n,
           "], elements of vec1 by elements of vec2");
}

inline void check_batches(const TH_Tensor& a, const TH_Tensor& b) {
  TH_CHECK(a.ndim == 3 && b.ndim == 3, "3D tensors expected, got ", a.ndim, "D, ", b.ndim,
           "D tensors");
  TH_CHECK(a.sizes[0] == b.sizes[0], "equal number of batches expected, got ", a.sizes[0], ", ",
           b.sizes[0]);
  TH_CHECK(a.sizes[2] == b.sizes[1], "wrong matrix size, batch1: ", a.sizes[1], "x", a.sizes[2],
           ", batch2: ", b.sizes[1], "x", b.sizes[2], "; the columns of batch1's matrices (",
           a.sizes[2], ") must equal the rows of batch2's (", b.sizes[1], ")");
}

/// r[p] = beta t[p] + alpha A[p] B[p]
inline void check_baddbmm(const TH_Tensor* r, const TH_Tensor* t, const TH_Tensor* a,
                          const TH_Tensor* b) {
  check_product_types(r, t, a, b);
  check_batches(*a, *b);
  const int64_t batches = a->sizes[0];
  const int64_t m = a->sizes[1];
  const int64_t n = b->sizes[2];
  TH_CHECK(has_sizes(*t, {batches, m, n}), "size mismatch, t: ", size_text(*t),
           ", batch1: ", size_text(*a), ", batch2: ", size_text(*b), "; t must be [", batches,
           " x ", m, " x ", n, "]");
}

/// r = beta t + alpha sum over p of A[p] B[p]
inline void check_addbmm(const TH_Tensor* r, const TH_Tensor* t, const TH_Tensor* a,
                         const TH_Tensor* b) {
  check_product_types(r, t, a, b);
  check_batches(*a, *b);
  const int64_t m = a->sizes[1];
  const int64_t n = b->sizes[2];
  TH_CHECK(has_sizes(*t, {m, n}), "size mismatch, t: ", size_text(*t), ", batch1: ", size_text(*a),
           ", batch2: ", size_text(*b), "; t must be [", m, " x ", n, "]");
}

}  // namespace th
