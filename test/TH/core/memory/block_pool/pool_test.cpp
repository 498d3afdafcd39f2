#include "core/memory/block_pool/pool.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "TH/core/memory/block_pool/fake_memory.h"

namespace th {
namespace {

using testing_support::FakeMemory;
using Log = std::vector<std::string>;

constexpr size_t KiB = 1024, MiB = KiB * 1024, GiB = MiB * 1024;

Stream stream(size_t number) { return reinterpret_cast<Stream>(number); }

PoolConfig ranged() {
  PoolConfig config;
  config.range_bytes = 64 * GiB;
  return config;
}

// --- size classes --------------------------------------------------------------------------------

TEST(SizeClass, HasEightStepsPerOctave) {
  EXPECT_EQ(SizeClass::of(1024), SizeClass::of(512) + 8);
  EXPECT_EQ(SizeClass::of(1151), SizeClass::of(1024));
  EXPECT_EQ(SizeClass::of(1152), SizeClass::of(1024) + 1);  // 1024 + 1024 / 8
}

TEST(SizeClass, IsExactForSmallSizesAndNeverWiderThanAnEighth) {
  for (int c = 1; c + 1 < SizeClass::kCount; ++c) {
    const uint64_t floor = SizeClass::floor_of(c), next = SizeClass::floor_of(c + 1);
    ASSERT_EQ(SizeClass::of(floor), c);
    ASSERT_EQ(SizeClass::of(next - 1), c);
    ASSERT_LE((next - floor) * 8, std::max<uint64_t>(floor, 8)) << "class " << c;
    ASSERT_EQ(SizeClass::round_up(floor), floor);
    ASSERT_EQ(SizeClass::round_up(next - 1), next - 1 == floor ? floor : next);
  }
}

// --- one stream ----------------------------------------------------------------------------------

TEST(BlockPool, GivesAlignedBlocksOfAtLeastTheSizeAskedFor) {
  FakeMemory memory(GiB);
  BlockPool pool(memory);
  std::vector<Block*> blocks;
  for (const size_t bytes :
       {size_t(0), size_t(1), size_t(511), size_t(512), size_t(513), 5 * MiB + 1}) {
    Block* block = pool.allocate(bytes);
    EXPECT_GE(block->bytes, std::max<size_t>(bytes, 1));
    EXPECT_LT(block->bytes, bytes + 513);
    EXPECT_EQ(reinterpret_cast<size_t>(block->ptr) % 512, 0u);
    blocks.push_back(block);
  }
  for (Block* block : blocks) {
    pool.free(block);
  }
}

TEST(BlockPool, ReusesAFreedBlockOfTheSameStream) {
  FakeMemory memory(GiB);
  BlockPool pool(memory);
  Block* first = pool.allocate(3 * MiB, stream(1));
  void* const ptr = first->ptr;
  pool.free(first);
  EXPECT_EQ(pool.allocate(3 * MiB, stream(1))->ptr, ptr);
  EXPECT_EQ(memory.allocations, 1);
  EXPECT_TRUE(memory.log.empty()) << "one stream needs no events";
}

TEST(BlockPool, KeepsStreamsApart) {
  FakeMemory memory(GiB);
  BlockPool pool(memory);
  Block* first = pool.allocate(3 * MiB, stream(1));
  void* const ptr = first->ptr;
  pool.free(first);
  Block* second = pool.allocate(3 * MiB, stream(2));
  EXPECT_NE(second->ptr, ptr) << "work of stream 1 may still use it";
  EXPECT_NE(pool.allocate(3 * MiB)->ptr, ptr) << "nor is the default stream in order with it";
}

TEST(BlockPool, LetsSmallRequestsShareASegmentAndKeepsLargeOnesOut) {
  FakeMemory memory(GiB);
  BlockPool pool(memory);
  std::vector<char*> small;
  for (int i = 0; i < 100; ++i) {
    small.push_back(pool.allocate(20 * KiB)->begin());
  }
  EXPECT_EQ(memory.allocations, 1);
  EXPECT_EQ(memory.in_use(), 2 * MiB);
  char* const large = pool.allocate(1 * MiB + 1)->begin();
  EXPECT_TRUE(large < small[0] || large >= small[0] + 2 * MiB);
}

TEST(BlockPool, MergesNeighboursInWhateverOrderTheyAreFreed) {
  std::vector<int> order{0, 1, 2, 3};
  do {
    FakeMemory memory(GiB);
    BlockPool pool(memory);
    Block* blocks[4];
    for (Block*& block : blocks) {
      block = pool.allocate(4 * MiB);
    }
    ASSERT_EQ(memory.allocations, 1) << "they share 20 MiB";
    char* const begin = blocks[0]->begin();
    for (const int i : order) {
      pool.free(blocks[i]);
    }
    EXPECT_EQ(pool.statistics().inactive_blocks.current, 0);
    Block* whole = pool.allocate(20 * MiB);
    EXPECT_EQ(whole->begin(), begin);
    EXPECT_EQ(memory.allocations, 1);
    pool.free(whole);
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(BlockPool, FindsTheBlocksOfTheLastStepAgain) {
  // Sizes that are no class boundary, live at the same time, freed in another order.
  FakeMemory memory(GiB);
  BlockPool pool(memory, ranged());
  const std::vector<size_t> sizes{7 * MiB + 512, 1234 * KiB, 13 * MiB + 5, 9999 * KiB, 7 * MiB};
  size_t reserved = 0;
  for (int step = 0; step < 10; ++step) {
    std::vector<Block*> blocks;
    for (const size_t bytes : sizes) {
      blocks.push_back(pool.allocate(bytes));
    }
    for (const int i : {3, 0, 4, 2, 1}) {
      pool.free(blocks[size_t(i)]);
    }
    if (step == 0) {
      reserved = memory.in_use();
    }
    EXPECT_EQ(memory.in_use(), reserved) << "step " << step;
  }
}

// --- ranges of pages -----------------------------------------------------------------------------

TEST(BlockPool, GrowsARangeInPlace) {
  FakeMemory memory(GiB, true);
  BlockPool pool(memory, ranged());
  std::vector<Block*> blocks;
  for (int i = 0; i < 10; ++i) {
    blocks.push_back(pool.allocate(3 * MiB));
  }
  EXPECT_EQ(memory.in_use(), 30 * MiB);
  EXPECT_EQ(memory.allocations, 0);
  char* const begin = blocks[0]->begin();
  for (Block* block : blocks) {
    pool.free(block);
  }
  Block* whole = pool.allocate(40 * MiB);
  EXPECT_EQ(whole->begin(), begin);
  EXPECT_EQ(memory.in_use(), 40 * MiB) << "only what was missing is new";
}

TEST(BlockPool, GivesBackThePagesBetweenLiveBlocksAndFillsThemAgain) {
  FakeMemory memory(GiB, true);
  BlockPool pool(memory, ranged());
  Block* first = pool.allocate(3 * MiB);
  Block* middle = pool.allocate(11 * MiB);
  Block* last = pool.allocate(4 * MiB);
  char* const hole = middle->begin();
  pool.free(middle);
  EXPECT_EQ(pool.empty_cache(), 10 * MiB) << "whole pages from 4 to 14 MiB";
  EXPECT_EQ(memory.in_use(), 8 * MiB);
  Block* again = pool.allocate(11 * MiB);
  EXPECT_EQ(again->begin(), hole);
  EXPECT_EQ(memory.in_use(), 18 * MiB);
  for (Block* block : {first, again, last}) {
    pool.free(block);
  }
  EXPECT_EQ(pool.empty_cache(), 18 * MiB);
  EXPECT_EQ(pool.statistics().segments.current, 0);
}

TEST(BlockPool, JoinsAFilledGapWithWhatIsFreeBehindIt) {
  FakeMemory memory(GiB, true);
  BlockPool pool(memory, ranged());
  Block* blocks[4];
  for (const int i : {0, 1, 2, 3}) {
    blocks[i] = pool.allocate((i == 1 ? 10 : 4) * MiB);
  }
  char* const gap = blocks[1]->begin();
  pool.free(blocks[1]);
  EXPECT_EQ(pool.empty_cache(), 10 * MiB);
  pool.free(blocks[2]);
  EXPECT_EQ(pool.allocate(13 * MiB)->begin(), gap);
  EXPECT_EQ(memory.in_use(), 22 * MiB);
}

TEST(BlockPool, GivesBackPagesAsTheyWereMapped) {
  FakeMemory memory(GiB, true, true);
  BlockPool pool(memory, ranged());
  pool.free(pool.allocate(40 * MiB));  // pieces of 16, 16 and 8 MiB
  Block* first = pool.allocate(3 * MiB);
  Block* second = pool.allocate(15 * MiB);
  EXPECT_EQ(memory.in_use(), 40 * MiB);
  EXPECT_EQ(pool.empty_cache(), 8 * MiB) << "from 18 to 32 MiB a piece lies under a live block";
  pool.free(first);
  EXPECT_EQ(pool.empty_cache(), 0u);
  pool.free(second);
  EXPECT_EQ(pool.empty_cache(), 32 * MiB);
}

TEST(BlockPool, CanChangeToSegmentsAndBack) {
  FakeMemory memory(GiB, true);
  BlockPool pool(memory, ranged());
  const size_t addresses = pool.range_bytes();
  Block* mapped = pool.allocate(3 * MiB);
  pool.set_range_bytes(0);
  Block* in_a_segment = pool.allocate(5 * MiB);
  EXPECT_EQ(memory.allocations, 1);
  pool.set_range_bytes(addresses);
  Block* also_mapped = pool.allocate(50 * MiB);
  EXPECT_EQ(memory.allocations, 1);
  for (Block* block : {mapped, in_a_segment, also_mapped}) {
    pool.free(block);
  }
  pool.empty_cache();
  EXPECT_EQ(memory.in_use(), 0u);
}

TEST(BlockPool, TakesPiecesWhereThereAreNoRanges) {
  FakeMemory memory(GiB, false);
  BlockPool pool(memory, ranged());
  EXPECT_NE(pool.allocate(3 * MiB), nullptr);
  EXPECT_EQ(memory.allocations, 1);
}

// --- several streams -----------------------------------------------------------------------------

TEST(BlockPool, LetsTheOwnerWaitForOtherStreamsWhenTheBlockIsReused) {
  FakeMemory memory(GiB);
  BlockPool pool(memory);
  Block* block = pool.allocate(3 * MiB, stream(1));
  void* const ptr = block->ptr;
  pool.use(block, stream(2));
  pool.use(block, stream(2));
  pool.use(block, stream(3));
  pool.use(block, stream(1));
  EXPECT_EQ(memory.log, Log{}) << "nothing is recorded while the block is live";
  pool.free(block);
  EXPECT_EQ(memory.log, (Log{"record on stream 2", "record on stream 3"}));
  memory.log.clear();
  EXPECT_EQ(pool.allocate(3 * MiB, stream(1))->ptr, ptr);
  EXPECT_EQ(memory.log, (Log{"stream 1 waits", "stream 1 waits"}));
  EXPECT_EQ(memory.live_events(), 0u);
}

TEST(BlockPool, RemembersOnlyTheLatestEventOfAStreamWhenBlocksMerge) {
  FakeMemory memory(GiB);
  BlockPool pool(memory);
  std::vector<Block*> blocks;
  for (int i = 0; i < 6; ++i) {
    blocks.push_back(pool.allocate(3 * MiB, stream(1)));
    pool.use(blocks.back(), stream(2));
  }
  for (const size_t i : {0, 2, 4, 1, 3, 5}) {
    pool.free(blocks[i]);
  }
  EXPECT_EQ(memory.live_events(), 1u);
  memory.log.clear();
  EXPECT_NE(pool.allocate(18 * MiB, stream(1)), nullptr);
  EXPECT_EQ(memory.log, Log{"stream 1 waits"});
  EXPECT_EQ(memory.last_waited, reinterpret_cast<Event>(6)) << "the others are behind it";
}

TEST(BlockPool, OnceTheOwnerWaitedTheRestOfABlockIsClean) {
  FakeMemory memory(GiB);
  BlockPool pool(memory);
  Block* block = pool.allocate(18 * MiB, stream(1));
  pool.use(block, stream(2));
  pool.free(block);
  EXPECT_NE(pool.allocate(3 * MiB, stream(1)), nullptr);
  memory.log.clear();
  EXPECT_NE(pool.allocate(3 * MiB, stream(1)), nullptr);
  EXPECT_EQ(memory.log, Log{}) << "its stream already waited for the whole block";
}

TEST(BlockPool, WaitsForEventsBeforeMemoryGoesBack) {
  for (const bool has_ranges : {false, true}) {
    FakeMemory memory(GiB, has_ranges);
    BlockPool pool(memory, ranged());
    Block* block = pool.allocate(4 * MiB, stream(1));
    pool.use(block, stream(2));
    pool.free(block);
    memory.log.clear();
    pool.empty_cache();
    EXPECT_EQ(memory.log, Log{"host waits"});
    EXPECT_EQ(memory.live_events(), 0u);
    EXPECT_EQ(memory.in_use(), 0u);
  }
}

// --- out of memory -------------------------------------------------------------------------------

TEST(BlockPool, ReleasesWhatOtherStreamsCacheAndRetries) {
  for (const bool has_ranges : {false, true}) {
    FakeMemory memory(100 * MiB, has_ranges);
    BlockPool pool(memory, ranged());
    Block* cached = pool.allocate(60 * MiB, stream(1));
    pool.use(cached, stream(3));
    pool.free(cached);
    EXPECT_NE(pool.allocate(80 * MiB, stream(2)), nullptr);
    EXPECT_EQ(memory.in_use(), 80 * MiB);
    EXPECT_EQ(pool.statistics().retries, 1);
    EXPECT_EQ(pool.statistics().failures, 0);
  }
}

TEST(BlockPool, FailsWithASummaryAndStaysUsable) {
  FakeMemory memory(100 * MiB);
  BlockPool pool(memory);
  Block* live = pool.allocate(64 * MiB);
  pool.free(pool.allocate(24 * MiB));
  EXPECT_EQ(pool.allocate(50 * MiB), nullptr);
  EXPECT_EQ(pool.statistics().failures, 1);
  EXPECT_EQ(pool.statistics().retries, 1);
  pool.free(pool.allocate(24 * MiB));
  EXPECT_EQ(pool.describe_failure(50 * MiB),
            "asked 50.00 MiB; in use 64.00 MiB, cached 24.00 MiB (largest block 24.00 MiB), "
            "no limit set");
  pool.free(live);
  EXPECT_NE(pool.allocate(90 * MiB), nullptr);
}

TEST(BlockPool, PutsASmallRequestBetweenLargeBlocksAsTheLastResort) {
  FakeMemory memory(20 * MiB);
  BlockPool pool(memory);
  EXPECT_NE(pool.allocate(9 * MiB), nullptr);
  EXPECT_NE(pool.allocate(1 * KiB), nullptr) << "the other 11 MiB are of the large heap";
}

TEST(BlockPool, RefusesSizesThatNoMachineHas) {
  FakeMemory memory(GiB, true);
  BlockPool pool(memory, ranged());
  for (const size_t bytes : {~size_t(0), size_t(1) << 63, BlockPool::kMaxBytes + 1, 2 * GiB}) {
    EXPECT_EQ(pool.allocate(bytes), nullptr);
  }
  EXPECT_EQ(pool.statistics().failures, 4);
  EXPECT_EQ(pool.statistics().segments.current, 0) << "no range is kept for a refused request";
}

TEST(BlockPool, KeepsTheLimit) {
  for (const bool has_ranges : {false, true}) {
    FakeMemory memory(GiB, has_ranges);
    BlockPool pool(memory, ranged());
    pool.set_limit(50 * MiB);
    Block* first = pool.allocate(30 * MiB);
    EXPECT_EQ(pool.allocate(30 * MiB), nullptr);
    Block* second = pool.allocate(20 * MiB);
    EXPECT_NE(second, nullptr) << "exactly the limit";
    EXPECT_NE(pool.describe_failure(1).find("limit 50.00 MiB"), std::string::npos);
    pool.free(first);
    pool.set_limit(25 * MiB);
    EXPECT_LE(memory.in_use(), 25 * MiB) << "a lower limit gives back what is free";
    pool.set_limit(0);
    EXPECT_NE(pool.allocate(200 * MiB), nullptr);
    EXPECT_EQ(pool.statistics().limit, 0);
  }
}

// --- how much is kept ----------------------------------------------------------------------------

TEST(BlockPool, GivesBackWhatExceedsTheRecentPeak) {
  for (const bool has_ranges : {false, true}) {
    FakeMemory memory(16 * GiB, has_ranges);
    PoolConfig config = ranged();
    config.keep_idle = 64 * MiB;
    BlockPool pool(memory, config);
    Block* huge = pool.allocate(4 * GiB);
    pool.free(huge);
    EXPECT_EQ(memory.in_use(), 4 * GiB) << "the next step may want it again";
    // Later work that needs little: once eight times the peak was allocated anew, it is forgotten.
    for (int i = 0; i < 2000; ++i) {
      pool.free(pool.allocate(20 * MiB));
    }
    EXPECT_LE(memory.in_use(), 128 * MiB);
  }
}

TEST(BlockPool, ForgetsAPeakAfterAWhile) {
  FakeMemory memory(16 * GiB, true);
  PoolConfig config = ranged();
  config.keep_idle = 64 * MiB;
  config.remember_seconds = 0.001;
  BlockPool pool(memory, config);
  pool.free(pool.allocate(4 * GiB));
  for (int i = 0; i < 1000 && memory.in_use() > 64 * MiB; ++i) {
    std::this_thread::sleep_for(std::chrono::microseconds(100));
    pool.free(pool.allocate(1 * KiB));
  }
  EXPECT_LE(memory.in_use(), 64 * MiB) << "though next to nothing was allocated";
}

TEST(BlockPool, KeepsWhatEveryStepUses) {
  FakeMemory memory(16 * GiB, true);
  PoolConfig config = ranged();
  config.keep_idle = 64 * MiB;
  BlockPool pool(memory, config);
  for (int step = 0; step < 20; ++step) {
    std::vector<Block*> activations;
    for (int i = 0; i < 100; ++i) {
      activations.push_back(pool.allocate(20 * MiB));
      pool.free(pool.allocate(30 * MiB));  // a workspace
    }
    for (Block* block : activations) {
      pool.free(block);
    }
  }
  EXPECT_EQ(memory.unmaps, 0);
}

TEST(BlockPool, ExchangesSegmentsThatDoNotFitInsteadOfPilingThemUp) {
  FakeMemory memory(GiB);
  BlockPool pool(memory);
  for (size_t bytes = 100 * MiB; bytes <= 300 * MiB; bytes += 10 * MiB) {
    pool.free(pool.allocate(bytes));  // each larger than all before
    EXPECT_LE(memory.in_use(), bytes + bytes / 8);
  }
  EXPECT_EQ(pool.statistics().retries, 0) << "without ever running out";
}

// --- statistics ----------------------------------------------------------------------------------

TEST(BlockPool, CountsCurrentPeakAndTotal) {
  FakeMemory memory(GiB);
  BlockPool pool(memory);
  Block* first = pool.allocate(4 * MiB + 1);
  Block* second = pool.allocate(4 * MiB);
  Block* third = pool.allocate(100);
  pool.free(second);
  const PoolStatistics s = pool.statistics();
  EXPECT_EQ(s.requested.current, int64_t(4 * MiB + 101));
  EXPECT_EQ(s.requested.peak, int64_t(8 * MiB + 101));
  EXPECT_EQ(s.allocated.current, int64_t(4 * MiB + 1024));
  EXPECT_EQ(s.allocated.total, int64_t(8 * MiB + 1024));
  EXPECT_EQ(pool.live_bytes(), s.allocated.current);
  EXPECT_EQ(s.reserved.current, int64_t(22 * MiB));
  EXPECT_EQ(s.blocks.current, 2);
  EXPECT_EQ(s.blocks.total, 3);
  EXPECT_EQ(s.segments.current, 2);
  // Free between or behind live blocks: all of both segments that is not allocated.
  EXPECT_EQ(s.inactive.current, s.reserved.current - s.allocated.current);
  EXPECT_EQ(s.inactive_blocks.current, 2);
  pool.free(first);
  pool.free(third);
  EXPECT_EQ(pool.statistics().inactive.current, 0);
  EXPECT_EQ(pool.statistics().requested.current, 0);
  pool.reset_peaks();
  EXPECT_EQ(pool.statistics().allocated.peak, 0);
  EXPECT_EQ(pool.statistics().reserved.peak, int64_t(22 * MiB));
  EXPECT_EQ(pool.statistics().blocks.total, 3) << "totals go on";
}

TEST(BlockPool, CountsBySizeClass) {
  FakeMemory memory(GiB);
  BlockPool pool(memory);
  Block* block = pool.allocate(512);
  pool.free(pool.allocate(512));
  for (const size_t bytes : {33 * KiB, 35 * KiB}) {  // 66 and 70 granules: of 64 to 71
    EXPECT_NE(pool.allocate(bytes), nullptr);
  }
  EXPECT_NE(block, nullptr);
  const auto classes = pool.statistics().by_class;
  ASSERT_EQ(classes.size(), 2u);
  EXPECT_EQ(classes[0].bytes, 512u);
  EXPECT_EQ(classes[0].blocks.current, 1);
  EXPECT_EQ(classes[0].blocks.peak, 2);
  EXPECT_EQ(classes[0].blocks.total, 2);
  EXPECT_EQ(classes[1].bytes, 32 * KiB);
  EXPECT_EQ(classes[1].blocks.current, 2);
}

}  // namespace
}  // namespace th
