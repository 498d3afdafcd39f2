// What the linear algebra shares: column-major copies for LAPACK, checks, and results.
#pragma once

#include <initializer_list>
#include <utility>

#include "core/device_functions.h"
#include "core/tensor/aliasing.h"
#include "core/tensor/tensor.h"

namespace th::cpu {

/// A column-major matrix of its own, which LAPACK may overwrite.
class Matrix {
 public:
  /// Uninitialised, of like's type.
  Matrix(const TH_Tensor& like, int64_t rows, int64_t columns);
  /// A copy of t; a vector is one column. `rows` > t's: zeros follow below.
  explicit Matrix(const TH_Tensor& t, int64_t rows = 0);

  int rows() const { return static_cast<int>(view_.sizes[0]); }
  int columns() const { return static_cast<int>(view_.sizes[1]); }
  template <class T>
  T* data() const {
    return th::data<T>(memory_);
  }
  /// Rows x columns over this memory.
  const TH_Tensor& view() const { return view_; }
  /// The first rows and columns.
  TH_Tensor corner(int64_t rows, int64_t columns) const;

 private:
  Tensor memory_;
  TH_Tensor view_;
};

/// A vector of its own, for LAPACK's results and its scratch space.
template <class T>
class Vector {
 public:
  Vector(const TH_Tensor& like, int64_t n) : tensor_(Tensor::like(like, dtype_of<T>, {&n, 1})) {}
  T* data() const { return th::data<T>(tensor_); }
  const TH_Tensor& view() const { return tensor_; }

 private:
  Tensor tensor_;
};

/// Floating, of rank 2 (a vector is allowed where `or_vector`), sizes that LAPACK's ints hold.
void check_matrix(const TH_Tensor* t, const char* name, bool or_vector = false);
void check_square(const TH_Tensor* t, const char* name);
/// Results and operands have one type.
void check_types(const TH_Tensor& a, std::initializer_list<const TH_Tensor*> others);
/// Iterative algorithms never end, or end in nonsense, on NaN and infinity.
void check_finite(const TH_Tensor& t, const char* name);
/// A negative info is an argument that LAPACK did not accept: our mistake.
void check_arguments(int info, const char* routine);

inline int64_t rows_of(const TH_Tensor& t) { return t.sizes[0]; }
inline int64_t columns_of(const TH_Tensor& t) { return t.ndim == 1 ? 1 : t.sizes[1]; }

/// Bring values to their results, resizing all of them first. Results become column-major; a view
/// (not contiguous) or an operand that has the right sizes already keeps its strides.
struct Output {
  TH_Tensor* result;
  const TH_Tensor& value;
};
void deliver(std::initializer_list<Output> outputs,
             std::initializer_list<const TH_Tensor*> operands);

/// Zeros below (upper) or above (lower) the diagonal.
template <class T>
void clear_other_triangle(const Matrix& m, bool upper) {
  const int64_t rows = m.rows();
  for (int64_t j = 0; j < m.columns(); ++j) {
    T* column = m.data<T>() + j * rows;
    const int64_t first = upper ? std::min(j + 1, rows) : 0;
    const int64_t last = upper ? rows : std::min(j, rows);
    std::fill(column + first, column + last, T{0});
  }
}

/// Call a routine twice: for the size of its scratch space, then with it.
template <class T, class F>
void with_workspace(const TH_Tensor& like, F&& call) {
  T best = 0;
  call(&best, -1);
  // The size comes back as a T, which for float may have been rounded down.
  const int64_t wanted = static_cast<int64_t>(static_cast<double>(best) * 1.0000002) + 1;
  TH_CHECK(wanted <= INT32_MAX, "the matrix is too large for LAPACK's 32-bit sizes");
  const Vector<T> work(like, wanted);
  call(work.data(), static_cast<int>(wanted));
}

}  // namespace th::cpu
