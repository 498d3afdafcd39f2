// A pool when the host itself is short of memory: what cannot be recorded is refused, and what is
// there stays whole.
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "TH/core/memory/block_pool/fake_memory.h"
#include "TH/support/failing_new.h"
#include "core/memory/block_pool/pool.h"

namespace th {
namespace {

using testing_support::FakeMemory;
using testing_support::with_failure;
using testing_support::WithoutFailures;

constexpr size_t MiB = size_t(1) << 20, GiB = size_t(1) << 30;

Stream stream(size_t number) { return reinterpret_cast<Stream>(number); }

/// Live blocks by address: none overlaps another, and the pool counts the same.
class Live {
 public:
  explicit Live(BlockPool& pool) : pool_(pool) {}

  void add(Block* block) {
    const auto next = blocks_.lower_bound(block->begin());
    ASSERT_TRUE(next == blocks_.end() || next->second->begin() >= block->end());
    ASSERT_TRUE(next == blocks_.begin() || std::prev(next)->second->end() <= block->begin());
    blocks_[block->begin()] = block;
    bytes_ += int64_t(block->bytes);
  }
  Block* take(size_t which) {
    const auto chosen = std::next(blocks_.begin(), int64_t(which % blocks_.size()));
    Block* block = chosen->second;
    blocks_.erase(chosen);
    bytes_ -= int64_t(block->bytes);
    return block;
  }
  Block* at(size_t which) const {
    return std::next(blocks_.begin(), int64_t(which % blocks_.size()))->second;
  }
  bool empty() const { return blocks_.empty(); }
  void check() const {
    const PoolStatistics s = pool_.statistics();
    ASSERT_EQ(s.allocated.current, bytes_);
    ASSERT_EQ(s.blocks.current, int64_t(blocks_.size()));
    ASSERT_GE(s.reserved.current, bytes_);
    ASSERT_LE(s.inactive.current, s.reserved.current - bytes_);
    ASSERT_GE(s.inactive.current, 0);
  }

 private:
  BlockPool& pool_;
  std::map<char*, Block*> blocks_;
  int64_t bytes_ = 0;
};

struct Kind {
  const char* name;
  bool ranges, pieces, pinned;
};

class BlockPoolFailure : public testing::TestWithParam<Kind> {};

TEST_P(BlockPoolFailure, LeavesThePoolWhole) {
  const Kind kind = GetParam();
  int struck = 0, refused = 0, dropped = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    std::mt19937 random(seed);
    FakeMemory memory(GiB / 2, kind.ranges, kind.pieces);
    PoolConfig config;
    config.range_bytes = kind.ranges ? GiB : 0;
    config.pinned = kind.pinned;
    config.keep_idle = 8 * MiB;
    BlockPool pool(memory, config);
    pool.keep_history(100);
    Live live(pool);
    for (int step = 0; step < 400; ++step) {
      const unsigned what = random() % 16;
      const size_t which = random();
      const size_t bytes = random() % 4 == 0 ? random() % (20 * MiB) : random() % 4096;
      const Stream on = stream(random() % 3);
      struck += with_failure(1 + int64_t(random() % 4), [&] {
        if (what < 8 || live.empty()) {
          Block* block = pool.allocate(bytes, on);
          const WithoutFailures calm;
          if (block == nullptr) {
            ++refused;
            EXPECT_FALSE(pool.describe_failure(bytes).empty());
          } else {
            live.add(block);
          }
        } else if (what < 13) {
          Block* block;
          {
            const WithoutFailures calm;
            block = live.take(which);
          }
          pool.free(block);
        } else if (what < 15) {
          try {
            pool.use(live.at(which), on);
          } catch (const std::bad_alloc&) {
            ++dropped;
          }
        } else {
          pool.empty_cache();
        }
      });
      ASSERT_NO_FATAL_FAILURE(live.check()) << kind.name << ", seed " << seed << ", step " << step;
    }
    while (!live.empty()) {
      pool.free(live.take(0));
    }
    pool.empty_cache();
    EXPECT_EQ(pool.statistics().reserved.current, 0);
    EXPECT_EQ(memory.in_use(), 0u);
    EXPECT_EQ(memory.live_events(), 0u);
  }
  EXPECT_GT(struck, 1000);
  EXPECT_GT(refused, 100);
  EXPECT_GT(dropped, 10);
}

INSTANTIATE_TEST_SUITE_P(Kinds, BlockPoolFailure,
                         testing::Values(Kind{"segments", false, false, false},
                                         Kind{"ranges", true, false, false},
                                         Kind{"pieces", true, true, false},
                                         Kind{"pinned", false, false, true}),
                         [](const auto& kind) { return std::string(kind.param.name); });

TEST(BlockPoolFailure, RecordsOfBlocksRunOutWhileOneIsCutInTwo) {
  // A segment's one free block is cut for every allocation: each takes a record, 128 at a time.
  FakeMemory memory(GiB);
  BlockPool pool(memory);
  std::vector<Block*> blocks;
  int refused = 0;
  for (int i = 0; i < 2000; ++i) {
    Block* block = nullptr;
    with_failure(2, [&] { block = pool.allocate(512); });  // the first is the block itself
    if (block == nullptr) {
      ++refused;
      block = pool.allocate(512);
      ASSERT_NE(block, nullptr) << "the failed call must not have lost the free block";
    }
    blocks.push_back(block);
  }
  EXPECT_GE(refused, 2000 / 128);
  EXPECT_EQ(memory.allocations, 1) << "nothing was lost: 2 MiB hold them all";
  for (Block* block : blocks) {
    pool.free(block);
  }
  EXPECT_EQ(pool.empty_cache(), 2 * MiB);
}

TEST(MappedPieces, TakeBackWhatWasMappedWhenTheRecordFails) {
  MappedPieces pieces;
  char* const base = reinterpret_cast<char*>(size_t(1) << 40);
  size_t mapped = 0;
  const auto map = [&](void*, size_t bytes) {
    mapped += bytes;
    return true;
  };
  const auto unmap = [&](void*, size_t bytes) { mapped -= bytes; };
  bool done = true;
  EXPECT_TRUE(with_failure(3, [&] { done = pieces.map(base, 64 * MiB, map, unmap); }));
  EXPECT_FALSE(done);
  EXPECT_EQ(mapped, 0u);
  EXPECT_TRUE(pieces.is_border(base + MiB)) << "no piece is left";
  EXPECT_TRUE(pieces.map(base, 64 * MiB, map, unmap));
  EXPECT_EQ(mapped, 64 * MiB);
}

}  // namespace
}  // namespace th
