#include "core/product.h"

#include <algorithm>
#include <utility>

#include "core/checks/blas.h"
#include "core/checks/nn.h"
#include "core/tensor/aliasing.h"

namespace th {
namespace {

MatrixView columns_of(const TH_Tensor& t) { return {&t, 1, t.sizes[0], 1, 0, t.strides[0], 1}; }
MatrixView rows_of(const TH_Tensor& t) {
  return {&t, 1, 1, t.sizes[0], 0, t.sizes[0], t.strides[0]};
}

/// Of a vector (one column), a matrix, or a batch of them.
MatrixView matrices_of(const TH_Tensor& t) {
  if (t.ndim == 1) {
    return columns_of(t);
  }
  const int d = t.ndim - 2;
  const bool batch = t.ndim == 3;
  return {
      &t,           batch ? t.sizes[0] : 1, t.sizes[d], t.sizes[d + 1], batch ? t.strides[0] : 0,
      t.strides[d], t.strides[d + 1]};
}

/// Whether writing r, once it has t's sizes, may change an element of x.
bool overwrites(const TH_Tensor& r, const TH_Tensor& t, const TH_Tensor& x) {
  if (!shares_memory(r, x)) {
    return false;
  }
  if (!same_sizes(r, t)) {
    return true;  // resizing it will move its elements
  }
  return overlaps(r, x);
}

/// r = beta t + alpha a b. With beta 0, t only says the sizes.
void produce(Multiply multiply, TH_Tensor* r, double beta, const TH_Tensor* t, double alpha,
             const MatrixView& a, const MatrixView& b) {
  reserve(*r, sizes_of(*t));
  const TH_Tensor shape = shaped(*r, sizes_of(*t));
  const MatrixView c = matrices_of(shape);
  MatrixLayout layout;
  const bool regular = (c.batches == 1 || c.batch_step != 0) && find_layout(c, layout);
  if (regular && !overwrites(*r, *t, *a.tensor) && !overwrites(*r, *t, *b.tensor) &&
      (same_elements(*r, *t) || !overwrites(*r, *t, *t))) {
    multiply({r, c, a, b, alpha, beta, t});
    return;
  }
  Tensor result = Tensor::like(*t, t->dtype, sizes_of(*t));
  multiply({&result, matrices_of(result), a, b, alpha, beta, t});
  resize_as(*r, result);
  copy(*r, result);
}

}  // namespace

void DenseMatrices::copy_from(const MatrixView& m) {
  copy_ = Tensor::like(*m.tensor, m.tensor->dtype, sizes_of(*m.tensor));
  copy(*copy_, *m.tensor);
  first_ = bytes(*copy_);
  layout_ = {false, m.columns};
  step_ = m.rows * m.columns;
}

namespace products {

void addmv(Multiply multiply, TH_Tensor* r, double beta, const TH_Tensor* t, double alpha,
           const TH_Tensor* a, const TH_Tensor* x) {
  check_addmv(r, t, a, x);
  produce(multiply, r, beta, t, alpha, matrices_of(*a), columns_of(*x));
}

void addmm(Multiply multiply, TH_Tensor* r, double beta, const TH_Tensor* t, double alpha,
           const TH_Tensor* a, const TH_Tensor* b) {
  check_addmm(r, t, a, b);
  produce(multiply, r, beta, t, alpha, matrices_of(*a), matrices_of(*b));
}

void addr(Multiply multiply, TH_Tensor* r, double beta, const TH_Tensor* t, double alpha,
          const TH_Tensor* x, const TH_Tensor* y) {
  check_addr(r, t, x, y);
  produce(multiply, r, beta, t, alpha, columns_of(*x), rows_of(*y));
}

void baddbmm(Multiply multiply, TH_Tensor* r, double beta, const TH_Tensor* t, double alpha,
             const TH_Tensor* a, const TH_Tensor* b) {
  check_baddbmm(r, t, a, b);
  produce(multiply, r, beta, t, alpha, matrices_of(*a), matrices_of(*b));
}

void addbmm(Multiply multiply, TH_Tensor* r, double beta, const TH_Tensor* t, double alpha,
            const TH_Tensor* a, const TH_Tensor* b) {
  check_addbmm(r, t, a, b);
  produce(multiply, r, beta, t, alpha, matrices_of(*a), matrices_of(*b));
}

void linear(Multiply multiply, TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* weight,
            const TH_Tensor* bias) {
  check_linear(r, x, weight, bias);
  // The bias as every row of the result; without one, sizes that nobody reads.
  Tensor start = bias == nullptr ? Tensor() : contiguous(*bias);
  if (bias == nullptr) {
    init(start, x->dtype, x->device_type, x->device);
  }
  start.ndim = x->ndim;
  const int last = start.ndim - 1;
  start.sizes[0] = x->sizes[0];
  start.strides[0] = 0;
  start.sizes[last] = weight->sizes[0];
  start.strides[last] = 1;
  const double beta = bias == nullptr ? 0 : 1;
  if (x->ndim == 1) {
    produce(multiply, r, beta, &start, 1, matrices_of(*weight), columns_of(*x));
  } else {
    TH_Tensor turned;  // without a reference of its own
    copy_handle(turned, *weight);
    std::swap(turned.sizes[0], turned.sizes[1]);
    std::swap(turned.strides[0], turned.strides[1]);
    produce(multiply, r, beta, &start, 1, matrices_of(*x), matrices_of(turned));
  }
}

}  // namespace products
}  // namespace th
