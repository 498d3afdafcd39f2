// LAPACK's routines as OpenBLAS offers them: Fortran symbols, every argument by address, lengths of
// texts at the end.
#pragma once

#include <cstddef>

namespace th::cpu {

/// The routines for float (s...) or double (d...).
template <class T>
struct Lapack {
  using Int = const int*;
  using Text = const char*;
  using Length = size_t;

  void (*gesv)(Int n, Int nrhs, T* a, Int lda, int* pivots, T* b, Int ldb, int* info);
  void (*gels)(Text trans, Int m, Int n, Int nrhs, T* a, Int lda, T* b, Int ldb, T* work, Int lwork,
               int* info, Length);
  void (*trtrs)(Text uplo, Text trans, Text diag, Int n, Int nrhs, const T* a, Int lda, T* b,
                Int ldb, int* info, Length, Length, Length);
  void (*syevd)(Text jobz, Text uplo, Int n, T* a, Int lda, T* w, T* work, Int lwork, int* iwork,
                Int liwork, int* info, Length, Length);
  void (*geev)(Text jobvl, Text jobvr, Int n, T* a, Int lda, T* wr, T* wi, T* vl, Int ldvl, T* vr,
               Int ldvr, T* work, Int lwork, int* info, Length, Length);
  void (*gesdd)(Text jobz, Int m, Int n, T* a, Int lda, T* s, T* u, Int ldu, T* vt, Int ldvt,
                T* work, Int lwork, int* iwork, int* info, Length);
  void (*getrf)(Int m, Int n, T* a, Int lda, int* pivots, int* info);
  void (*getri)(Int n, T* a, Int lda, Int pivots, T* work, Int lwork, int* info);
  void (*potrf)(Text uplo, Int n, T* a, Int lda, int* info, Length);
  void (*potrs)(Text uplo, Int n, Int nrhs, const T* a, Int lda, T* b, Int ldb, int* info, Length);
  void (*potri)(Text uplo, Int n, T* a, Int lda, int* info, Length);
  void (*pstrf)(Text uplo, Int n, T* a, Int lda, int* pivots, int* rank, const T* tol, T* work,
                int* info, Length);
  void (*geqrf)(Int m, Int n, T* a, Int lda, T* tau, T* work, Int lwork, int* info);
  void (*orgqr)(Int m, Int n, Int k, T* a, Int lda, const T* tau, T* work, Int lwork, int* info);
  void (*ormqr)(Text side, Text trans, Int m, Int n, Int k, const T* a, Int lda, const T* tau, T* c,
                Int ldc, T* work, Int lwork, int* info, Length, Length);
};

/// The routines, for the length of a call: lapack<T>(n)->potrf(...), n the order of the largest
/// matrix.
///
/// OpenBLAS's number of threads is one for the process. It is 1, but while a large call runs by
/// itself that has a share of more than one: calls on one thread go on side by side, others wait
/// for each other.
template <class T>
class LapackCall {
 public:
  explicit LapackCall(int n);
  ~LapackCall();
  LapackCall(const LapackCall&) = delete;
  LapackCall& operator=(const LapackCall&) = delete;
  const Lapack<T>* operator->() const { return &functions_; }

 private:
  const Lapack<T>& functions_;
  bool threads_;
};

/// Throws th::Error with what to install when OpenBLAS cannot be opened or has no LAPACK.
template <class T>
LapackCall<T> lapack(int n) {
  return LapackCall<T>(n);
}

}  // namespace th::cpu
