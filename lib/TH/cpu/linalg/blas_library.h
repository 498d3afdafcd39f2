// OpenBLAS, for its LAPACK, opened when it is first needed.
//
// It is not linked, because its kernels are chosen while it is being loaded, from the processor's
// name: on AVX-512 processors it does not know by name it falls back to AVX2, which is half as
// fast. Opening it ourselves lets us ask for the right ones first. OPENBLAS_CORETYPE in the
// environment wins over that choice.
#pragma once

namespace th {

/// A function of the library by its symbol, such as "dgesv_"; throws th::Error with what to install
/// when the library cannot be opened or has no such function.
void* blas_symbol(const char* name);

}  // namespace th
