// Element types and reductions as MPI knows them, and as this process computes them itself.
#pragma once

#include <cstdint>

#include <mpi.h>

namespace distributed {

/// Throws where a call of MPI was no success.
void check_mpi(int status, const char* call);

MPI_Datatype mpi_type(int dtype);
/// half and bfloat16 are combined by functions of ours, which round after each element's step;
/// minima and maxima of floats and doubles as well, which keep a NaN.
MPI_Op mpi_op(int dtype, int reduction);

/// r[i] = r[i] combined with x[i]
void combine(int dtype, int reduction, void* r, const void* x, int64_t count);

}  // namespace distributed
