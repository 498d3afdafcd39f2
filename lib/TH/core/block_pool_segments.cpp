// How a pool takes memory from its backend and gives it back.
#include <algorithm>

#include "core/block_pool.h"

namespace th {
namespace {

/// Bytes to be allocated before a window ends, however little is live: the clock costs too.
constexpr int64_t kLeastWindow = int64_t(16) << 20;

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

Segment* BlockPool::add_segment(Heap& heap, void* ptr, size_t bytes, bool paged) {
  auto segment = std::make_unique<Segment>(Segment{&heap, store_.take(), bytes, paged});
  Block* block = segment->first;
  block->ptr = ptr;
  block->bytes = bytes;
  block->segment = segment.get();
  block->previous = block->next = nullptr;
  block->uses.reset();
  block->state = Block::State::kUnmapped;
  statistics_.segments.add(1);
  heap.segments.push_back(std::move(segment));
  return heap.segments.back().get();
}

Block* BlockPool::grow(Heap& heap, size_t bytes) {
  if (config_.range_bytes != 0) {
    if (Block* gap = find_gap(heap, bytes); gap != nullptr) {
      return fill_gap(gap, bytes);
    }
  }
  const size_t least = config_.pinned ? bytes : round_up(bytes, config_.page);
  const bool shared = !config_.pinned && !heap.is_small && bytes < config_.shared_segment / 2;
  size_t size = shared ? config_.shared_segment : least;
  if (!config_.pinned) {
    // Segments cannot be joined: rather exchange free ones for one that fits than pile them up.
    const int64_t live = statistics_.allocated.current + int64_t(bytes);
    const int64_t peak = std::max({live, window_peak_, last_window_peak_});
    const int64_t surplus = statistics_.reserved.current + int64_t(size) - (peak + peak / 8);
    if (surplus > 0) {
      release(size_t(surplus), false);
    }
  }
  void* ptr = within_limit(size) ? backend_.allocate(size) : nullptr;
  if (ptr == nullptr && shared) {
    size = least;
    ptr = within_limit(size) ? backend_.allocate(size) : nullptr;
  }
  if (ptr == nullptr) {
    return nullptr;
  }
  statistics_.reserved.add(int64_t(size));
  note(PoolHistory::Kind::kReserve, ptr, size, heap.stream, 0);
  return merge_and_insert(add_segment(heap, ptr, size, false)->first);
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
    void* ptr = backend_.reserve(size, heap.is_small);
    if (ptr == nullptr) {
      return nullptr;
    }
    best = add_segment(heap, ptr, size, true)->first;
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
  if (!within_limit(bytes) || !backend_.map(gap->ptr, bytes)) {
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

// --- giving back ---------------------------------------------------------------------------------

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
      if (segment.live_blocks == 0 && (wait_for_streams || block->uses == nullptr)) {
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
      if (block->is_free() && (wait_for_streams || block->uses == nullptr)) {
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
  std::erase_if(heap.segments, [&](const auto& s) { return s.get() == &segment; });
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
  if (first >= last) {
    return 0;
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
