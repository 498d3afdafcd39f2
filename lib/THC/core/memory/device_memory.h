// What the pools ask CUDA for: the few lines of the allocator that call it.
#pragma once

#include <array>
#include <mutex>
#include <vector>

#include <cuda_runtime.h>

#include "core/device.h"
#include "core/driver.h"
#include "core/memory/block_pool/backend.h"
#include "core/memory/mapped_pieces.h"
#include "core/memory/memory_calls.h"

namespace thc {

/// Memory of a device; th::Stream is a cudaStream_t of it. Segments come from cudaMalloc, and where
/// device and driver have virtual memory management, as a page that is mapped for a trial tells,
/// ranges of addresses are filled with it.
class DeviceMemory final : public th::PoolBackend {
 public:
  /// `page` is what mappings are to be multiples of.
  DeviceMemory(int device, size_t page);

  /// Whether reserve and map can be used.
  bool has_ranges() const { return driver_ != nullptr; }
  /// Let kernels of another device reach what is and will be mapped, or no longer. Segments need no
  /// such thing: cudaDeviceEnablePeerAccess is about them. Throws where the driver refuses.
  void set_access(int device, bool enabled);
  /// Wait for everything on the device.
  void synchronize_all() noexcept;

  void* allocate(size_t bytes) noexcept override;
  void free(void* ptr, size_t bytes) noexcept override;
  void* reserve(size_t bytes, bool for_small) noexcept override;
  void unreserve(void* ptr, size_t bytes) noexcept override;
  bool map(void* ptr, size_t bytes) noexcept override;
  void unmap(void* ptr, size_t bytes, th::Stream owner) noexcept override;
  bool is_border(const void* page) const noexcept override { return pieces_.is_border(page); }
  th::Event record(th::Stream stream) noexcept override;
  void wait(th::Stream stream, th::Event event) noexcept override;
  void synchronize(th::Event event) noexcept override;
  bool passed(th::Event event) noexcept override;
  void destroy(th::Event event) noexcept override;

 private:
  bool can_map();
  bool map_piece(void* ptr, size_t bytes) const;
  void unmap_piece(void* ptr, size_t bytes) const;

  const int device_;
  const size_t page_;
  const Driver* driver_ = nullptr;
  EventCache events_;
  mutable std::mutex mutex_;  // scripts change access while the pool, with its own lock, maps
  th::MappedPieces pieces_;
  std::vector<CUmemAccessDesc> access_;  // of this device and of the peers that may reach it
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
  EventCache& cache_of(int device) { return events_[static_cast<size_t>(device)]; }

  std::array<EventCache, kMaxDevices> events_;
};

}  // namespace thc
