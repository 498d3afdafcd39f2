#include <map>
#include <mutex>
#include <new>
#include <utility>

#include "core/memory/device_memory.h"
#include "core/memory/memory_calls.h"

namespace thc {
namespace {

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

}  // namespace

th::Stream PinnedMemory::key(int device, cudaStream_t stream) {
  static std::mutex mutex;
  static auto& places = *new std::map<std::pair<int, cudaStream_t>, Place>;
  const std::lock_guard lock(mutex);
  return &places.try_emplace({device, stream}, Place{device, stream}).first->second;
}

// Each call wants a context, and makes one on the first device where a thread has none: hundreds of
// MiB of it. Hence activate_any().

void* PinnedMemory::allocate(size_t bytes) noexcept {
  activate_any();
  void* ptr = nullptr;
  return THC_WORKED(cudaHostAlloc(&ptr, bytes, cudaHostAllocPortable)) ? ptr : nullptr;
}

void PinnedMemory::free(void* ptr, size_t) noexcept {
  activate_any();
  ignore(cudaFreeHost(ptr));
}

th::Event PinnedMemory::record(th::Stream stream) noexcept {
  const auto& place = *static_cast<const Place*>(stream);
  const Switch to(place.device);
  auto placed = new (std::nothrow) PlacedEvent{place.device, nullptr};
  if (placed != nullptr) {
    placed->event = cache_of(place.device).take();
    if (placed->event != nullptr && cudaEventRecord(placed->event, place.stream) == cudaSuccess) {
      return placed;
    }
    destroy(placed);
  }
  cudaGetLastError();
  ignore(cudaStreamSynchronize(place.stream));
  return nullptr;
}

void PinnedMemory::synchronize(th::Event event) noexcept {
  if (event != nullptr) {
    activate_any();
    ignore(cudaEventSynchronize(static_cast<PlacedEvent*>(event)->event));
  }
}

bool PinnedMemory::passed(th::Event event) noexcept {
  activate_any();
  return event == nullptr || passed_event(static_cast<PlacedEvent*>(event)->event);
}

void PinnedMemory::destroy(th::Event event) noexcept {
  auto* placed = static_cast<PlacedEvent*>(event);
  if (placed == nullptr) {
    return;
  }
  if (placed->event != nullptr) {
    cache_of(placed->device).give(placed->event);
  }
  delete placed;
}

}  // namespace thc
