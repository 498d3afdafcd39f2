// Device memory for finding accesses beyond a block's end.
#pragma once

#include "core/memory/device_memory.h"

namespace thc {

/// Every piece in pages of its own, at their end, with an unmapped page behind: what reaches beyond
/// faults on a device as it does on a simulated one, and so does what comes after a free. Slow, and
/// takes 2 MiB at least for each tensor: THC_MEMORY=guard in the environment, for debugging.
class GuardedMemory final : public th::PoolBackend {
 public:
  /// Throws where the device cannot map pages. `page` as for DeviceMemory.
  GuardedMemory(DeviceMemory& memory, int device, size_t page);

  void* allocate(size_t bytes) noexcept override;
  void free(void* ptr, size_t bytes) noexcept override;
  th::Event record(th::Stream stream) noexcept override { return memory_.record(stream); }
  void wait(th::Stream stream, th::Event event) noexcept override { memory_.wait(stream, event); }
  void synchronize(th::Event event) noexcept override { memory_.synchronize(event); }
  bool passed(th::Event event) noexcept override { return memory_.passed(event); }
  void destroy(th::Event event) noexcept override { memory_.destroy(event); }

 private:
  size_t pages(size_t bytes) const { return (bytes + page_ - 1) / page_ * page_; }

  DeviceMemory& memory_;
  const int device_;
  const size_t page_;
};

}  // namespace thc
