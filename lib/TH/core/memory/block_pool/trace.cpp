// The history as a trace that can be replayed against another allocator (bench/replay).
//
// A line per event; blocks are numbered in the order of their allocations, streams in the order of
// their appearance, 0 being the default one:
//   a BYTES [STREAM]   allocate a block of what was asked for
//   f BLOCK            free it
//   u BLOCK STREAM     work of another stream uses it
//   m                  a step of the program ends
// Blocks that were live before the history began are allocated first.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "core/memory/block_pool/pool.h"
#include "core/runtime/error.h"

namespace th {
namespace {

using Kind = PoolHistory::Kind;

/// Blocks that the history does not see allocated.
struct Earlier {
  void* ptr;
  size_t bytes;
  Stream stream;
};

class TraceText {
 public:
  void allocate(void* ptr, size_t bytes, Stream stream) {
    numbers_[ptr] = next_++;
    text_ += str("a ", bytes);
    if (const size_t number = number_of(stream); number != 0) {
      text_ += str(" ", number);
    }
    text_ += '\n';
  }
  void free(void* ptr) { text_ += str("f ", numbers_.at(ptr), "\n"); }
  void use(void* ptr, Stream stream) {
    text_ += str("u ", numbers_.at(ptr), " ", number_of(stream), "\n");
  }
  void mark() { text_ += "m\n"; }
  std::string take() { return std::move(text_); }

 private:
  size_t number_of(Stream stream) {
    return stream == nullptr ? 0 : streams_.try_emplace(stream, streams_.size() + 1).first->second;
  }

  std::string text_;
  size_t next_ = 0;
  std::unordered_map<void*, size_t> numbers_;  // of the latest block at an address
  std::unordered_map<Stream, size_t> streams_;
};

}  // namespace

std::string BlockPool::trace() const {
  const std::lock_guard lock(mutex_);
  std::vector<Earlier> earlier;
  std::unordered_set<void*> known;
  for (const PoolHistory::Entry& e : history_.entries()) {
    if (e.kind == Kind::kAllocate) {
      known.insert(e.ptr);
    } else if (e.kind == Kind::kFree && known.erase(e.ptr) == 0) {
      earlier.push_back({e.ptr, e.bytes, e.stream});
    } else if (e.kind == Kind::kUse && known.insert(e.ptr).second) {
      earlier.push_back({e.ptr, e.bytes, nullptr});  // the owner is not known here
    }
  }
  for_each_heap([&](const Heap& heap) {
    for (const auto& segment : heap.segments) {
      for (const Block* block = segment->first; block != nullptr; block = block->next) {
        if (block->state == Block::State::kLive && known.count(block->ptr) == 0) {
          earlier.push_back({block->ptr, block->requested, heap.stream});
        }
      }
    }
  });
  std::sort(earlier.begin(), earlier.end(),
            [](const Earlier& a, const Earlier& b) { return a.ptr < b.ptr; });

  TraceText text;
  for (const Earlier& block : earlier) {
    text.allocate(block.ptr, block.bytes, block.stream);
  }
  for (const PoolHistory::Entry& e : history_.entries()) {
    switch (e.kind) {
      case Kind::kAllocate:
        text.allocate(e.ptr, e.bytes, e.stream);
        break;
      case Kind::kFree:
        text.free(e.ptr);
        break;
      case Kind::kUse:
        text.use(e.ptr, e.stream);
        break;
      case Kind::kMark:
        text.mark();
        break;
      default:
        break;
    }
  }
  return text.take();
}

}  // namespace th
