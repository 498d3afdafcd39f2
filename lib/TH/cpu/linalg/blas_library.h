// OpenBLAS, opened when it is first needed.
//
// It is not linked, because its kernels are chosen while it is being loaded, from the processor's
// name: on AVX-512 processors it does not know by name it falls back to AVX2, which is half as
// fast. Opening it ourselves lets us ask for the right ones first. OPENBLAS_CORETYPE in the
// environment wins over that choice.
#pragma once

namespace th {

/// The functions of CBLAS that the core calls. Sizes are 32-bit in this library's builds.
struct BlasLibrary {
  enum Order { RowMajor = 101, ColumnMajor = 102 };
  enum Transpose { NoTranspose = 111, Transposed = 112 };

  void (*dgemm)(int order,
                int transpose_a,
                int transpose_b,
                int m,
                int n,
                int k,
                double alpha,
                const double* a,
                int lda,
                const double* b,
                int ldb,
                double beta,
                double* c,
                int ldc);
};

/// Throws th::Error with what to install when the library cannot be opened.
const BlasLibrary& blas_library();

/// A function of the library by its symbol, such as "dgesv_" of LAPACK; throws when it has none.
void* blas_symbol(const char* name);

}  // namespace th
