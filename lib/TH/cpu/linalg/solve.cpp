// Linear systems and the inverse.
#include <algorithm>

#include "core/tables/linalg.h"
#include "cpu/linalg/lapack.h"
#include "cpu/linalg/linalg.h"
#include "cpu/register.h"

namespace th::cpu {
namespace {

void check_system(const TH_Tensor* a, const TH_Tensor* b) {
  check_matrix(a, "A");
  check_matrix(b, "B", true);
  TH_CHECK(rows_of(*a) == rows_of(*b), "A is ", shape(*a), ", B is ", shape(*b),
           ": they should have the same number of rows");
}

void gesv(TH_Tensor* x, TH_Tensor* lu, const TH_Tensor* b, const TH_Tensor* a) {
  check_system(a, b);
  check_square(a, "A");
  check_types(*a, {b, x, lu});
  const Matrix factors(*a);
  const Matrix solution(*b);
  const int n = factors.rows();
  const int columns = solution.columns();
  int info = 0;
  RealTypes::dispatch(a->dtype, [&]<class T>() {
    const Vector<int> pivots(*a, n);
    lapack<T>(n)->gesv(&n, &columns, factors.data<T>(), &n, pivots.data(), solution.data<T>(), &n,
                       &info);
  });
  check_arguments(info, "gesv");
  TH_CHECK(info == 0, "A is singular: U(", info, ",", info,
           ") of its LU factorisation is zero, so A x = B has no unique solution; use torch.gels "
           "for a least-squares one");
  deliver({{x, solution.view()}, {lu, factors.view()}}, {b, a});
}

void gels(TH_Tensor* x, TH_Tensor* qr, const TH_Tensor* b, const TH_Tensor* a) {
  check_system(a, b);
  check_types(*a, {b, x, qr});
  check_finite(*a, "A");
  const Matrix factors(*a);
  const int m = factors.rows();
  const int n = factors.columns();
  const int larger = std::max(m, n);
  const Matrix solution(*b, larger);
  const int columns = solution.columns();
  int info = 0;
  RealTypes::dispatch(a->dtype, [&]<class T>() {
    with_workspace<T>(*a, [&](T* work, int size) {
      lapack<T>(n)->gels("N", &m, &n, &columns, factors.data<T>(), &m, solution.data<T>(), &larger,
                         work, &size, &info, 1);
    });
  });
  check_arguments(info, "gels");
  TH_CHECK(info == 0, "A does not have full rank: element ", info,
           " on the diagonal of its triangular factor is zero; remove dependent rows or columns, "
           "or solve through torch.svd");
  const TH_Tensor top = solution.corner(n, columns);  // what follows are residuals
  deliver({{x, top}, {qr, factors.view()}}, {b, a});
}

void trtrs(TH_Tensor* x, TH_Tensor* copy, const TH_Tensor* b, const TH_Tensor* a, bool upper,
           bool transposed, bool unit) {
  check_system(a, b);
  check_square(a, "A");
  check_types(*a, {b, x, copy});
  const Matrix triangle(*a);
  const Matrix solution(*b);
  const int n = triangle.rows();
  const int columns = solution.columns();
  int info = 0;
  RealTypes::dispatch(a->dtype, [&]<class T>() {
    lapack<T>(n)->trtrs(upper ? "U" : "L", transposed ? "T" : "N", unit ? "U" : "N", &n, &columns,
                        triangle.data<T>(), &n, solution.data<T>(), &n, &info, 1, 1, 1);
  });
  check_arguments(info, "trtrs");
  TH_CHECK(info == 0, "A is singular: A(", info, ",", info,
           ") is zero, so the triangular system has no unique solution");
  deliver({{x, solution.view()}, {copy, triangle.view()}}, {b, a});
}

void inverse(TH_Tensor* r, const TH_Tensor* a) {
  check_square(a, "A");
  check_types(*a, {r});
  const Matrix result(*a);
  const int n = result.rows();
  int info = 0;
  RealTypes::dispatch(a->dtype, [&]<class T>() {
    const Vector<int> pivots(*a, n);
    lapack<T>(n)->getrf(&n, &n, result.data<T>(), &n, pivots.data(), &info);
    if (info == 0) {
      with_workspace<T>(*a, [&](T* work, int size) {
        lapack<T>(n)->getri(&n, result.data<T>(), &n, pivots.data(), work, &size, &info);
      });
    }
  });
  check_arguments(info, "getri");
  TH_CHECK(info == 0, "A is singular and has no inverse: U(", info, ",", info,
           ") of its LU factorisation is zero");
  deliver({{r, result.view()}}, {a});
}

}  // namespace

void register_linalg_solve(LinalgTable& b) {
  b.gesv = gesv;
  b.gels = gels;
  b.trtrs = trtrs;
  b.inverse = inverse;
}

}  // namespace th::cpu
