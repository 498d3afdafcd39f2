// Pools of pinned host memory, which the host writes while devices may still read it.
#include <chrono>
#include <cstdlib>
#include <future>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "TH/core/memory/block_pool/fake_memory.h"
#include "core/memory/block_pool/pool.h"

namespace th {
namespace {

using testing_support::FakeMemory;
using Log = std::vector<std::string>;

constexpr size_t MiB = size_t{1} << 20, GiB = MiB * 1024;

Stream stream(size_t number) { return reinterpret_cast<Stream>(number); }

PoolConfig pinned() {
  PoolConfig config;
  config.pinned = true;
  return config;
}

TEST(PinnedPool, RoundsToEightStepsPerOctaveAndNeverSplits) {
  FakeMemory memory(GiB);
  BlockPool pool(memory, pinned());
  Block* block = pool.allocate(100 * MiB + 1);
  EXPECT_EQ(block->bytes, 104 * MiB) << "64 MiB + 5 * 8 MiB";
  EXPECT_EQ(memory.in_use(), 104 * MiB);
  void* const ptr = block->ptr;
  pool.free(block);
  Block* small = pool.allocate(50 * MiB);
  EXPECT_NE(small->ptr, ptr);
  EXPECT_EQ(pool.allocate(97 * MiB)->ptr, ptr) << "the same class";
}

TEST(PinnedPool, TakesNewMemoryWhileAStreamStillReadsTheOld) {
  FakeMemory memory(GiB);
  BlockPool pool(memory, pinned());
  Block* first = pool.allocate(8 * MiB);
  void* const ptr = first->ptr;
  pool.use(first, stream(1));
  pool.free(first);
  EXPECT_EQ(memory.log, Log{"record on stream 1"});
  Block* second = pool.allocate(8 * MiB);
  EXPECT_NE(second->ptr, ptr);
  memory.all_passed = true;
  EXPECT_EQ(pool.allocate(8 * MiB)->ptr, ptr);
  EXPECT_EQ(memory.live_events(), 0u);
}

TEST(PinnedPool, TakesTheBlockThatWaitsLongest) {
  FakeMemory memory(GiB);
  BlockPool pool(memory, pinned());
  Block* blocks[3];
  void* ptrs[3];
  for (int i = 0; i < 3; ++i) {
    blocks[i] = pool.allocate(8 * MiB);
    ptrs[i] = blocks[i]->ptr;
    pool.use(blocks[i], stream(1));
  }
  for (const int i : {1, 0, 2}) {
    pool.free(blocks[i]);
  }
  memory.all_passed = true;
  for (const int i : {1, 0, 2}) {
    EXPECT_EQ(pool.allocate(8 * MiB)->ptr, ptrs[i]);
  }
}

TEST(PinnedPool, WaitsForTheStreamWhenMemoryIsOut) {
  FakeMemory memory(10 * MiB);
  BlockPool pool(memory, pinned());
  Block* first = pool.allocate(8 * MiB);
  pool.use(first, nullptr);  // the devices' default stream is another one than the host
  pool.free(first);
  EXPECT_NE(pool.allocate(8 * MiB), nullptr);
  EXPECT_EQ(memory.log, (Log{"record on stream 0", "host waits"}));
}

TEST(PinnedPool, WaitsForTheWorkOnALiveBlockWhereItIsAskedTo) {
  FakeMemory memory(GiB);
  BlockPool pool(memory, pinned());
  Block* block = pool.allocate(MiB);
  pool.wait_for_uses(block);
  EXPECT_EQ(memory.log, Log{});
  pool.use(block, stream(1));
  pool.wait_for_uses(block);
  pool.free(block);
  EXPECT_EQ(memory.log, (Log{"record on stream 1", "host waits"}));
  EXPECT_EQ(memory.live_events(), 0u);
}

TEST(PinnedPool, LetsOthersInWhileItWaits) {
  class Asking : public FakeMemory {
   public:
    using FakeMemory::FakeMemory;
    void synchronize(Event event) noexcept override {
      FakeMemory::synchronize(event);
      auto answer = std::async(std::launch::async, [this] { return pool->has_free(MiB); });
      answered = answer.wait_for(std::chrono::seconds(10)) == std::future_status::ready;
      if (!answered) {
        std::abort();  // or the future would wait for ever
      }
    }
    BlockPool* pool = nullptr;
    bool answered = false;
  } memory(GiB);
  BlockPool pool(memory, pinned());
  memory.pool = &pool;
  Block* block = pool.allocate(MiB);
  pool.use(block, stream(1));
  pool.wait_for_uses(block);
  EXPECT_TRUE(memory.answered);
  pool.free(block);
}

TEST(PinnedPool, TriesWithoutTakingFromOthers) {
  FakeMemory memory(5 * MiB);
  BlockPool pool(memory, pinned());
  pool.free(pool.allocate(4 * MiB));
  EXPECT_EQ(pool.try_allocate(2 * MiB), nullptr) << "4 of 5 MiB are cached";
  EXPECT_EQ(pool.statistics().failures, 0);
  EXPECT_EQ(pool.statistics().retries, 0);
  EXPECT_EQ(pool.statistics().reserved.current, 4 * int64_t{MiB});
  Block* cached = pool.try_allocate(4 * MiB);
  ASSERT_NE(cached, nullptr);
  pool.free(cached);
  Block* block = pool.allocate(2 * MiB);
  ASSERT_NE(block, nullptr);
  pool.free(block);
}

}  // namespace
}  // namespace th
