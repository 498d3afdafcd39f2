// Symmetric positive definite matrices: factorisation, and what follows from the factor.
#include <algorithm>

#include "core/tables/linalg.h"
#include "cpu/linalg/lapack.h"
#include "cpu/linalg/linalg.h"
#include "cpu/register.h"

namespace th::cpu {
namespace {

const char* name_of(bool upper) { return upper ? "U" : "L"; }

void potrf(TH_Tensor* r, const TH_Tensor* a, bool upper) {
  check_square(a, "A");
  check_types(*a, {r});
  const Matrix factor(*a);
  const int n = factor.rows();
  int info = 0;
  RealTypes::dispatch(a->dtype, [&]<class T>() {
    lapack<T>(n)->potrf(name_of(upper), &n, factor.data<T>(), &n, &info, 1);
    clear_other_triangle<T>(factor, upper);
  });
  check_arguments(info, "potrf");
  TH_CHECK(info == 0, "A is not positive definite: its leading minor of order ", info, " is not");
  deliver({{r, factor.view()}}, {a});
}

void potrs(TH_Tensor* x, const TH_Tensor* b, const TH_Tensor* factor, bool upper) {
  check_square(factor, "the Cholesky factor");
  check_matrix(b, "B", true);
  check_types(*factor, {b, x});
  TH_CHECK(rows_of(*b) == rows_of(*factor), "the Cholesky factor is ", shape(*factor), ", B is ",
           shape(*b), ": they should have the same number of rows");
  const Matrix triangle(*factor);
  const Matrix solution(*b);
  const int n = triangle.rows();
  const int columns = solution.columns();
  int info = 0;
  RealTypes::dispatch(factor->dtype, [&]<class T>() {
    const T* diagonal = triangle.data<T>();
    for (int64_t i = 0; i < n; ++i) {  // LAPACK would divide by it
      TH_CHECK(diagonal[i * (n + 1)] != 0, "the Cholesky factor is singular: its element (", i + 1,
               ",", i + 1, ") is zero");
    }
    lapack<T>(n)->potrs(name_of(upper), &n, &columns, triangle.data<T>(), &n, solution.data<T>(),
                        &n, &info, 1);
  });
  check_arguments(info, "potrs");
  deliver({{x, solution.view()}}, {b, factor});
}

void potri(TH_Tensor* r, const TH_Tensor* factor, bool upper) {
  check_square(factor, "the Cholesky factor");
  check_types(*factor, {r});
  const Matrix result(*factor);
  const int n = result.rows();
  int info = 0;
  RealTypes::dispatch(factor->dtype, [&]<class T>() {
    T* m = result.data<T>();
    lapack<T>(n)->potri(name_of(upper), &n, m, &n, &info, 1);
    for (int64_t j = 0; j < n; ++j) {  // the other triangle
      for (int64_t i = 0; i < j; ++i) {
        T& above = m[j * n + i];
        T& below = m[i * n + j];
        (upper ? below : above) = upper ? above : below;
      }
    }
  });
  check_arguments(info, "potri");
  TH_CHECK(info == 0, "the Cholesky factor is singular: its element (", info, ",", info,
           ") is zero, so there is no inverse");
  deliver({{r, result.view()}}, {factor});
}

void pstrf(TH_Tensor* r, TH_Tensor* pivots, const TH_Tensor* a, bool upper, double tolerance) {
  check_square(a, "A");
  check_types(*a, {r});
  TH_CHECK(pivots != nullptr, "the tensor of pivots is missing");
  check_dtype(*pivots, TH_INT, "the tensor of pivots");
  const Matrix factor(*a);
  const int n = factor.rows();
  const Vector<int> order(*a, n);
  int info = 0;
  int rank = 0;
  RealTypes::dispatch(a->dtype, [&]<class T>() {
    const T limit = static_cast<T>(tolerance);
    const Vector<T> work(*a, 2 * int64_t{n});
    lapack<T>(n)->pstrf(name_of(upper), &n, factor.data<T>(), &n, order.data(), &rank, &limit,
                        work.data(), &info, 1);
    clear_other_triangle<T>(factor, upper);
  });
  check_arguments(info, "pstrf");
  TH_CHECK(info == 0, "A is rank deficient or not positive semidefinite: the pivots after ", rank,
           " of ", n, " are not above the tolerance");
  deliver({{r, factor.view()}, {pivots, order.view()}}, {a});
}

}  // namespace

void register_linalg_cholesky(LinalgTable& b) {
  b.potrf = potrf;
  b.potrs = potrs;
  b.potri = potri;
  b.pstrf = pstrf;
}

}  // namespace th::cpu
