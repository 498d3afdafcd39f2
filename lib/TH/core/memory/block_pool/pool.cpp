#include "core/memory/block_pool/pool.h"

#include <atomic>
#include <bit>
#include <cassert>
#include <new>

#include "core/memory/fault.h"

namespace th {
namespace {

size_t round_up(size_t bytes, size_t unit) { return (bytes + unit - 1) & ~(unit - 1); }

}  // namespace

BlockPool::BlockPool(PoolBackend& backend, PoolConfig config)
    : backend_(backend),
      config_(config),
      default_heaps_(nullptr, config.granule),
      last_heaps_(&default_heaps_),
      by_class_(SizeClass::kCount) {
  assert(std::has_single_bit(config.granule) && std::has_single_bit(config.page));
  assert(config.granule <= config.page && config.small_limit <= config.page);
}

size_t BlockPool::rounded(size_t bytes) const {
  const size_t size = round_up(bytes + (bytes == 0), config_.granule);
  return config_.pinned ? SizeClass::round_up(size / config_.granule) * config_.granule : size;
}

Heap* BlockPool::heap_of(Stream stream, size_t bytes) {
  if (stream != last_heaps_->small.stream) {
    StreamHeaps* found = stream == nullptr ? &default_heaps_ : nullptr;
    for (const auto& heaps : stream_heaps_) {
      if (heaps->small.stream == stream) {
        found = heaps.get();
      }
    }
    found = found != nullptr ? found : add_stream(stream);
    if (found == nullptr) {
      return nullptr;
    }
    last_heaps_ = found;
  }
  return bytes <= config_.small_limit ? &last_heaps_->small : &last_heaps_->large;
}

StreamHeaps* BlockPool::add_stream(Stream stream) try {
  stream_heaps_.push_back(std::make_unique<StreamHeaps>(stream, config_.granule));
  return stream_heaps_.back().get();
} catch (const std::bad_alloc&) {
  return nullptr;
}

Block* BlockPool::allocate(size_t bytes, Stream stream) noexcept {
  const std::lock_guard lock(mutex_);
  Block* block = bytes > kMaxBytes || allocation_fails() ? nullptr : take(bytes, stream, true);
  if (block == nullptr) [[unlikely]] {
    refuse(bytes, stream);
  }
  return block;
}

Block* BlockPool::try_allocate(size_t bytes, Stream stream) noexcept {
  const std::lock_guard lock(mutex_);
  return bytes > kMaxBytes || allocation_fails() ? nullptr : take(bytes, stream, false);
}

Block* BlockPool::take(size_t bytes, Stream stream, bool insist) {
  const size_t size = rounded(bytes);
  Heap* heap = heap_of(stream, size);
  Block* block = heap != nullptr ? find(*heap, size, insist) : nullptr;
  if (block == nullptr || !store_.reserve(1)) {
    return nullptr;
  }
  Segment& segment = *block->segment;
  count_segment(segment, -1);
  remove_free(block);
  if (!block->uses.empty()) [[unlikely]] {
    settle(block);
  }
  if (block->bytes > size && has_shared_pieces()) {
    Block* rest = split(block, size);
    ++segment.free_blocks;
    segment.free_bytes += int64_t(rest->bytes);
    segment.heap->bins.insert(rest);
  }
  block->state = Block::State::kLive;
  block->requested = bytes;
  ++segment.live_blocks;
  count_segment(segment, +1);

  const int64_t now = statistics_.allocated.current + int64_t(block->bytes);
  statistics_.allocated.total += int64_t(block->bytes);
  statistics_.allocated.peak = std::max(statistics_.allocated.peak, now);
  std::atomic_ref(statistics_.allocated.current).store(now, std::memory_order_relaxed);
  statistics_.requested.add(int64_t(bytes));
  statistics_.blocks.add(1);
  by_class_[segment.heap->bins.class_of(block->bytes)].add(1);
  note_peak();
  block->line = 0;
  if (history_.is_on()) [[unlikely]] {
    block->line = history_.current_line();
    note(PoolHistory::Kind::kAllocate, block->ptr, bytes, stream, block->line);
  }
  return block;
}

bool BlockPool::has_free(size_t bytes) const {
  const std::lock_guard lock(mutex_);
  return bytes <= kMaxBytes && default_heaps_.large.bins.find(rounded(bytes)) != nullptr;
}

void BlockPool::free(Block* block) noexcept {
  const std::lock_guard lock(mutex_);
  assert(block->state == Block::State::kLive && "freed twice");
  Segment& segment = *block->segment;
  if (history_.is_on()) [[unlikely]] {
    note(PoolHistory::Kind::kFree, block->ptr, block->requested, segment.heap->stream, block->line);
  }
  std::atomic_ref(statistics_.allocated.current)
      .store(statistics_.allocated.current - int64_t(block->bytes), std::memory_order_relaxed);
  statistics_.requested.remove(int64_t(block->requested));
  statistics_.blocks.remove(1);
  by_class_[segment.heap->bins.class_of(block->bytes)].remove(1);
  if (!block->uses.empty()) [[unlikely]] {
    record_uses(block);
  }
  count_segment(segment, -1);
  --segment.live_blocks;
  merge_and_insert(block);
  count_segment(segment, +1);
  if (config_.guarded) {
    release_segment(segment);
    return;
  }
  give_back_surplus();
}

void BlockPool::use(Block* block, Stream stream) {
  const std::lock_guard lock(mutex_);
  assert(block->state == Block::State::kLive);
  if (!config_.pinned && stream == block->segment->heap->stream) {
    return;
  }
  auto last = block->uses.before_begin();
  for (auto use = block->uses.begin(); use != block->uses.end(); last = use++) {
    if (use->stream == stream) {
      return;
    }
  }
  block->uses.insert_after(last, {stream, nullptr, 0});
  note(PoolHistory::Kind::kUse, block->ptr, block->requested, stream, block->line);
}

void BlockPool::wait_for_uses(Block* block) {
  std::forward_list<StreamUse> uses;
  {
    const std::lock_guard lock(mutex_);
    assert(block->state == Block::State::kLive);
    record_uses(block);
    uses.swap(block->uses);
  }
  for (const StreamUse& use : uses) {
    backend_.synchronize(use.event);
  }
  const std::lock_guard lock(mutex_);
  for (const StreamUse& use : uses) {
    backend_.destroy(use.event);
  }
}

void BlockPool::refuse(size_t bytes, Stream stream) {
  ++statistics_.failures;
  note(PoolHistory::Kind::kOutOfMemory, nullptr, bytes, stream, history_.current_line());
}

// --- finding -------------------------------------------------------------------------------------

Block* BlockPool::find(Heap& heap, size_t bytes, bool insist) {
  Block* block = config_.pinned ? find_pinned(heap, bytes) : heap.bins.find(bytes);
  if (block == nullptr) {
    block = grow(heap, bytes);
  }
  return block != nullptr || !insist ? block : find_after_release(heap, bytes);
}

Block* BlockPool::find_pinned(Heap& heap, size_t bytes) {
  // All blocks of a class have one size. Those in use by streams are last, the oldest first.
  Block* block = heap.bins.first_of_class(bytes);
  if (block != nullptr) {
    for (const StreamUse& use : block->uses) {
      if (!backend_.passed(use.event)) {
        return nullptr;  // take new memory rather than let the host wait
      }
    }
  }
  return block;
}

Block* BlockPool::find_after_release(Heap& heap, size_t bytes) {
  ++statistics_.retries;
  // First about as much as is missing and at once; then everything, waiting for streams.
  for (const bool everything : {false, true}) {
    release(everything ? PoolConfig::kUnlimited : bytes, everything);
    if (Block* block = grow(heap, bytes); block != nullptr) {
      return block;
    }
  }
  // A small request may still fit between the large blocks of its stream.
  StreamHeaps& heaps = *last_heaps_;
  for (Heap* other : {&heap, &heaps.large}) {
    if (Block* block = other->bins.find(bytes); block != nullptr) {
      return block;
    }
  }
  return nullptr;
}

// --- streams -------------------------------------------------------------------------------------

void BlockPool::record_uses(Block* block) {
  for (StreamUse& use : block->uses) {
    use.event = backend_.record(use.stream);
    use.order = ++events_;
  }
  block->uses.remove_if([](const StreamUse& use) { return use.event == nullptr; });
}

void BlockPool::settle(Block* block) {
  for (const StreamUse& use : block->uses) {
    if (config_.pinned) {
      backend_.synchronize(use.event);
    } else {
      backend_.wait(block->segment->heap->stream, use.event);
    }
    backend_.destroy(use.event);
  }
  block->uses.clear();
}

void BlockPool::drop_uses(Block* block) {
  for (const StreamUse& use : block->uses) {
    backend_.synchronize(use.event);
    backend_.destroy(use.event);
  }
  block->uses.clear();
}

void BlockPool::adopt_uses(Block* to, Block* from) {
  while (!from->uses.empty()) {
    StreamUse& theirs = from->uses.front();
    auto last = to->uses.before_begin();
    auto ours = to->uses.begin();
    for (; ours != to->uses.end() && ours->stream != theirs.stream; last = ours++) {
    }
    if (ours == to->uses.end()) {
      to->uses.splice_after(last, from->uses, from->uses.before_begin());
      continue;
    }
    if (ours->order < theirs.order) {
      std::swap(*ours, theirs);
    }
    backend_.destroy(theirs.event);
    from->uses.pop_front();
  }
}

// --- splitting and merging -----------------------------------------------------------------------

/// Cut a block that is in no list to `bytes`; returns the rest, of the same state and in no list,
/// in a record that the caller has reserved.
Block* BlockPool::split(Block* block, size_t bytes) {
  Block* rest = store_.take();
  rest->ptr = block->begin() + bytes;
  rest->bytes = block->bytes - bytes;
  rest->segment = block->segment;
  rest->state = block->state;
  rest->previous = block;
  rest->next = block->next;
  if (rest->next != nullptr) {
    rest->next->previous = rest;
  }
  block->next = rest;
  block->bytes = bytes;
  return rest;
}

void BlockPool::absorb_next(Block* block) {
  Block* next = block->next;
  adopt_uses(block, next);
  block->bytes += next->bytes;
  block->next = next->next;
  if (block->next != nullptr) {
    block->next->previous = block;
  }
  store_.give(next);
}

void BlockPool::remove_free(Block* block) {
  block->segment->heap->bins.remove(block);
  --block->segment->free_blocks;
  block->segment->free_bytes -= int64_t(block->bytes);
}

Block* BlockPool::merge_and_insert(Block* block) {
  block->state = Block::State::kFree;
  if (block->next != nullptr && block->next->is_free()) {
    remove_free(block->next);
    absorb_next(block);
  }
  if (Block* previous = block->previous; previous != nullptr && previous->is_free()) {
    remove_free(previous);
    absorb_next(previous);
    block = previous;
  }
  ++block->segment->free_blocks;
  block->segment->free_bytes += int64_t(block->bytes);
  block->segment->heap->bins.insert(block);
  return block;
}

/// Take a segment out of the count of inactive memory (-1) before it changes and back in (+1).
void BlockPool::count_segment(const Segment& segment, int sign) {
  if (segment.live_blocks == 0) {
    return;
  }
  Counter& bytes = statistics_.inactive;
  Counter& blocks = statistics_.inactive_blocks;
  bytes.current += sign * segment.free_bytes;
  blocks.current += sign * segment.free_blocks;
  bytes.peak = std::max(bytes.peak, bytes.current);
  blocks.peak = std::max(blocks.peak, blocks.current);
}

}  // namespace th
