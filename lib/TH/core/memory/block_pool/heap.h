// The pool's own records. They lie outside of the memory they describe, which the host may not be
// able to touch.
#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "core/memory/block_pool/backend.h"
#include "core/memory/block_pool/bins.h"
#include "core/memory/block_pool/block.h"

namespace th {

struct Heap;

/// One piece from the backend, or one range of addresses that is filled page by page.
struct Segment {
  Heap* heap;
  Block* first;
  size_t bytes;
  bool paged;
  int64_t live_blocks = 0;
  int64_t free_blocks = 0;
  int64_t free_bytes = 0;
};

/// The segments of one stream for requests of one kind, small or large, so that small blocks which
/// live long do not stand in the way of large ones.
struct Heap {
  Heap(Stream the_stream, bool small, size_t granule)
      : stream(the_stream), is_small(small), bins(granule) {}

  const Stream stream;
  const bool is_small;
  Bins bins;
  Block* unmapped = nullptr;  // a list through previous_free and next_free
  std::vector<std::unique_ptr<Segment>> segments;
};

struct StreamHeaps {
  StreamHeaps(Stream stream, size_t granule)
      : small(stream, true, granule), large(stream, false, granule) {}
  Heap small;
  Heap large;
};

/// Recycles Block records, so that an allocation does not call the system's allocator. Whoever is
/// about to change lists reserves the records first, for then nothing can fail half-way.
class BlockStore {
 public:
  /// Whether `count` records, at most kChunk, can be taken now.
  bool reserve(size_t count) noexcept { return free_count_ >= count || grow(); }
  /// A reserved record.
  Block* take() noexcept {
    Block* block = free_;
    free_ = block->next;
    --free_count_;
    return block;
  }
  void give(Block* block) noexcept {
    block->next = free_;
    free_ = block;
    ++free_count_;
  }

 private:
  static constexpr size_t kChunk = 128;
  struct Chunk {
    Block blocks[kChunk];
    std::unique_ptr<Chunk> next;
  };

  bool grow() noexcept {
    std::unique_ptr<Chunk> chunk(new (std::nothrow) Chunk{});
    if (chunk == nullptr) {
      return false;
    }
    for (Block& block : chunk->blocks) {
      give(&block);
    }
    chunk->next = std::move(chunks_);
    chunks_ = std::move(chunk);
    return true;
  }

  std::unique_ptr<Chunk> chunks_;
  Block* free_ = nullptr;
  size_t free_count_ = 0;
};

}  // namespace th
