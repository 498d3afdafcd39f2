// The caching allocator behind device memory, pinned host memory and CPU memory.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/memory/block_pool/backend.h"
#include "core/memory/block_pool/heap.h"
#include "core/memory/block_pool/history.h"
#include "core/memory/block_pool/lock.h"
#include "core/memory/block_pool/statistics.h"

#pragma GCC visibility push(default)  // for backends in libraries of their own
namespace th {

/// How a pool behaves. Sizes in bytes.
struct PoolConfig {
  static constexpr size_t kUnlimited = std::numeric_limits<int64_t>::max();

  /// Sizes are multiples of it, blocks are aligned to it. A power of two.
  size_t granule = 512;
  /// Up to this size requests share segments of `page` bytes; larger ones are kept apart.
  size_t small_limit = size_t(1) << 20;
  /// Segments are multiples of it, and ranges are mapped in units of it. A power of two.
  size_t page = size_t(2) << 20;
  /// Not 0: heaps are ranges of at least so many addresses, filled page by page.
  size_t range_bytes = 0;
  /// Where heaps are not ranges: a large request below half of this gets a segment of this size
  /// to share, others one of their own.
  size_t shared_segment = size_t(20) << 20;
  /// Memory that the host writes while devices may still read it. Every block is a piece of its
  /// own, its size rounded up to eight steps per octave and never split, and a block is given out
  /// again only when the streams that used it have passed, not merely made to wait.
  bool pinned = false;
  /// Every block is a piece of its own, exactly as large as was asked up to the granule, and is
  /// given back when it is freed: for backends that put what nobody may touch around each piece.
  bool guarded = false;
  /// Free memory is given back beyond 9/8 of the recent peak of live bytes plus this.
  size_t keep_idle = kUnlimited;
  /// A peak is forgotten when so much time passed since, at the latest: after one to two times
  /// this. Sooner where many times the peak was allocated anew.
  double remember_seconds = 5;
};

/// A pool of memory blocks of a backend.
///
/// Blocks belong to the stream they were allocated for: their memory may be reused by later work
/// of that stream as soon as they are freed, for it runs after. Whoever uses a block on another
/// stream says so by use(); the pool then records an event there when the block is freed, and
/// makes the owner's stream wait for it when the memory is given out again.
///
/// Allocating and freeing take constant time while the cache has what is asked for. When it has
/// not and the backend has no memory left (or the limit is reached), the pool gives everything
/// free back to the backend, of all streams, and tries once more.
///
/// Requests above kMaxBytes always fail. Thread-safe. Never calls into a script. Misuse (a block
/// freed twice) is a bug of the caller and asserted.
class BlockPool {
 public:
  static constexpr size_t kMaxBytes = size_t(1) << 50;

  /// The backend must outlive the pool.
  explicit BlockPool(PoolBackend& backend, PoolConfig config = {});
  /// Gives back all memory, also of live blocks.
  ~BlockPool();
  BlockPool(const BlockPool&) = delete;
  BlockPool& operator=(const BlockPool&) = delete;

  /// A block of at least `bytes` (0 counts as 1) for work on `stream`, its contents undefined, or
  /// nullptr: out of memory, see describe_failure(). The host's memory may be what is short.
  [[nodiscard]] Block* allocate(size_t bytes, Stream stream = nullptr) noexcept;
  /// The same where free memory or new memory has room: nothing is given back for it, nobody waits,
  /// and that there is none is no failure.
  [[nodiscard]] Block* try_allocate(size_t bytes, Stream stream = nullptr) noexcept;
  /// Take a block back. The record may be reused at once: do not look at it again.
  void free(Block* block) noexcept;
  /// Note that work on `stream` uses a live block of another stream. Enqueue that work before the
  /// block is freed. The stream must exist until then. Throws std::bad_alloc where the host has no
  /// memory for the note.
  void use(Block* block, Stream stream);
  /// Wait for what the streams that were noted have been told so far.
  void wait_for_uses(Block* block);

  /// Whether the default stream has a free large block of at least `bytes` now.
  bool has_free(size_t bytes) const;

  /// For fork, in the thread that forks: a child must find the pool whole and unlocked.
  void lock() const { mutex_.lock(); }
  void unlock() const { mutex_.unlock(); }

  /// Give all free memory back to the backend. Returns the bytes given back.
  size_t empty_cache();
  /// At most so many bytes reserved, 0: no limit. Gives back what is free if that exceeds it; live
  /// blocks stay.
  void set_limit(size_t bytes);
  /// Whether heaps grow in ranges of so many addresses or (0) in segments from now on; see
  /// PoolConfig::range_bytes. Memory taken before stays what it is.
  void set_range_bytes(size_t bytes);
  size_t range_bytes() const;

  PoolStatistics statistics() const;
  /// Let peaks start anew at the current values.
  void reset_peaks();
  /// Bytes of live blocks. May be read at any time without a lock.
  const int64_t& live_bytes() const { return statistics_.allocated.current; }

