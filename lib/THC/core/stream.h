// Streams: ordered queues of work, several per device. Number 0 is CUDA's default stream.
#pragma once

#include <cuda_runtime.h>

#include "TH_core.h"
#include "core/device.h"

namespace thc {

/// The stream that this thread's operations on `device` go to.
cudaStream_t current_stream(int device);
int current_stream_index(int device);
void set_current_stream(int device, int index);

/// Have streams 1 to `count` on every device; never takes any away. Streams that are not
/// non-blocking wait for the default stream's work and it for theirs.
void reserve_streams(int count, bool non_blocking);
int stream_count();
/// A new stream of a library's own, which scripts have no number for; it waits for no other.
cudaStream_t private_stream(int device);
/// Throws unless the device has a stream of that number.
cudaStream_t stream_at(int device, int index);

/// Whether anything but default streams was ever in use. While not, no tensor can be on another
/// stream than its own.
bool many_streams();

/// Where an operation on t runs: t's device is made active, its current stream returned.
inline cudaStream_t stream_for(const TH_Tensor& t) {
  activate(t.device);
  return current_stream(t.device);
}

void synchronize_stream(int device, int index);
/// Wait for all work of a device.
void synchronize(int device);

}  // namespace thc
