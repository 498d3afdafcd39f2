#include "core/event.h"

#include <array>

#include "core/stream.h"

namespace thc {
namespace {

/// One event per device and thread serves all waits: a wait refers to the recording that came
/// before it, not to the event's later ones.
cudaEvent_t shared_event(int device) {
  thread_local std::array<cudaEvent_t, kMaxDevices> events{};
  cudaEvent_t& event = events[static_cast<size_t>(device)];
  if (event == nullptr) {
    activate(device);
    THC_CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  }
  return event;
}

}  // namespace

void wait_for(int device, cudaStream_t stream, int other_device, cudaStream_t other) {
  if (device == other_device && stream == other) {
    return;
  }
  const cudaEvent_t event = shared_event(other_device);
  activate(other_device);
  THC_CHECK(cudaEventRecord(event, other));
  activate(device);
  THC_CHECK(cudaStreamWaitEvent(stream, event, 0));
}

Event::Event(int device, bool timed) : device_(device), timed_(timed) {
  activate(device);
  THC_CHECK(cudaEventCreateWithFlags(&event_, timed ? cudaEventDefault : cudaEventDisableTiming));
  record(device);
}

Event::Event(int device, cudaStream_t stream) : device_(device), timed_(false) {
  activate(device);
  THC_CHECK(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming));
  THC_CHECK(cudaEventRecord(event_, stream));
}

Event::~Event() { cudaEventDestroy(event_); }

void Event::record(int device) {
  TH_CHECK(device == device_, "the event belongs to device ", device_ + 1,
           " and cannot be recorded on device ", device + 1, "; make one there");
  activate(device);
  THC_CHECK(cudaEventRecord(event_, current_stream(device)));
}

void Event::wait_on(int device) const {
  activate(device);
  THC_CHECK(cudaStreamWaitEvent(current_stream(device), event_, 0));
}

void Event::synchronize() const { THC_CHECK(cudaEventSynchronize(event_)); }

bool Event::passed() const {
  const cudaError_t state = cudaEventQuery(event_);
  if (state == cudaErrorNotReady) {
    cudaGetLastError();  // not an error of anybody's
    return false;
  }
  THC_CHECK(state);
  return true;
}

double Event::elapsed(const Event& start, const Event& end) {
  TH_CHECK(start.timed_ && end.timed_, "both events must be timed ones");
  float milliseconds = 0;
  THC_CHECK(cudaEventElapsedTime(&milliseconds, start.event_, end.event_));
  return milliseconds;
}

}  // namespace thc
