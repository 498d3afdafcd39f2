// Events: points in the work of streams.
#pragma once

#include <cuda_runtime.h>

#include "core/device.h"

namespace thc {

/// Work enqueued on `stream` from now on waits for what is on `other` now. Costs the host nothing
/// but the calls; a stream does not wait for itself.
void wait_for(int device, cudaStream_t stream, int other_device, cudaStream_t other);

/// A point in a stream's work that a script can hold on to.
class Event {
 public:
  /// On a device's current stream, as far as it has got now.
  Event(int device, bool timed);
  /// On any stream of the device.
  Event(int device, cudaStream_t stream);
  ~Event();
  Event(const Event&) = delete;

  void record(int device);
  /// Let the current stream of a device wait for it.
  void wait_on(int device) const;
  void synchronize() const;
  bool passed() const;
  /// Milliseconds between two timed events that have passed.
  static double elapsed(const Event& start, const Event& end);

 private:
  cudaEvent_t event_ = nullptr;
  int device_;
  bool timed_;
};

}  // namespace thc
