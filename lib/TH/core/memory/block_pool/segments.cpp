// How a pool takes memory from its backend.
#include <algorithm>

#include "core/memory/block_pool/pool.h"

namespace th {
namespace {

size_t round_up(size_t bytes, size_t unit) { return (bytes + unit - 1) & ~(unit - 1); }

}  // namespace

BlockPool::~BlockPool() {
  for_each_heap([&](Heap& heap) {
    for (const auto& segment : heap.segments) {
      char* const base = segment->first->begin();
      char* mapped = base;  // where the current run of mapped blocks begins
      for (Block* block = segment->first; block != nullptr; block = block->next) {
        if (block->is_free()) {
          drop_uses(block);
        }
        const bool is_gap = block->state == Block::State::kUnmapped;
        char* const end = is_gap ? block->begin() : block->end();
        if (segment->paged && (is_gap || block->next == nullptr) && end > mapped) {
          backend_.unmap(mapped, size_t(end - mapped), heap.stream);
        }
        if (is_gap) {
          mapped = block->end();
        }
      }
      if (segment->paged) {
        backend_.unreserve(base, segment->bytes);
      } else {
        backend_.free(base, segment->bytes);
      }
    }
  });
}

bool BlockPool::within_limit(size_t more) const {
  return limit_ == 0 || size_t(statistics_.reserved.current) + more <= limit_;
}

// --- taking --------------------------------------------------------------------------------------

Segment* BlockPool::new_segment(Heap& heap, size_t bytes, bool paged) try {
  if (!store_.reserve(1)) {
    return nullptr;
  }
  heap.segments.push_back(std::make_unique<Segment>(Segment{&heap, nullptr, bytes, paged}));
  return heap.segments.back().get();
} catch (const std::bad_alloc&) {
  return nullptr;
}

void BlockPool::remove_segment(Segment& segment) {
  std::erase_if(segment.heap->segments, [&](const auto& s) { return s.get() == &segment; });
}

/// Give a new segment its memory, or its addresses; returns its one block, in no list.
Block* BlockPool::fill_segment(Segment& segment, void* ptr) {
  Block* block = segment.first = store_.take();
  block->ptr = ptr;
  block->bytes = segment.bytes;
  block->segment = &segment;
  block->previous = block->next = nullptr;
  block->state = Block::State::kUnmapped;
  statistics_.segments.add(1);
  return block;
}

Block* BlockPool::grow(Heap& heap, size_t bytes) {
  if (config_.range_bytes != 0) {
    if (Block* gap = find_gap(heap, bytes); gap != nullptr) {
      return fill_gap(gap, bytes);
    }
  }
  const size_t least = has_shared_pieces() ? round_up(bytes, config_.page) : bytes;
  const bool shared = has_shared_pieces() && !heap.is_small && bytes < config_.shared_segment / 2;
  size_t size = shared ? config_.shared_segment : least;
  if (has_shared_pieces()) {
    // Segments cannot be joined: rather exchange free ones for one that fits than pile them up.
    const int64_t live = statistics_.allocated.current + int64_t(bytes);
    const int64_t peak = std::max({live, window_peak_, last_window_peak_});
    const int64_t surplus = statistics_.reserved.current + int64_t(size) - (peak + peak / 8);
    if (surplus > 0) {
      release(size_t(surplus), false);
    }
  }
  Segment* segment = new_segment(heap, size, false);
  if (segment == nullptr) {
    return nullptr;
  }
  void* ptr = within_limit(size) ? backend_.allocate(size) : nullptr;
  if (ptr == nullptr && shared) {
    segment->bytes = size = least;
    ptr = within_limit(size) ? backend_.allocate(size) : nullptr;
  }
  if (ptr == nullptr) {
    remove_segment(*segment);
    return nullptr;
  }
  statistics_.reserved.add(int64_t(size));
  note(PoolHistory::Kind::kReserve, ptr, size, heap.stream, 0);
  return merge_and_insert(fill_segment(*segment, ptr));
}

/// What must be mapped at the front of a gap so that `bytes` fit there beside what is free around
/// it; 0: they do not fit.
size_t BlockPool::missing_in_gap(const Block* gap, size_t bytes) const {
  const Block* before = gap->previous;
  const Block* after = gap->next;
  const size_t have = before != nullptr && before->is_free() ? before->bytes : 0;
  const size_t missing = have >= bytes ? config_.page : round_up(bytes - have, config_.page);
  if (missing <= gap->bytes) {
    return missing;
  }
  const size_t follows = after != nullptr && after->is_free() ? after->bytes : 0;
  return have + gap->bytes + follows >= bytes ? gap->bytes : 0;
}

/// The gap that needs the fewest new pages, in a new range if need be, or nullptr: no addresses.
Block* BlockPool::find_gap(Heap& heap, size_t bytes) {
  Block* best = nullptr;
  size_t least = 0;
  for (Block* gap = heap.unmapped; gap != nullptr; gap = gap->next_free) {
    const size_t missing = missing_in_gap(gap, bytes);
    if (missing != 0 &&
        (best == nullptr || missing < least || (missing == least && gap->ptr < best->ptr))) {
      best = gap;
      least = missing;
    }
  }
  if (best == nullptr) {
    const size_t size = round_up(std::max(bytes, config_.range_bytes), config_.page);
    Segment* segment = new_segment(heap, size, true);
    if (segment == nullptr) {
      return nullptr;
    }
    void* ptr = backend_.reserve(size, heap.is_small);
    if (ptr == nullptr) {
      remove_segment(*segment);
      return nullptr;
    }
    best = fill_segment(*segment, ptr);
    link_unmapped(best);
  }
  return best;
}

Block* BlockPool::fill_gap(Block* gap, size_t bytes) {
  Segment& segment = *gap->segment;
  Block* block = map_pages(gap, missing_in_gap(gap, bytes));
  if (block == nullptr && gap->bytes == segment.bytes) {
    release_segment(segment);  // do not keep a range for nothing
  }
  return block;
}

/// Fill the first `bytes` of a gap; returns the free block they become part of, or nullptr.
Block* BlockPool::map_pages(Block* gap, size_t bytes) {
  if (!within_limit(bytes) || !store_.reserve(1) || !backend_.map(gap->ptr, bytes)) {
    return nullptr;
  }
  Segment& segment = *gap->segment;
  statistics_.reserved.add(int64_t(bytes));
  note(PoolHistory::Kind::kReserve, gap->ptr, bytes, segment.heap->stream, 0);
  unlink_unmapped(gap);
  if (gap->bytes > bytes) {
    link_unmapped(split(gap, bytes));
  }
  count_segment(segment, -1);
  Block* block = merge_and_insert(gap);
  count_segment(segment, +1);
  return block;
}

void BlockPool::link_unmapped(Block* block) {
  block->state = Block::State::kUnmapped;
  Block*& first = block->segment->heap->unmapped;
  block->previous_free = nullptr;
  block->next_free = first;
  if (first != nullptr) {
    first->previous_free = block;
  }
  first = block;
}

void BlockPool::unlink_unmapped(Block* block) {
  (block->previous_free != nullptr ? block->previous_free->next_free
                                   : block->segment->heap->unmapped) = block->next_free;
  if (block->next_free != nullptr) {
    block->next_free->previous_free = block->previous_free;
  }
}

}  // namespace th
