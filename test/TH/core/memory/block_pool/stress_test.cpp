// Random use against a model that only knows intervals.
#include <map>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "TH/core/memory/block_pool/fake_memory.h"
#include "TH/core/memory/block_pool/tiny_json.h"
#include "core/memory/block_pool/pool.h"

namespace th {
namespace {

using testing_support::FakeMemory;
using testing_support::Json;
using testing_support::JsonReader;

constexpr size_t KiB = 1024, MiB = KiB * 1024;

/// Live intervals of addresses.
class Model {
 public:
  void add(const Block* block) {
    const auto next = live_.lower_bound(block->begin());
    if (next != live_.end()) {
      ASSERT_LE(block->end(), next->first) << "overlaps the block behind";
    }
    if (next != live_.begin()) {
      ASSERT_LE(std::prev(next)->second, block->begin()) << "overlaps the block before";
    }
    live_[block->begin()] = block->end();
    bytes_ += block->bytes;
  }
  void remove(const Block* block) {
    ASSERT_EQ(live_.at(block->begin()), block->end()) << "its size changed while it was live";
    live_.erase(block->begin());
    bytes_ -= block->bytes;
  }
  size_t bytes() const { return bytes_; }

 private:
  std::map<char*, char*> live_;
  size_t bytes_ = 0;
};

/// What must hold at any time, read from the snapshot.
void check_invariants(const BlockPool& pool, const FakeMemory& memory) {
  const Json json = JsonReader::read(pool.snapshot());
  int64_t live = 0, mapped = 0;
  for (const Json& segment : json["segments"].items) {
    std::string before;
    for (const Json& block : segment["blocks"].items) {
      const std::string state = block["state"].text == "pending" ? "free" : block["state"].text;
      ASSERT_FALSE(state == before && state != "live") << "two " << state << " neighbours";
      before = state;
      live += state == "live" ? block["bytes"].integer() : 0;
      mapped += state != "unmapped" ? block["bytes"].integer() : 0;
    }
  }
  const Json& statistics = json["statistics"];
  ASSERT_EQ(live, statistics["allocated"]["current"].integer());
  ASSERT_EQ(mapped, statistics["reserved"]["current"].integer());
  ASSERT_EQ(size_t(mapped), memory.in_use());
}

struct StressCase {
  const char* name;
  bool ranges, pinned;
  size_t keep_idle;
  bool in_pieces = false;
};

class BlockPoolStress : public testing::TestWithParam<StressCase> {};

TEST_P(BlockPoolStress, NeverOverlapsAndMergesBackToWholeSegments) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const auto below = [&](size_t n) {
    return std::uniform_int_distribution<size_t>(0, n - 1)(random);
  };
  FakeMemory memory(256 * MiB, GetParam().ranges, GetParam().in_pieces);
  {
    PoolConfig config;
    config.range_bytes = GetParam().ranges ? 64 * MiB : 0;  // several ranges per heap
    config.pinned = GetParam().pinned;
    config.keep_idle = GetParam().keep_idle;
    BlockPool pool(memory, config);
    Model model;
    std::vector<Block*> live;
    const auto free_one = [&] {
      const size_t i = below(live.size());
      model.remove(live[i]);
      pool.free(live[i]);
      live[i] = live.back();
      live.pop_back();
    };
    int refused = 0;
    for (int step = 0; step < 20000; ++step) {
      const size_t target = step / 2000 % 2 == 0 ? 90 : 40;  // filling and draining by turns
      if (live.empty() || below(100) < (live.size() < target ? 60 : 40)) {
        const size_t bytes = below(100) < 50 ? below(900 * KiB) : below(24 * MiB);
        Block* block = pool.allocate(bytes, reinterpret_cast<Stream>(below(3)));
        if (block == nullptr) {
          ++refused;
          free_one();
          continue;
        }
        ASSERT_GE(block->bytes, bytes);
        model.add(block);
        live.push_back(block);
        if (below(4) == 0) {
          pool.use(block, reinterpret_cast<Stream>(below(4)));
        }
      } else {
        free_one();
      }
      if (HasFatalFailure()) {
        return;
      }
      ASSERT_EQ(size_t(pool.live_bytes()), model.bytes());
      memory.all_passed = below(2) == 0;
      if (below(1000) == 0) {
        pool.empty_cache();
      }
      if (step % 500 == 0) {
        check_invariants(pool, memory);
      }
    }
    EXPECT_GT(refused, 0) << "the test means to run out of memory now and then";
    while (!live.empty()) {
      free_one();
    }
    check_invariants(pool, memory);
    const PoolStatistics s = pool.statistics();
    EXPECT_EQ(s.allocated.current, 0);
    EXPECT_EQ(s.inactive_blocks.current, 0);
    const Json json = JsonReader::read(pool.snapshot());
    for (const Json& segment : json["segments"].items) {
      if (segment["paged"].integer() == 0) {
        EXPECT_EQ(segment["blocks"].items.size(), 1u);
      }
    }
    pool.empty_cache();
    EXPECT_EQ(memory.in_use(), 0u);
    EXPECT_EQ(memory.live_events(), 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, BlockPoolStress,
                         testing::Values(StressCase{"pieces", false, false, PoolConfig::kUnlimited},
                                         StressCase{"ranges", true, false, PoolConfig::kUnlimited},
                                         StressCase{"ranges_kept_short", true, false, 4 * MiB},
                                         StressCase{"ranges_in_pieces", true, false,
                                                    PoolConfig::kUnlimited, true},
                                         StressCase{"pinned", false, true, PoolConfig::kUnlimited}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(BlockPoolThreads, GiveEachThreadItsOwnBlocks) {
  FakeMemory memory(size_t(1) << 40, true);
  PoolConfig config;
  config.range_bytes = size_t(1) << 40;
  config.keep_idle = 4 * MiB;
  BlockPool pool(memory, config);
  Model model;
  std::mutex mutex;  // of the model
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      std::mt19937 random(t);
      std::vector<Block*> live;
      for (int i = 0; i < 5000; ++i) {
        if (live.size() < 20 || random() % 2 == 0) {
          Block* block =
              pool.allocate(random() % (4 * MiB), reinterpret_cast<Stream>(random() % 2));
          const std::lock_guard lock(mutex);
          model.add(block);
          live.push_back(block);
        } else {
          std::swap(live[random() % live.size()], live.back());
          {
            const std::lock_guard lock(mutex);
            model.remove(live.back());
          }
          pool.free(live.back());
          live.pop_back();
        }
        if (i % 1000 == 0) {
          pool.empty_cache();
          pool.snapshot();
        }
      }
      for (Block* block : live) {
        {
          const std::lock_guard lock(mutex);
          model.remove(block);
        }
        pool.free(block);
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(pool.live_bytes(), 0);
  check_invariants(pool, memory);
}

}  // namespace
}  // namespace th
