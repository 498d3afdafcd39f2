// Copies and fills of the simulated runtime: tasks of a stream.
#include <cstring>

#include "sim/memory.h"
#include "sim/state.h"

using namespace thc::sim;

namespace {

/// One end of a copy.
struct End {
  void* ptr = nullptr;  // as the simulator can reach it
  bool on_device = false;
  bool pinned = false;
  const void* address = nullptr;  // as the device knows it

  /// The memory is still there now that the copy runs.
  void check(size_t bytes) const {
    if (on_device && !owner_of(address)->arena.owns(address, bytes)) {
      throw MemoryFault(th::str("a copy touched address ", address, ", whose memory is gone"));
    }
  }
};

/// False: not a piece of one allocation.
bool find_end(const void* ptr, size_t bytes, End& end) {
  if (const Device* device = owner_of(ptr)) {
    end = {device->arena.open_address(ptr), true, false, ptr};
    return device->arena.owns(ptr, bytes);
  }
  end = {const_cast<void*>(ptr), false, is_pinned(ptr), ptr};
  return true;
}

cudaError_t copy(void* to, const void* from, size_t bytes, CUstream_st* stream) {
  End target;
  End source;
  if (stream == nullptr) {
    return cudaErrorInvalidResourceHandle;
  }
  if (!find_end(to, bytes, target) || !find_end(from, bytes, source)) {
    return cudaErrorInvalidValue;
  }
  // Pageable memory is read when the stream gets there: a device may copy it before the call
  // returns, and promises to only to who waits.
  const auto run = [=] {
    source.check(bytes);
    target.check(bytes);
    run_guarded([&] { std::memmove(target.ptr, source.ptr, bytes); });
  };
  add_task(*stream, {0, "copy", run, nullptr, false});
  if (!target.on_device && !target.pinned) {
    drain(stream, [=] { return stream->queue.empty(); });
    return stream->device->fault;
  }
  return cudaSuccess;
}

bool fits(cudaMemcpyKind kind, const void* to, const void* from) {
  const bool to_device = owner_of(to) != nullptr;
  const bool from_device = owner_of(from) != nullptr;
  switch (kind) {
    case cudaMemcpyHostToHost:
      return !to_device && !from_device;
    case cudaMemcpyHostToDevice:
      return to_device && !from_device;
    case cudaMemcpyDeviceToHost:
      return !to_device && from_device;
    case cudaMemcpyDeviceToDevice:
      return to_device && from_device;
    case cudaMemcpyDefault:
      return true;
  }
  return false;
}

}  // namespace

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  const std::lock_guard guard(lock());
  cudaError_t error = begin("cudaMemcpyAsync");
  if (error == cudaSuccess && bytes > 0) {
    error =
        fits(kind, to, from) ? copy(to, from, bytes, find_stream(stream)) : cudaErrorInvalidValue;
  }
  return end(error);
}

cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device,
                                size_t bytes, cudaStream_t stream) {
  const std::lock_guard guard(lock());
  cudaError_t error = begin("cudaMemcpyPeerAsync");
  if (error == cudaSuccess && bytes > 0) {
    const Device* target = owner_of(to);
    const Device* source = owner_of(from);
    if (target == nullptr || source == nullptr || target->number != to_device ||
        source->number != from_device) {
      error = cudaErrorInvalidValue;
    } else {
      error = copy(to, from, bytes, find_stream(stream));
    }
  }
  return end(error);
}

cudaError_t cudaMemsetAsync(void* ptr, int value, size_t bytes, cudaStream_t handle) {
  const std::lock_guard guard(lock());
  cudaError_t error = begin("cudaMemsetAsync");
  if (error == cudaSuccess && bytes > 0) {
    End target;
    CUstream_st* stream = find_stream(handle);
    if (stream == nullptr) {
      error = cudaErrorInvalidResourceHandle;
    } else if (!find_end(ptr, bytes, target) || !target.on_device) {
      error = cudaErrorInvalidValue;
    } else {
      const auto run = [=] {
        target.check(bytes);
        std::memset(target.ptr, value, bytes);
      };
      add_task(*stream, {0, "memset", run, nullptr, false});
    }
  }
  return end(error);
}

void thc::sim::poison(int device, cudaStream_t handle, void* ptr, size_t bytes) {
  const std::lock_guard guard(lock());
  CUstream_st* stream = handle == nullptr
                            ? state().devices[static_cast<size_t>(device)]->default_stream.get()
                            : handle;
  const End target{stream->device->arena.open_address(ptr), true, false, ptr};
  const auto run = [=] {
    target.check(bytes);
    std::memset(target.ptr, kPoison, bytes);
  };
  add_task(*stream, {0, "poison", run, nullptr, false});
}
