// Models of PyTorch's two caching strategies, after its documentation ("CUDA semantics: memory
// management" and the allocator's settings). They keep intervals in ordered maps and are not meant
// to be fast.
#pragma once

#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "replay/device.h"

namespace replay {

/// What both have in common: sizes are multiples of 512 bytes; requests of up to 1 MiB and larger
/// ones come from pools of their own, one pair per stream; the smallest free block that suffices is
/// taken, the lowest among equals; free neighbours merge; when the device is full, everything that
/// can be given back is, and the request is made once more.
class PyTorchModel {
 public:
  explicit PyTorchModel(Device& device) : device_(device) {}
  virtual ~PyTorchModel() = default;

  /// False: out of memory.
  bool allocate(int64_t id, size_t bytes, int stream) {
    bytes = round_up(std::max<size_t>(bytes, 1), kGranule);
    Pool& pool = pool_of(stream, bytes <= kSmall);
    Blocks::iterator block;
    if (!find(pool, bytes, block) && !grow(pool, bytes, block)) {
      for (auto& [key, each] : pools_) {
        release(*each);
      }
      if (!find(pool, bytes, block) && !grow(pool, bytes, block)) {
        return false;
      }
    }
    remove_free(pool, block);
    block->second.state = State::kLive;
    if (should_split(pool, block->second.bytes - bytes)) {
      insert_free(pool, split(pool, block, bytes));
    }
    live_[id] = {&pool, block};
    return true;
  }
  void free(int64_t id) {
    const auto [pool, block] = live_.at(id);
    live_.erase(id);
    insert_free(*pool, merge(*pool, block));
  }

 protected:
  enum class State { kLive, kFree, kUnmapped };
  struct Interval {
    size_t bytes;
    State state;
    size_t segment;  // blocks of one segment merge
  };
  using Blocks = std::map<size_t, Interval>;  // by address
  struct Pool {
    bool small;
    Blocks blocks{};
    std::set<std::pair<size_t, size_t>> free{};  // bytes, address
  };

  static constexpr size_t kMiB = size_t{1} << 20;
  static constexpr size_t kGranule = 512;
  static constexpr size_t kSmall = kMiB;

  virtual bool find(Pool& pool, size_t bytes, Blocks::iterator& block) = 0;
  virtual bool grow(Pool& pool, size_t bytes, Blocks::iterator& block) = 0;
  virtual void release(Pool& pool) = 0;
  virtual bool should_split(const Pool& pool, size_t rest) const = 0;

  static size_t round_up(size_t bytes, size_t unit) { return (bytes + unit - 1) / unit * unit; }
  static void insert_free(Pool& pool, Blocks::iterator block) {
    block->second.state = State::kFree;
    pool.free.insert({block->second.bytes, block->first});
  }
  static void remove_free(Pool& pool, Blocks::iterator block) {
    pool.free.erase({block->second.bytes, block->first});
  }
  /// Cut a block that is in no set; returns the rest.
  static Blocks::iterator split(Pool& pool, Blocks::iterator block, size_t bytes) {
    Interval rest = block->second;
    rest.bytes -= bytes;
    block->second.bytes = bytes;
    return pool.blocks.insert({block->first + bytes, rest}).first;
  }
  /// Join a block that is in no set with its free neighbours; returns the whole, in no set.
  static Blocks::iterator merge(Pool& pool, Blocks::iterator block) {
    const auto joins = [&](Blocks::iterator a, Blocks::iterator b) {
      return a->first + a->second.bytes == b->first && a->second.segment == b->second.segment;
    };
    const auto next = std::next(block);
    if (next != pool.blocks.end() && next->second.state == State::kFree && joins(block, next)) {
      remove_free(pool, next);
      block->second.bytes += next->second.bytes;
      pool.blocks.erase(next);
    }
    if (block != pool.blocks.begin()) {
      const auto before = std::prev(block);
      if (before->second.state == State::kFree && joins(before, block)) {
        remove_free(pool, before);
        before->second.bytes += block->second.bytes;
        pool.blocks.erase(block);
        block = before;
      }
    }
    return block;
  }

  Device& device_;
  size_t next_segment_ = 1;

 private:
  struct Live {
    Pool* pool;
    Blocks::iterator block;
  };

  Pool& pool_of(int stream, bool small) {
    auto& pool = pools_[{stream, small}];
    if (pool == nullptr) {
      pool = std::make_unique<Pool>(Pool{small});
    }
    return *pool;
  }

  std::map<std::pair<int, bool>, std::unique_ptr<Pool>> pools_;
  std::map<int64_t, Live> live_;
};

/// The default strategy. Segments: 2 MiB for small requests, 20 MiB for those below 10 MiB, else
/// the size rounded up to 2 MiB. Small blocks are always split, large ones where more than 1 MiB
/// remains. Given back are segments without live blocks.
class DefaultModel final : public PyTorchModel {
 public:
  using PyTorchModel::PyTorchModel;

