// The one sort on the device: everything that has to be in order becomes 64-bit keys.
#pragma once

#include <cstdint>

#include <cuda_runtime.h>

namespace thc {

/// Sort n keys, ascending, and move the values with them; equal keys keep their order. Enqueues.
void sort_pairs(cudaStream_t stream, uint64_t* keys, int64_t* values, int64_t n);

}  // namespace thc
