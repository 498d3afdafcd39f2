#include "core/device_memory.h"

#include <map>
#include <mutex>
#include <utility>

namespace thc {
namespace {

/// A device current for a scope. The pool must not throw and must not disturb its caller.
class Switch {
 public:
  explicit Switch(int device) : device_(device) {
    if (cudaGetDevice(&before_) == cudaSuccess && before_ != device_) {
      cudaSetDevice(device_);
    }
  }
  ~Switch() {
    if (before_ != device_) {
      cudaSetDevice(before_);
    }
  }

 private:
  int device_;
  int before_ = 0;
};

/// What a pinned pool's stream stands for.
struct Place {
  int device;
  cudaStream_t stream;
};

/// An event and the device whose cache it came from.
struct PlacedEvent {
  int device;
  cudaEvent_t event;
};

bool passed_event(cudaEvent_t event) {
  const cudaError_t state = cudaEventQuery(event);
  if (state != cudaSuccess) {
    cudaGetLastError();
  }
  // After a fault nothing runs any more: waiting would be for ever.
  return state != cudaErrorNotReady;
}

}  // namespace

cudaEvent_t EventCache::take() {
  if (!free_.empty()) {
    const cudaEvent_t event = free_.back();
    free_.pop_back();
    return event;
  }
  cudaEvent_t event = nullptr;
  if (cudaEventCreateWithFlags(&event, cudaEventDisableTiming) != cudaSuccess) {
    cudaGetLastError();
    return nullptr;
  }
  return event;
}

void* DeviceMemory::allocate(size_t bytes) noexcept {
  const Switch to(device_);
  void* ptr = nullptr;
  if (cudaMalloc(&ptr, bytes) != cudaSuccess) {
    cudaGetLastError();  // the pool reports it as out of memory
    return nullptr;
  }
  return ptr;
}

void DeviceMemory::free(void* ptr, size_t) noexcept {
  const Switch to(device_);
  cudaFree(ptr);  // waits for the device
}

th::Event DeviceMemory::record(th::Stream stream) noexcept {
  const Switch to(device_);
  const cudaEvent_t event = events_.take();
  if (event != nullptr &&
      cudaEventRecord(event, static_cast<cudaStream_t>(stream)) == cudaSuccess) {
    return event;
  }
  // Without an event there is only one way to be sure that the stream has passed.
  cudaGetLastError();
  cudaStreamSynchronize(static_cast<cudaStream_t>(stream));
  destroy(event);
  return nullptr;
}

void DeviceMemory::wait(th::Stream stream, th::Event event) noexcept {
  const Switch to(device_);
  if (cudaStreamWaitEvent(static_cast<cudaStream_t>(stream), static_cast<cudaEvent_t>(event), 0) !=
      cudaSuccess) {
    cudaGetLastError();
    synchronize(event);
  }
}

void DeviceMemory::synchronize(th::Event event) noexcept {
  cudaEventSynchronize(static_cast<cudaEvent_t>(event));
}

bool DeviceMemory::passed(th::Event event) noexcept {
  return passed_event(static_cast<cudaEvent_t>(event));
}

void DeviceMemory::destroy(th::Event event) noexcept {
  if (event != nullptr) {
    events_.give(static_cast<cudaEvent_t>(event));
  }
}

th::Stream PinnedMemory::key(int device, cudaStream_t stream) {
  static std::mutex mutex;
  static auto& places = *new std::map<std::pair<int, cudaStream_t>, Place>;
  const std::lock_guard lock(mutex);
  return &places.try_emplace({device, stream}, Place{device, stream}).first->second;
}

void* PinnedMemory::allocate(size_t bytes) noexcept {
  void* ptr = nullptr;
  if (cudaHostAlloc(&ptr, bytes, cudaHostAllocPortable) != cudaSuccess) {
    cudaGetLastError();
    return nullptr;
  }
  return ptr;
}

void PinnedMemory::free(void* ptr, size_t) noexcept { cudaFreeHost(ptr); }

th::Event PinnedMemory::record(th::Stream stream) noexcept {
  const auto& place = *static_cast<const Place*>(stream);
  const Switch to(place.device);
  auto event = new PlacedEvent{place.device, events_[place.device].take()};
  if (event->event != nullptr && cudaEventRecord(event->event, place.stream) == cudaSuccess) {
    return event;
  }
  cudaGetLastError();
  cudaStreamSynchronize(place.stream);
  destroy(event);
  return nullptr;
}

void PinnedMemory::synchronize(th::Event event) noexcept {
  cudaEventSynchronize(static_cast<PlacedEvent*>(event)->event);
}

bool PinnedMemory::passed(th::Event event) noexcept {
  return passed_event(static_cast<PlacedEvent*>(event)->event);
}

void PinnedMemory::destroy(th::Event event) noexcept {
  auto* placed = static_cast<PlacedEvent*>(event);
  if (placed->event != nullptr) {
    events_[placed->device].give(placed->event);
  }
  delete placed;
}

}  // namespace thc
