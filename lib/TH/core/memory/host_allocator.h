// Where tensors of the CPU live.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "core/memory/block_pool/pool.h"

#pragma GCC visibility push(default)  // for what shows the CPU's memory beside a device's
namespace th {

/// CPU memory from a BlockPool over mmap: cached between uses, 64-byte aligned (a cache line and
/// the widest vector), large blocks on huge pages.
///
/// Free memory goes back to the system beyond 9/8 of the recent peak of live bytes plus 64 MiB. A
/// request the machine or its control group cannot serve is refused instead of letting the kernel
/// kill the process when the memory is touched; asking costs some 150 us, so only requests that
/// take 64 MiB or more from the system are looked at.
///
/// Built with AddressSanitizer, free memory and the bytes behind a block are poisoned.
///
/// Thread-safe.
class HostAllocator {
 public:
  /// The one behind tensors. Never destroyed, because storages may outlive every static object.
  static HostAllocator& instance();

  HostAllocator();
  ~HostAllocator();

  /// A block of at least `bytes` (0 counts as 1), contents undefined. Throws th::OutOfMemory with
  /// what was asked, what is in use and what the machine has left.
  Block* allocate(size_t bytes);
  void free(Block* block) noexcept;
  /// Throw th::OutOfMemory for `bytes` that could not be had here or from the system.
  [[noreturn]] void refuse(size_t bytes) const;
  /// What to say of memory of unknown size that the system's allocator did not have.
  std::string describe_shortage() const;

  /// Bytes of live blocks, rounding included. The object stays where it is, so that a binding can
  /// read it at any time.
  const int64_t& live_bytes() const { return pool_->live_bytes(); }
  /// Give all free memory back to the system; returns the bytes.
  size_t empty_cache() { return pool_->empty_cache(); }
  /// Statistics, history, snapshot, limit.
  BlockPool& pool() { return *pool_; }

 private:
  std::unique_ptr<PoolBackend> backend_;
  std::unique_ptr<BlockPool> pool_;
};

}  // namespace th

#pragma GCC visibility pop
