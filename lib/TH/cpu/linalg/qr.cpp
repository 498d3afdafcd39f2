// QR factorisation by Householder reflections, and products with Q.
#include <algorithm>

#include "core/tables/linalg.h"
#include "cpu/linalg/lapack.h"
#include "cpu/linalg/linalg.h"
#include "cpu/register.h"

namespace th::cpu {
namespace {

template <class T>
void factorise(const TH_Tensor& like, const Matrix& a, T* tau) {
  const int m = a.rows();
  const int n = a.columns();
  int info = 0;
  with_workspace<T>(like, [&](T* work, int size) {
    lapack<T>(n)->geqrf(&m, &n, a.data<T>(), &m, tau, work, &size, &info);
  });
  check_arguments(info, "geqrf");
}

/// The first k columns of Q, over the reflections in a.
template <class T>
void generate(const TH_Tensor& like, const Matrix& a, int k, const T* tau) {
  const int m = a.rows();
  int info = 0;
  with_workspace<T>(like, [&](T* work, int size) {
    lapack<T>(m)->orgqr(&m, &k, &k, a.data<T>(), &m, tau, work, &size, &info);
  });
  check_arguments(info, "orgqr");
}

void qr(TH_Tensor* q, TH_Tensor* r, const TH_Tensor* a) {
  check_matrix(a, "A");
  check_types(*a, {q, r});
  const Matrix reflections(*a);
  const int k = std::min(reflections.rows(), reflections.columns());
  const Matrix triangle(*a, k, reflections.columns());
  RealTypes::dispatch(a->dtype, [&]<class T>() {
    const Vector<T> tau(*a, k);
    factorise<T>(*a, reflections, tau.data());
    TH_Tensor to = triangle.view();
    copy(to, reflections.corner(k, reflections.columns()));
    clear_other_triangle<T>(triangle, true);
    generate<T>(*a, reflections, k, tau.data());
  });
  const TH_Tensor columns = reflections.corner(reflections.rows(), k);
  deliver({{q, columns}, {r, triangle.view()}}, {a});
}

void geqrf(TH_Tensor* r, TH_Tensor* tau, const TH_Tensor* a) {
  check_matrix(a, "A");
  check_types(*a, {r, tau});
  const Matrix reflections(*a);
  const int k = std::min(reflections.rows(), reflections.columns());
  RealTypes::dispatch(a->dtype, [&]<class T>() {
    const Vector<T> factors(*a, k);
    factorise<T>(*a, reflections, factors.data());
    deliver({{r, reflections.view()}, {tau, factors.view()}}, {a});
  });
}

void check_reflections(const TH_Tensor* a, const TH_Tensor* tau) {
  check_matrix(a, "A");
  check_types(*a, {tau});
  TH_CHECK(tau->ndim == 1, "tau should be a vector, got ", shape(*tau));
  TH_CHECK(tau->sizes[0] <= std::min(rows_of(*a), columns_of(*a)), "tau has ", tau->sizes[0],
           " elements, but A is ", shape(*a), "; pass A and tau as torch.geqrf returns them");
}

void orgqr(TH_Tensor* q, const TH_Tensor* a, const TH_Tensor* tau) {
  check_reflections(a, tau);
  check_types(*a, {q});
  const Matrix reflections(*a);
  const Tensor factors = contiguous(*tau);
  const int k = static_cast<int>(tau->sizes[0]);
  RealTypes::dispatch(a->dtype,
                      [&]<class T>() { generate<T>(*a, reflections, k, data<T>(factors)); });
  const TH_Tensor columns = reflections.corner(reflections.rows(), k);
  deliver({{q, columns}}, {a, tau});
}

void ormqr(TH_Tensor* r, const TH_Tensor* a, const TH_Tensor* tau, const TH_Tensor* c, bool left,
           bool transposed) {
  check_reflections(a, tau);
  check_matrix(c, "C");
  check_types(*a, {c, r});
  TH_CHECK(rows_of(*a) == c->sizes[left ? 0 : 1], "A is ", shape(*a), ", C is ", shape(*c),
           ": Q is square with the rows of A, so the ", left ? "rows" : "columns",
           " of C should be as many");
  const Matrix reflections(*a);
  const Matrix product(*c);
  const Tensor factors = contiguous(*tau);
  const int m = product.rows();
  const int n = product.columns();
  const int k = static_cast<int>(tau->sizes[0]);
  const int lda = reflections.rows();
  int info = 0;
  RealTypes::dispatch(a->dtype, [&]<class T>() {
    with_workspace<T>(*a, [&](T* work, int size) {
      lapack<T>(m)->ormqr(left ? "L" : "R", transposed ? "T" : "N", &m, &n, &k,
                          reflections.data<T>(), &lda, data<T>(factors), product.data<T>(), &m,
                          work, &size, &info, 1, 1);
    });
  });
  check_arguments(info, "ormqr");
  deliver({{r, product.view()}}, {a, tau, c});
}

}  // namespace

void register_linalg_qr(LinalgTable& b) {
  b.qr = qr;
  b.geqrf = geqrf;
  b.orgqr = orgqr;
  b.ormqr = ormqr;
}

}  // namespace th::cpu
