// How the pools' memory calls CUDA: a pool must not throw, and must not disturb its caller.
#pragma once

#include <vector>

#include <cuda.h>
#include <cuda_runtime.h>

#include "core/device.h"

namespace thc {

/// What CUDA said when it last gave no memory to the calling thread; a pool only passes on that
/// there is none.
struct Refusal {
  cudaError_t error = cudaSuccess;
  const char* call = nullptr;

  /// Not for lack of memory, which a pool can explain better.
  bool is_fault() const { return error != cudaSuccess && error != cudaErrorMemoryAllocation; }
};
/// And forget it.
Refusal take_refusal();

/// Events of one device, used again.
class EventCache {
 public:
  /// nullptr: no event can be made.
  cudaEvent_t take() noexcept;
  /// There is room for every event that was made.
  void give(cudaEvent_t event) noexcept { free_.push_back(event); }

 private:
  std::vector<cudaEvent_t> free_;
  size_t made_ = 0;
};

/// Whether a call worked, for take_refusal(). The driver numbers its errors as the runtime does.
bool worked(cudaError_t error, const char* call);
inline bool worked(CUresult error, const char* call) {
  return worked(static_cast<cudaError_t>(error), call);
}
#define THC_WORKED(CALL) ::thc::worked(CALL, #CALL)

/// Where nothing can be done about an error: a sticky one comes again, another is over.
inline void ignore(cudaError_t error) {
  if (error != cudaSuccess) {
    cudaGetLastError();
  }
}

/// A device current for a scope. The pool must not throw and must not disturb its caller. A thread
/// that had none current keeps this one: the first device, which CUDA names then, would get a
/// context.
class Switch {
 public:
  explicit Switch(int device) : device_(device) {
    if (cudaGetDevice(&before_) == cudaSuccess && before_ != device_) {
      ignore(cudaSetDevice(device_));
    }
  }
  ~Switch() {
    if (before_ != device_ && has_active()) {
      ignore(cudaSetDevice(before_));
    }
  }

 private:
  int device_;
  int before_ = 0;
};

/// Whether an event has passed. One that could not be made has: its stream was waited for.
bool passed_event(cudaEvent_t event);

}  // namespace thc
