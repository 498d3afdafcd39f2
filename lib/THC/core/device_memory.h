// What the pools ask CUDA for: the few lines of the allocator that call it.
#pragma once

#include <map>
#include <vector>

#include <cuda_runtime.h>

#include "core/block_pool_backend.h"

namespace thc {

/// Events of one device, used again.
class EventCache {
 public:
  /// nullptr: no event can be made.
  cudaEvent_t take();
  void give(cudaEvent_t event) { free_.push_back(event); }

 private:
  std::vector<cudaEvent_t> free_;
};

/// Memory of a device; th::Stream is a cudaStream_t of it.
class DeviceMemory final : public th::PoolBackend {
 public:
  explicit DeviceMemory(int device) : device_(device) {}

  void* allocate(size_t bytes) noexcept override;
  void free(void* ptr, size_t bytes) noexcept override;
  th::Event record(th::Stream stream) noexcept override;
  void wait(th::Stream stream, th::Event event) noexcept override;
  void synchronize(th::Event event) noexcept override;
  bool passed(th::Event event) noexcept override;
  void destroy(th::Event event) noexcept override;

 private:
  const int device_;
  EventCache events_;
};

/// Page-locked host memory. Streams of all devices use it, so th::Stream is a key(device, stream).
class PinnedMemory final : public th::PoolBackend {
 public:
  static th::Stream key(int device, cudaStream_t stream);

  void* allocate(size_t bytes) noexcept override;
  void free(void* ptr, size_t bytes) noexcept override;
  th::Event record(th::Stream stream) noexcept override;
  void synchronize(th::Event event) noexcept override;
  bool passed(th::Event event) noexcept override;
  void destroy(th::Event event) noexcept override;

 private:
  std::map<int, EventCache> events_;  // by device
};

}  // namespace thc
