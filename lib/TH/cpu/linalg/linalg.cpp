#include "cpu/linalg/linalg.h"

#include <algorithm>
#include <climits>
#include <cmath>

namespace th::cpu {

Matrix::Matrix(const TH_Tensor& like, int64_t rows, int64_t columns) : view_{} {
  const int64_t sizes[] = {columns, rows};
  memory_ = Tensor::like(like, like.dtype, sizes);
  view_ = memory_;  // without a reference of its own
  std::swap(view_.sizes[0], view_.sizes[1]);
  view_.strides[0] = 1;
  view_.strides[1] = rows;
}

Matrix::Matrix(const TH_Tensor& t, int64_t rows)
    : Matrix(t, std::max(rows, rows_of(t)), columns_of(t)) {
  const int64_t given = rows_of(t);
  TH_Tensor top = corner(given, columns_of(t));
  copy(top, t);
  if (rows > given) {
    const int64_t size = element_size(t.dtype);
    for (int64_t j = 0; j < columns_of(t); ++j) {
      std::fill_n(bytes(memory_) + (j * rows + given) * size, (rows - given) * size, char{0});
    }
  }
}

TH_Tensor Matrix::corner(int64_t rows, int64_t columns) const {
  TH_Tensor part = view_;
  part.sizes[0] = rows;
  part.sizes[1] = columns;
  return part;
}

void check_matrix(const TH_Tensor* t, const char* name, bool or_vector) {
  TH_CHECK(t != nullptr, name, " is missing");
  if (!RealTypes::contains(t->dtype)) {
    RealTypes::unsupported(t->dtype);
  }
  TH_CHECK(t->ndim == 2 || (or_vector && t->ndim == 1), name, " should be ",
           or_vector ? "a matrix or a vector" : "a matrix (2D)", ", got ", shape(*t));
  for (int d = 0; d < t->ndim; ++d) {
    TH_CHECK(t->sizes[d] <= INT_MAX, name, " is ", shape(*t), ", too large for LAPACK");
  }
}

void check_square(const TH_Tensor* t, const char* name) {
  check_matrix(t, name);
  TH_CHECK(t->sizes[0] == t->sizes[1], name, " should be square, got ", shape(*t));
}

void check_types(const TH_Tensor& a, std::initializer_list<const TH_Tensor*> others) {
  for (const TH_Tensor* t : others) {
    TH_CHECK(t != nullptr, "an operand or result is missing");
    check_same_dtype(*t, a);
  }
}

void check_finite(const TH_Tensor& t, const char* name) {
  const Tensor dense = contiguous(t);
  RealTypes::dispatch(t.dtype, [&]<class T>() {
    const T* first = data<T>(dense);
    const T* last = first + numel(dense);
    const T* bad = std::find_if(first, last, [](T x) { return !std::isfinite(x); });
    if (bad != last) {
      const int64_t i = bad - first;
      fail(name, " has the element ", *bad, " in row ", i / t.sizes[1] + 1, ", column ",
           i % t.sizes[1] + 1, "; all must be finite");
    }
  });
}

void check_arguments(int info, const char* routine) {
  TH_CHECK(info >= 0, "LAPACK's ", routine, " refused its argument ", -info,
           "; please report this as a bug, with the matrix");
}

void deliver(std::initializer_list<Output> outputs,
             std::initializer_list<const TH_Tensor*> operands) {
  const auto keeps = [&](const TH_Tensor& result, const TH_Tensor& value) {
    return same_sizes(result, value) &&
           (!is_contiguous(result) ||
            std::any_of(operands.begin(), operands.end(),
                        [&](const TH_Tensor* t) { return shares_memory(result, *t); }));
  };
  const auto each =
      [&](void (*shape)(TH_Tensor&, std::span<const int64_t>, std::span<const int64_t>)) {
        for (const auto& [result, value] : outputs) {
          if (!keeps(*result, value)) {
            const int64_t strides[] = {1, value.sizes[0]};
            shape(*result, sizes_of(value), std::span(strides).first(value.ndim));
          }
        }
      };
  each(reserve);
  each(resize);
  for (const auto& [result, value] : outputs) {
    copy(*result, value);
  }
}

}  // namespace th::cpu