 private:
  bool find(Pool& pool, size_t bytes, Blocks::iterator& block) override {
    const auto best = pool.free.lower_bound({bytes, 0});
    if (best == pool.free.end()) {
      return false;
    }
    block = pool.blocks.find(best->second);
    return true;
  }
  bool grow(Pool& pool, size_t bytes, Blocks::iterator& block) override {
    const size_t size = pool.small          ? 2 * kMiB
                        : bytes < 10 * kMiB ? 20 * kMiB
                                            : round_up(bytes, 2 * kMiB);
    if (!device_.take(size)) {
      return false;
    }
    const size_t segment = next_segment_++;
    sizes_[segment] = size;
    block = pool.blocks.insert({segment << 44, {size, State::kFree, segment}}).first;
    insert_free(pool, block);
    return true;
  }
  void release(Pool& pool) override {
    for (auto block = pool.blocks.begin(); block != pool.blocks.end();) {
      const auto next = std::next(block);
      const auto whole = sizes_.find(block->second.segment);
      if (block->second.state == State::kFree && block->second.bytes == whole->second) {
        remove_free(pool, block);
        device_.give(whole->second);
        sizes_.erase(whole);
        pool.blocks.erase(block);
      }
      block = next;
    }
  }
  bool should_split(const Pool& pool, size_t rest) const override {
    return pool.small ? rest >= kGranule : rest > kSmall;
  }

  std::map<size_t, size_t> sizes_;  // of segments
};

/// Expandable segments: per pool one range of addresses that pages of 2 MiB (small) or 20 MiB are
/// mapped into, as many as a request lacks, behind a free block if there is one. Every block is
/// split. What may still grow counts as large as it could become. Given back are pages without
/// live blocks.
class ExpandableModel final : public PyTorchModel {
 public:
  using PyTorchModel::PyTorchModel;

 private:
  static size_t page_of(const Pool& pool) { return (pool.small ? 2 : 20) * kMiB; }

  bool find(Pool& pool, size_t bytes, Blocks::iterator& block) override {
    const auto possible = [&](std::set<std::pair<size_t, size_t>>::iterator free) {
      const auto next = std::next(pool.blocks.find(free->second));
      const bool grows = next != pool.blocks.end() && next->second.state == State::kUnmapped;
      return free->first + (grows ? next->second.bytes : 0);
    };
    auto best = pool.free.lower_bound({bytes, 0});
    if (best == pool.free.end()) {
      return false;
    }
    for (auto next = std::next(best); next != pool.free.end() && possible(next) < possible(best);
         ++next) {
      best = next;
    }
    block = pool.blocks.find(best->second);
    return true;
  }
  bool grow(Pool& pool, size_t bytes, Blocks::iterator& block) override {
    if (pool.blocks.empty()) {
      const size_t segment = next_segment_++;
      pool.blocks.insert({segment << 44, {kRange, State::kUnmapped, segment}});
    }
    // The first run of free and unmapped addresses that suffices.
    auto first = pool.blocks.begin();
    size_t have = 0;
    auto at = first;
    for (; at != pool.blocks.end() && have < bytes; ++at) {
      if (at->second.state == State::kLive) {
        first = std::next(at);
        have = 0;
      } else {
        have += at->second.bytes;
      }
    }
    if (have < bytes) {
      return false;
    }
    block = first;
    while (block->second.state == State::kUnmapped || block->second.bytes < bytes) {
      const auto gap = block->second.state == State::kUnmapped ? block : std::next(block);
      const size_t missing =
          bytes - (block->second.state == State::kUnmapped ? 0 : block->second.bytes);
      if (!map(pool, gap, missing)) {
        return false;
      }
      const auto whole = merge(pool, take_free(pool, gap));
      insert_free(pool, whole);
      block = whole;
    }
    return true;
  }
  /// Turn the first pages of a gap into a free block, as many as are missing.
  bool map(Pool& pool, Blocks::iterator gap, size_t missing) {
    const size_t page = page_of(pool);
    const size_t size = std::min(round_up(missing, page), gap->second.bytes);
    for (size_t mapped = 0; mapped < size; mapped += page) {
      if (!device_.take(page)) {
        for (; mapped > 0; mapped -= page) {
          device_.give(page);
        }
        return false;
      }
    }
    if (gap->second.bytes > size) {
      split(pool, gap, size);
    }
    insert_free(pool, gap);
    return true;
  }
  static Blocks::iterator take_free(Pool& pool, Blocks::iterator block) {
    remove_free(pool, block);
    return block;
  }
  void release(Pool& pool) override {
    const size_t page = page_of(pool);
    for (auto block = pool.blocks.begin(); block != pool.blocks.end(); ++block) {
      if (block->second.state != State::kFree) {
        continue;
      }
      const size_t base = block->second.segment << 44;
      const size_t begin = base + round_up(block->first - base, page);
      const size_t end = base + (block->first - base + block->second.bytes) / page * page;
      if (begin >= end) {
        continue;
      }
      remove_free(pool, block);
      if (begin > block->first) {
        const auto rest = split(pool, block, begin - block->first);
        insert_free(pool, block);
        block = rest;
      }
      if (block->second.bytes > end - begin) {
        insert_free(pool, split(pool, block, end - begin));
      }
      block->second.state = State::kUnmapped;
      for (size_t at = begin; at < end; at += page) {
        device_.give(page);
      }
      join_unmapped(pool, block);
    }
  }
  static void join_unmapped(Pool& pool, Blocks::iterator& block) {
    const auto next = std::next(block);
    if (next != pool.blocks.end() && next->second.state == State::kUnmapped) {
      block->second.bytes += next->second.bytes;
      pool.blocks.erase(next);
    }
    if (block != pool.blocks.begin() && std::prev(block)->second.state == State::kUnmapped) {
      const auto before = std::prev(block);
      before->second.bytes += block->second.bytes;
      pool.blocks.erase(block);
      block = before;
    }
  }
  bool should_split(const Pool&, size_t rest) const override { return rest >= kGranule; }

  static constexpr size_t kRange = 200000 * 20 * kMiB;  // whole pages of both sizes
};

}  // namespace replay
