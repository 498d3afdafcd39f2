// What a BlockPool asks of the memory it manages.
#pragma once

#include <cstddef>

#pragma GCC visibility push(default)  // for backends in libraries of their own
namespace th {

/// An ordered queue of device work, known to the backend only. nullptr is the default stream.
using Stream = void*;
/// A point in a stream's work, owned by whoever recorded it. nullptr is a point already passed.
using Event = void*;

/// Memory that comes in large pieces, and the order in which devices use it.
///
/// A pool calls its backend with its own lock held, but for waits of the host that others need not
/// share (synchronize may be called without): never call the pool from here. Nothing here
/// throws; what can fail says so by its result. The defaults suit memory without streams and
/// without pages.
class PoolBackend {
 public:
  virtual ~PoolBackend() = default;

  /// A new piece of `bytes`, aligned to the pool's granule at least, or nullptr: out of memory.
  virtual void* allocate(size_t bytes) noexcept = 0;
  /// Give a piece back. Work queued on the pool's streams may still use it: wait for that first.
  virtual void free(void* ptr, size_t bytes) noexcept = 0;

  // --- address ranges filled page by page (mmap; CUDA's virtual memory management) ---------------
  // With them a heap grows in place and gives back pages between live blocks. A pool that is
  // configured with range_bytes uses them instead of allocate and free.

  /// Addresses without memory, aligned to the page size, or nullptr: then allocate is used.
  /// for_small: many small blocks will lie there.
  virtual void* reserve(size_t /*bytes*/, bool /*for_small*/) noexcept { return nullptr; }
  virtual void unreserve(void* /*ptr*/, size_t /*bytes*/) noexcept {}
  /// Memory for whole pages of a range; false: out of memory, nothing changed.
  virtual bool map(void* /*ptr*/, size_t /*bytes*/) noexcept { return false; }
  /// Give whole pages back, their addresses stay reserved. Work queued on `owner`, the stream they
  /// were taken for, may still use them: wait for that first.
  virtual void unmap(void* /*ptr*/, size_t /*bytes*/, Stream /*owner*/) noexcept {}
  /// Whether unmapping may begin or end at this page: memory may have been mapped in larger pieces.
  virtual bool is_border(const void* /*page*/) const noexcept { return true; }

  // --- streams -----------------------------------------------------------------------------------

  /// The point that the work queued on the stream so far ends at.
  virtual Event record(Stream) noexcept { return nullptr; }
  /// Let work queued on the stream from now on start after the event. Does not block the caller.
  virtual void wait(Stream, Event) noexcept {}
  /// Block the caller until the event has passed.
  virtual void synchronize(Event) noexcept {}
  /// Whether the event has passed.
  virtual bool passed(Event) noexcept { return true; }
  virtual void destroy(Event) noexcept {}
};

}  // namespace th

#pragma GCC visibility pop
