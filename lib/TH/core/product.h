// Products of matrices: what every backend does around its multiplication. Checks, results that may
// lie under an operand or in any strides, and operands as BLAS reads them are found here once; a
// backend brings a function that multiplies.
#pragma once

#include <optional>
#include <utility>

#include "core/tables/blas.h"
#include "core/tensor/aliasing.h"
#include "core/tensor/tensor.h"

#pragma GCC visibility push(default)  // for backends in libraries of their own
namespace th {

/// A batch of matrices of any strides (in elements). In row-major order its elements are those of
/// the tensor, which may be a vector: it counts as one column, or as one row.
struct MatrixView {
  const TH_Tensor* tensor;
  int64_t batches, rows, columns;
  int64_t batch_step, row_step, column_step;
};

/// The transposes of its matrices.
inline MatrixView turned(MatrixView m) {
  std::swap(m.rows, m.columns);
  std::swap(m.row_step, m.column_step);
  return m;
}

/// Rows or columns next to each other in memory, as BLAS wants a matrix.
struct MatrixLayout {
  bool transposed;
  int64_t row;  // elements from one row to the next; from one column to the next if transposed
};

/// False when neither rows nor columns are compact.
inline bool find_layout(const MatrixView& m, MatrixLayout& layout) {
  const int64_t row_step = m.rows == 1 ? m.columns : m.row_step;
  const int64_t column_step = m.columns == 1 ? m.rows : m.column_step;
  if ((m.columns == 1 || m.column_step == 1) && row_step >= m.columns) {
    layout = {false, row_step};
    return true;
  }
  if ((m.rows == 1 || m.row_step == 1) && column_step >= m.rows) {
    layout = {true, column_step};
    return true;
  }
  return false;
}

/// A batch of matrices in a layout that BLAS can read; a copy if it has to be.
class DenseMatrices {
 public:
  explicit DenseMatrices(const MatrixView& m) : step_(m.batch_step) {
    if (find_layout(m, layout_)) {
      first_ = bytes(*m.tensor);
    } else {
      copy_from(m);
    }
  }

  const MatrixLayout& layout() const { return layout_; }
  int64_t step() const { return step_; }  // from one matrix of the batch to the next
  template <class T>
  const T* at(int64_t batch) const {
    return reinterpret_cast<const T*>(first_) + batch * step_;
  }
  const void* first() const { return first_; }

 private:
  void copy_from(const MatrixView& m);

  std::optional<Tensor> copy_;
  MatrixLayout layout_;
  int64_t step_;
  const char* first_;
};

/// C = beta C + alpha A B for every matrix of the batches; with more matrices in A and B than in C,
/// which then is one, for the sum of their products. With beta 0 C is not to be read. C has one of
/// BLAS's layouts, and does not lie under A or B.
///
/// Whoever multiplies takes the memory it needs first, then calls begin(), and only then looks at
/// the result: until begin() it may have other sizes and elements than those of C.
struct Product {
  TH_Tensor* result;  // the tensor of c
  MatrixView c, a, b;
  double alpha, beta;
  const TH_Tensor* start;  // what the result's sizes and elements are to be; there is room for it

  void begin() const {
    resize_as(*result, *start);
    if (beta != 0 && !same_elements(*result, *start)) {
      copy(*result, *start);
    }
  }

  int dtype() const { return result->dtype; }
  int64_t batches() const { return a.batches; }
  bool sums() const { return c.batches < a.batches; }
  int64_t m() const { return c.rows; }
  int64_t n() const { return c.columns; }
  int64_t k() const { return a.columns; }
};

using Multiply = void (*)(const Product& product);

/// The rows of blas.def, but for dot, given how to multiply.
namespace products {

#define TH_PRODUCT(NAME)                                                                    \
  void NAME(Multiply multiply, TH_Tensor* r, double beta, const TH_Tensor* t, double alpha, \
            const TH_Tensor* a, const TH_Tensor* b)
TH_PRODUCT(addmv);
TH_PRODUCT(addmm);
TH_PRODUCT(addr);
TH_PRODUCT(baddbmm);
TH_PRODUCT(addbmm);
#undef TH_PRODUCT

/// r = x W' + b.
void linear(Multiply multiply, TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* weight,
            const TH_Tensor* bias);

template <Multiply multiply, auto operation>
void bound(TH_Tensor* r, double beta, const TH_Tensor* t, double alpha, const TH_Tensor* a,
           const TH_Tensor* b) {
  operation(multiply, r, beta, t, alpha, a, b);
}

template <Multiply multiply>
void register_products(BlasTable& b) {
  b.addmv = bound<multiply, addmv>;
  b.addmm = bound<multiply, addmm>;
  b.addr = bound<multiply, addr>;
  b.baddbmm = bound<multiply, baddbmm>;
  b.addbmm = bound<multiply, addbmm>;
  b.linear = [](TH_Tensor* r, const TH_Tensor* x, const TH_Tensor* weight, const TH_Tensor* bias) {
    linear(multiply, r, x, weight, bias);
  };
}

}  // namespace products
}  // namespace th
#pragma GCC visibility pop
