// How kernels reach a simulated device: as tasks of its streams.
#pragma once

#include <functional>

#include <cuda_runtime.h>

namespace thc::sim {

/// Add a task to a stream of the current device. It runs when something waits for it, with that
/// device's memory accessible; an exception it throws is a fault of the device (a sticky error).
/// A failure to enqueue is returned, and what cudaGetLastError() returns next.
cudaError_t enqueue(cudaStream_t stream, const char* what, std::function<void()> task);

}  // namespace thc::sim
