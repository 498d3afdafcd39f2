// How a pool gives memory back to its backend, and when.
#include <algorithm>

#include "core/memory/block_pool/pool.h"

namespace th {
namespace {

/// Bytes to be allocated before a window ends, however little is live: the clock costs too.
constexpr int64_t kLeastWindow = int64_t(16) << 20;

size_t round_up(size_t bytes, size_t unit) { return (bytes + unit - 1) & ~(unit - 1); }

}  // namespace

size_t BlockPool::empty_cache() {
  const std::lock_guard lock(mutex_);
  return release(PoolConfig::kUnlimited, true);
}

void BlockPool::set_limit(size_t bytes) {
  const std::lock_guard lock(mutex_);
  limit_ = bytes;
  if (!within_limit(0)) {
    release(size_t(statistics_.reserved.current) - limit_, true);
  }
}

void BlockPool::set_range_bytes(size_t bytes) {
  const std::lock_guard lock(mutex_);
  config_.range_bytes = bytes;
}

size_t BlockPool::range_bytes() const {
  const std::lock_guard lock(mutex_);
  return config_.range_bytes;
}

/// Give back free memory, about `at_most` bytes of it. Blocks that streams still use are waited for
/// or passed over.
size_t BlockPool::release(size_t at_most, bool wait_for_streams) {
  size_t released = 0;
  for_each_heap([&](Heap& heap) {
    if (released < at_most) {
      released += release_from(heap, at_most - released, wait_for_streams);
    }
  });
  return released;
}

size_t BlockPool::release_from(Heap& heap, size_t at_most, bool wait_for_streams) {
  size_t released = 0;
  for (size_t i = heap.segments.size(); i-- > 0 && released < at_most;) {
    Segment& segment = *heap.segments[i];
    Block* block = segment.first;
    if (!segment.paged) {
      if (segment.live_blocks == 0 && (wait_for_streams || block->uses.empty())) {
        released += release_segment(segment);
      }
      continue;
    }
    while (block->next != nullptr) {
      block = block->next;
    }
    // High addresses first: what is taken next comes from the low ones.
    while (block != nullptr && released < at_most) {
      Block* const before = block->previous;
      if (block->is_free() && (wait_for_streams || block->uses.empty())) {
        released += release_pages(block, at_most - released);
      }
      block = before;
    }
    if (segment.first->state == Block::State::kUnmapped && segment.first->next == nullptr) {
      release_segment(segment);
    }
  }
  return released;
}

/// Give back a whole segment, which is one block, free or unmapped. Returns the bytes of memory.
size_t BlockPool::release_segment(Segment& segment) {
  Heap& heap = *segment.heap;
  Block* block = segment.first;
  const size_t bytes = segment.bytes;
  const bool paged = segment.paged;
  drop_uses(block);
  if (paged) {
    unlink_unmapped(block);
    backend_.unreserve(block->ptr, bytes);
  } else {
    remove_free(block);
    note(PoolHistory::Kind::kRelease, block->ptr, bytes, heap.stream, 0);
    backend_.free(block->ptr, bytes);
    statistics_.reserved.remove(int64_t(bytes));
  }
  statistics_.segments.remove(1);
  store_.give(block);
  remove_segment(segment);
  return paged ? 0 : bytes;
}

/// Unmap the last whole pages of a free block, up to `at_most` bytes rounded up to what the backend
/// can give back.
size_t BlockPool::release_pages(Block* block, size_t at_most) {
  const size_t page = config_.page;
  const auto is_border = [&](size_t at) {
    return backend_.is_border(reinterpret_cast<const void*>(at));
  };
  size_t first = round_up(reinterpret_cast<size_t>(block->ptr), page);
  size_t last = reinterpret_cast<size_t>(block->end()) & ~(page - 1);
  while (first < last && !is_border(last)) {
    last -= page;
  }
  while (first < last && !is_border(first)) {
    first += page;
  }
  if (first >= last || !store_.reserve(2)) {
    return 0;  // short of records the pages stay: freeing memory never fails
  }
  size_t start = last - std::min(last - first, round_up(at_most, page));
  while (!is_border(start)) {
    start -= page;  // `first` is a border
  }
  const size_t bytes = last - start;
  char* const begin = reinterpret_cast<char*>(start);
  Segment& segment = *block->segment;
  drop_uses(block);
  count_segment(segment, -1);
  remove_free(block);
  block->state = Block::State::kUnmapped;  // so that what is cut off does not merge back
  if (block->end() > begin + bytes) {
    merge_and_insert(split(block, size_t(begin + bytes - block->begin())));
  }
  Block* gap = block;
  if (block->begin() < begin) {
    gap = split(block, size_t(begin - block->begin()));
    merge_and_insert(block);
  }
  note(PoolHistory::Kind::kRelease, begin, bytes, segment.heap->stream, 0);
  backend_.unmap(begin, bytes, segment.heap->stream);
  statistics_.reserved.remove(int64_t(bytes));
  if (gap->next != nullptr && gap->next->state == Block::State::kUnmapped) {
    unlink_unmapped(gap->next);
    absorb_next(gap);
  }
  if (gap->previous != nullptr && gap->previous->state == Block::State::kUnmapped) {
    gap = gap->previous;
    unlink_unmapped(gap);
    absorb_next(gap);
  }
  link_unmapped(gap);
  count_segment(segment, +1);
  return bytes;
}

// --- not keeping too much ------------------------------------------------------------------------

void BlockPool::note_peak() {
  window_peak_ = std::max(window_peak_, statistics_.allocated.current);
  if (statistics_.allocated.total >= window_end_) {
    start_window();
  }
}

void BlockPool::start_window() {
  last_window_peak_ = window_peak_;
  window_peak_ = statistics_.allocated.current;
  window_end_ = statistics_.allocated.total + std::max(4 * last_window_peak_, kLeastWindow);
  window_start_ = Clock::now();
}

void BlockPool::give_back_surplus() {
  if (config_.keep_idle == PoolConfig::kUnlimited) {
    return;
  }
  const auto surplus_over = [&](int64_t peak) {
    return statistics_.reserved.current - (peak + peak / 8 + int64_t(config_.keep_idle));
  };
  // The clock is read now and then only, and only if forgetting the peak would free anything.
  if (surplus_over(statistics_.allocated.current) > 0 && ++frees_with_surplus_ % 64 == 0 &&
      Clock::now() - window_start_ > std::chrono::duration<double>(config_.remember_seconds)) {
    start_window();
  }
  const int64_t surplus = surplus_over(std::max(window_peak_, last_window_peak_));
  // A search that found little is not repeated before much has changed.
  if (surplus <= 0 || statistics_.allocated.total < next_surplus_check_) {
    return;
  }
  if (int64_t(release(size_t(surplus), false)) < surplus) {
    next_surplus_check_ = statistics_.allocated.total + statistics_.reserved.current / 8;
  }
}

}  // namespace th
