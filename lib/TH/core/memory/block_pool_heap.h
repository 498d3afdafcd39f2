// The pool's own records. They lie outside of the memory they describe, which the host may not be
// able to touch.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/memory/block_pool_backend.h"
#include "core/memory/block_pool_bins.h"
#include "core/memory/block_pool_block.h"

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

/// Recycles Block records, so that an allocation does not call the system's allocator.
class BlockStore {
 public:
  Block* take() {
    if (free_ == nullptr) {
      grow();
    }
    Block* block = free_;
    free_ = block->next;
    return block;
  }
  void give(Block* block) {
    block->next = free_;
    free_ = block;
  }

 private:
  static constexpr size_t kChunk = 128;

  void grow() {
    chunks_.push_back(std::make_unique<Block[]>(kChunk));
    for (size_t i = 0; i < kChunk; ++i) {
      give(&chunks_.back()[i]);
    }
  }

  std::vector<std::unique_ptr<Block[]>> chunks_;
  Block* free_ = nullptr;
};

}  // namespace th
