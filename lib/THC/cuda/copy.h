// Copies that need not be finished on return.
#pragma once

#include <cuda_runtime.h>

#include "TH_core.h"

namespace thc {

/// As th::copy, but where the host's side lies compactly in pinned memory it returns at once: that
/// memory must not be read or written before the device's current stream has passed.
void copy_async(TH_Tensor& r, const TH_Tensor& x);

/// Where two tensors of equal sizes, which do not overlap, have elements of U's size side by side
/// along different dimensions: copy tile by tile. False: they do not, nothing was done.
template <class U>
bool copy_transposed(TH_Tensor& r, const TH_Tensor& x, cudaStream_t stream);

}  // namespace thc
