// Eigenvalues and singular values.
#include <algorithm>

#include "core/tables/linalg.h"
#include "cpu/linalg/lapack.h"
#include "cpu/linalg/linalg.h"
#include "cpu/register.h"

namespace th::cpu {
namespace {

void symeig(TH_Tensor* e, TH_Tensor* v, const TH_Tensor* a, bool vectors, bool upper) {
  check_square(a, "A");
  check_types(*a, {e, v});
  check_finite(*a, "A");
  const Matrix basis(*a);
  const int n = basis.rows();
  int info = 0;
  RealTypes::dispatch(a->dtype, [&]<class T>() {
    const Vector<T> values(*a, n);
    // The integer scratch space: as LAPACK's description gives it.
    const int64_t integers = vectors ? 3 + 5 * int64_t{n} : 1;
    TH_CHECK(integers <= INT32_MAX, "the matrix is too large for LAPACK's 32-bit sizes");
    const Vector<int> iwork(*a, integers);
    const int isize = static_cast<int>(integers);
    with_workspace<T>(*a, [&](T* work, int size) {
      lapack<T>(n)->syevd(vectors ? "V" : "N", upper ? "U" : "L", &n, basis.data<T>(), &n,
                          values.data(), work, &size, iwork.data(), &isize, &info, 1, 1);
    });
    check_arguments(info, "syevd");
    TH_CHECK(info == 0,
             "no convergence: LAPACK's syevd found not all eigenvalues of A (info = ", info,
             "); scale A, or make sure that it is symmetric");
    if (vectors) {
      deliver({{e, values.view()}, {v, basis.view()}}, {a});
    } else {
      deliver({{e, values.view()}}, {a});
    }
  });
}

void eig(TH_Tensor* e, TH_Tensor* v, const TH_Tensor* a, bool vectors) {
  check_square(a, "A");
  check_types(*a, {e, v});
  check_finite(*a, "A");
  const Matrix work_copy(*a);
  const int n = work_copy.rows();
  const Matrix values(*a, n, 2);
  const Matrix right(*a, vectors ? n : 1, vectors ? n : 1);
  const int ld_right = right.rows();
  const int one = 1;
  int info = 0;
  RealTypes::dispatch(a->dtype, [&]<class T>() {
    with_workspace<T>(*a, [&](T* work, int size) {
      lapack<T>(n)->geev("N", vectors ? "V" : "N", &n, work_copy.data<T>(), &n, values.data<T>(),
                         values.data<T>() + n, nullptr, &one, right.data<T>(), &ld_right, work,
                         &size, &info, 1, 1);
    });
  });
  check_arguments(info, "geev");
  TH_CHECK(info == 0, "no convergence: the QR algorithm found only ", n - info, " of the ", n,
           " eigenvalues of A");
  if (vectors) {
    deliver({{e, values.view()}, {v, right.view()}}, {a});
  } else {
    deliver({{e, values.view()}}, {a});
  }
}

void svd(TH_Tensor* u, TH_Tensor* s, TH_Tensor* v, const TH_Tensor* a, bool complete) {
  check_matrix(a, "A");
  check_types(*a, {u, s, v});
  check_finite(*a, "A");
  const Matrix work_copy(*a);
  const int m = work_copy.rows();
  const int n = work_copy.columns();
  const int k = std::min(m, n);
  const Matrix left(*a, m, complete ? m : k);
  const Matrix right(*a, complete ? n : k, n);  // V'
  const int ld_right = right.rows();
  int info = 0;
  RealTypes::dispatch(a->dtype, [&]<class T>() {
    const Vector<T> values(*a, k);
    const Vector<int> iwork(*a, 8 * int64_t{k});
    with_workspace<T>(*a, [&](T* work, int size) {
      lapack<T>(n)->gesdd(complete ? "A" : "S", &m, &n, work_copy.data<T>(), &m, values.data(),
                          left.data<T>(), &m, right.data<T>(), &ld_right, work, &size, iwork.data(),
                          &info, 1);
    });
    check_arguments(info, "gesdd");
    TH_CHECK(info == 0, "no convergence: LAPACK's gesdd ended with info = ", info, "; scale A");
    TH_Tensor transposed = right.view();
    std::swap(transposed.sizes[0], transposed.sizes[1]);
    std::swap(transposed.strides[0], transposed.strides[1]);
    deliver({{u, left.view()}, {s, values.view()}, {v, transposed}}, {a});
  });
}

}  // namespace

void register_linalg_eigen(LinalgTable& b) {
  b.symeig = symeig;
  b.eig = eig;
  b.svd = svd;
}

}  // namespace th::cpu