  /// Why `bytes` cannot be had, as in "asked 1.50 GiB; in use 70.20 GiB, cached 3.10 GiB (largest
  /// block 0.90 GiB), limit 80.00 GiB".
  std::string describe_failure(size_t bytes) const;
  /// The same from "in use" on.
  std::string describe_use() const;
  /// The `lines` lines of the script that hold most, as in "1.50 GiB by train.lua:12, 20.00 MiB by
  /// train.lua:40"; empty unless a history is kept.
  std::string describe_holders(size_t lines) const;
  /// Remember the latest `entries` events and the script's line of each live block allocated from
  /// now on; 0 stops. See set_allocation_line().
  void keep_history(size_t entries);
  /// Put a mark into the history: a step of the program ends here.
  void mark();
  /// What the history tells, for a replay; see block_pool_trace.cpp.
  std::string trace() const;
  /// Everything the pool holds, as JSON: statistics, segments with their blocks, history.
  std::string snapshot() const;

 private:
  bool has_shared_pieces() const { return !config_.pinned && !config_.guarded; }
  size_t rounded(size_t bytes) const;
  /// nullptr: the host has no memory for the records of a new stream.
  Heap* heap_of(Stream stream, size_t bytes);
  StreamHeaps* add_stream(Stream stream);
  Block* take(size_t bytes, Stream stream, bool insist);
  /// A free block of at least `bytes`, still in its bin, or nullptr. Grows the heap if need be, and
  /// releases what is free elsewhere where somebody insists.
  Block* find(Heap& heap, size_t bytes, bool insist);
  Block* find_after_release(Heap& heap, size_t bytes);
  void refuse(size_t bytes, Stream stream);
  Block* find_pinned(Heap& heap, size_t bytes);
  /// Let the block's next user come after its last ones.
  void settle(Block* block);
  void drop_uses(Block* block);
  void record_uses(Block* block);
  void adopt_uses(Block* to, Block* from);
  Block* split(Block* block, size_t bytes);
  /// Put a block that has just become free beside its free neighbours and into its bin.
  Block* merge_and_insert(Block* block);
  void absorb_next(Block* block);
  void remove_free(Block* block);
  void count_segment(const Segment& segment, int sign);

  // Memory from the backend and back: block_pool_segments.cpp and block_pool_release.cpp.
  Block* grow(Heap& heap, size_t bytes);
  size_t missing_in_gap(const Block* gap, size_t bytes) const;
  Block* find_gap(Heap& heap, size_t bytes);
  Block* fill_gap(Block* gap, size_t bytes);
  Block* map_pages(Block* unmapped, size_t bytes);
  /// A segment of a heap, without memory yet, or nullptr: the host has none for the record.
  Segment* new_segment(Heap& heap, size_t bytes, bool paged);
  void remove_segment(Segment& segment);
  Block* fill_segment(Segment& segment, void* ptr);
  bool within_limit(size_t more) const;
  size_t release_segment(Segment& segment);
  size_t release_pages(Block* block, size_t at_most);
  size_t release(size_t at_most, bool wait_for_streams);
  size_t release_from(Heap& heap, size_t at_most, bool wait_for_streams);
  void link_unmapped(Block* block);
  void unlink_unmapped(Block* block);
  void give_back_surplus();
  void note_peak();
  void start_window();
  template <class F>
  void for_each_heap(F&& f) const {
    f(const_cast<Heap&>(default_heaps_.large));
    f(const_cast<Heap&>(default_heaps_.small));
    for (const auto& heaps : stream_heaps_) {
      f(heaps->large);
      f(heaps->small);
    }
  }

  PoolStatistics statistics_locked() const;
  void note(PoolHistory::Kind kind, void* ptr, size_t bytes, Stream stream, uint32_t line);

  PoolBackend& backend_;
  PoolConfig config_;  // range_bytes may change
  mutable SpinLock mutex_;
  BlockStore store_;
  StreamHeaps default_heaps_;
  std::vector<std::unique_ptr<StreamHeaps>> stream_heaps_;
  StreamHeaps* last_heaps_;
  size_t limit_ = 0;
  uint64_t events_ = 0;
  PoolStatistics statistics_;
  std::vector<Counter> by_class_;
  PoolHistory history_;

  // The recent peak of live bytes: over this window and the one before it. A window lasts until
  // four times the last one's peak was allocated anew, which is more than most training steps do,
  // or some seconds, so that giving memory back and taking it again costs little beside using it.
  using Clock = std::chrono::steady_clock;
  int64_t window_peak_ = 0, last_window_peak_ = 0;
  int64_t window_end_ = 0;
  Clock::time_point window_start_{};
  uint32_t frees_with_surplus_ = 0;
  int64_t next_surplus_check_ = 0;
};

/// "1.50 GiB", "12 bytes".
std::string format_bytes(double bytes);

}  // namespace th

#pragma GCC visibility pop
