#include "core/memory/host_allocator.h"

#include <cstring>
#include <deque>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "TH/support/failing_new.h"
#include "core/memory/host_memory.h"
#include "core/runtime/error.h"

namespace th {
namespace {

constexpr size_t KiB = 1024, MiB = KiB * 1024;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

TEST(HostAllocator, GivesMemoryThatCanBeUsedAlignedForAnyVector) {
  HostAllocator host;
  for (const size_t bytes :
       {size_t(0), size_t(1), size_t(63), size_t(64), size_t(65), 3 * MiB, 70 * MiB}) {
    Block* block = host.allocate(bytes);
    EXPECT_EQ(reinterpret_cast<size_t>(block->ptr) % 64, 0u);
    std::memset(block->ptr, 0x5a, bytes);
    host.free(block);
  }
}

TEST(HostAllocator, CountsLiveBytes) {
  HostAllocator host;
  const int64_t& live = host.live_bytes();
  EXPECT_EQ(live, 0);
  Block* block = host.allocate(10 * MiB);
  EXPECT_GE(live, int64_t(10 * MiB));
  EXPECT_LT(live, int64_t(10 * MiB + 4 * KiB));
  host.free(block);
  EXPECT_EQ(live, 0);
}

TEST(HostAllocator, RefusesMoreThanTheMachineHasAndLives) {
  HostAllocator host;
  for (const size_t bytes : {size_t(1) << 44, size_t(1) << 62, ~size_t(0)}) {
    try {
      host.allocate(bytes);
      FAIL() << "got " << bytes;
    } catch (const OutOfMemory& e) {
      const std::string text = e.what();
      EXPECT_NE(text.find("asked " + format_bytes(double(bytes))), std::string::npos) << text;
      EXPECT_NE(text.find("the machine has"), std::string::npos) << text;
    }
  }
  host.free(host.allocate(1 * MiB));
}

TEST(HostAllocator, LivesWhereEvenTheQuestionWhatIsLeftFindsNoMemory) {
  HostAllocator host;
  int refused = 0;
  for (int64_t n = 1; n < 200; ++n) {  // each allocation on the way fails once
    Block* block = nullptr;
    const bool struck = testing_support::with_failure(n, [&] {
      try {
        block = host.allocate(100 * MiB);
      } catch (const std::bad_alloc&) {  // no memory for the text
      } catch (const OutOfMemory&) {
      }
    });
    refused += block == nullptr;
    if (block != nullptr) {
      host.free(block);
      host.empty_cache();
    }
    if (!struck) {
      break;
    }
  }
  EXPECT_GE(refused, 1);  // the pool's own; streams of files keep what fails in them to themselves
  host.free(host.allocate(100 * MiB));
}

TEST(HostAllocator, CountsMemoryThatWasGivenOutButNotTouchedYet) {
  if (kSanitized) {
    GTEST_SKIP() << "poisoning touches an eighth of it";
  }
  HostAllocator host;
  const size_t two_thirds = size_t(available_memory()) / 3 * 2;
  Block* first = host.allocate(two_thirds);
  EXPECT_THROW(host.allocate(two_thirds), OutOfMemory)
      << "both fit one by one, but not when they are touched";
  host.free(first);
  host.free(host.allocate(two_thirds));
}

TEST(HostAllocator, StaysBoundedThroughThousandsOfTemporaries) {
  if (kSanitized) {
    GTEST_SKIP() << "the sanitizer's own memory would be measured";
  }
  HostAllocator host;
  const int64_t before = resident_memory();
  std::deque<Block*> live;
  int64_t most = 0;
  for (int i = 0; i < 3000; ++i) {
    Block* block = host.allocate(1 * MiB);
    std::memset(block->ptr, 1, 1 * MiB);
    live.push_back(block);
    if (live.size() == 64) {
      host.free(live.front());
      live.pop_front();
    }
    most = std::max(most, resident_memory() - before);
  }
  EXPECT_GE(most, int64_t(63 * MiB));
  EXPECT_LE(most, int64_t(80 * MiB));
  for (Block* block : live) {
    host.free(block);
  }
}

TEST(HostAllocator, GivesMemoryBackToTheSystem) {
  if (kSanitized) {
    GTEST_SKIP() << "the sanitizer's own memory would be measured";
  }
  HostAllocator host;
  const int64_t before = resident_memory();
  Block* block = host.allocate(512 * MiB);
  std::memset(block->ptr, 1, 512 * MiB);
  Block* small = host.allocate(2 * MiB);  // lies behind it and stays
  host.free(block);
  EXPECT_GE(resident_memory() - before, int64_t(500 * MiB)) << "kept for the next step";
  EXPECT_EQ(host.empty_cache(), 512 * MiB);
  EXPECT_LE(resident_memory() - before, int64_t(16 * MiB));
  // And by itself, once the peak is long past.
  block = host.allocate(512 * MiB);
  std::memset(block->ptr, 1, 512 * MiB);
  host.free(block);
  for (int i = 0; i < 5000; ++i) {
    host.free(host.allocate(1 * MiB));
  }
  EXPECT_LE(resident_memory() - before, int64_t(80 * MiB));
  host.free(small);
}

TEST(HostAllocator, KeepsThreadsApart) {
  HostAllocator host;
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t) {
    threads.emplace_back([&host, t] {
      std::mt19937 random(t);
      std::vector<std::pair<Block*, size_t>> live;
      const auto check_and_free = [&] {
        const auto [block, bytes] = live.back();
        const auto* p = static_cast<const unsigned char*>(block->ptr);
        EXPECT_TRUE(std::all_of(p, p + bytes, [t](unsigned char c) { return c == t + 1; }));
        host.free(block);
        live.pop_back();
      };
      for (int i = 0; i < 3000; ++i) {
        if (live.size() < 8) {
          const size_t bytes = 1 + random() % (random() % 8 == 0 ? 2 * MiB : 8 * KiB);
          Block* block = host.allocate(bytes);
          std::memset(block->ptr, int(t + 1), bytes);
          live.emplace_back(block, bytes);
        } else {
          std::swap(live[random() % live.size()], live.back());
          check_and_free();
        }
      }
      while (!live.empty()) {
        check_and_free();
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(host.live_bytes(), 0);
}

#if defined(__SANITIZE_ADDRESS__)

TEST(HostAllocatorDeathTest, ReportsAnOverrunByOneByte) {
  HostAllocator host;
  Block* block = host.allocate(100);
  auto* p = static_cast<volatile char*>(block->ptr);
  p[99] = 1;
  EXPECT_DEATH(p[100] = 1, "use-after-poison");
  Block* neighbour = host.allocate(64);  // exactly a granule
  EXPECT_DEATH(static_cast<volatile char*>(neighbour->ptr)[64] = 1, "use-after-poison");
  host.free(neighbour);
  host.free(block);
}

TEST(HostAllocatorDeathTest, ReportsUseAfterFree) {
  HostAllocator host;
  Block* block = host.allocate(3 * MiB);
  auto* p = static_cast<volatile char*>(block->ptr);
  host.free(block);
  EXPECT_DEATH(p[5] = 1, "use-after-poison");
}

#endif

// --- what the machine has left -------------------------------------------------------------------

class HostMemory : public testing::Test {
 protected:
  HostMemory() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    const std::string name = "th_host_memory_" + std::to_string(getpid()) + "_" + test->name();
    root_ = std::filesystem::temp_directory_path() / name;
    std::filesystem::remove_all(root_);
    put("/proc/meminfo", "MemTotal: 1000000 kB\nMemFree: 10 kB\nMemAvailable: 500000 kB\n");
  }
  ~HostMemory() override { std::filesystem::remove_all(root_); }

  void put(const std::string& path, const std::string& text) {
    std::filesystem::create_directories(std::filesystem::path(root_.string() + path).parent_path());
    std::ofstream(root_.string() + path) << text;
  }
  int64_t available() const { return available_memory(root_.string()); }

  std::filesystem::path root_;
};

TEST_F(HostMemory, IsTheKernelsEstimateWithoutGroups) {
  EXPECT_EQ(available(), 500000 * 1024);
  put("/proc/self/cgroup", "0::/user\n");
  put("/sys/fs/cgroup/user/memory.max", "max\n");
  put("/sys/fs/cgroup/user/memory.current", "123\n");
  EXPECT_EQ(available(), 500000 * 1024) << "a group without a limit";
}

TEST_F(HostMemory, IsWhatAGroupOfVersion2OrAnyAboveItHasLeft) {
  put("/proc/self/cgroup", "0::/outer/inner\n");
  put("/sys/fs/cgroup/outer/inner/memory.max", "2000000\n");
  put("/sys/fs/cgroup/outer/inner/memory.current", "500000\n");
  EXPECT_EQ(available(), 1500000);
  put("/sys/fs/cgroup/outer/memory.max", "1000000\n");
  put("/sys/fs/cgroup/outer/memory.current", "900000\n");
  put("/sys/fs/cgroup/outer/memory.stat", "anon 1\ninactive_file 30000\nactive_file 9\n");
  EXPECT_EQ(available(), 130000) << "file pages that can be dropped count as available";
}

TEST_F(HostMemory, IsWhatAGroupOfVersion1HasLeftAlsoSeenFromInsideAContainer) {
  put("/proc/self/cgroup", "5:cpu:/x\n4:memory:/path/of/the/host\n");
  put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "1000000\n");
  put("/sys/fs/cgroup/memory/memory.usage_in_bytes", "400000\n");
  EXPECT_EQ(available(), 600000);
  put("/sys/fs/cgroup/memory/memory.usage_in_bytes", "1400000\n");
  EXPECT_EQ(available(), 0) << "never negative";
}

TEST_F(HostMemory, IsUnlimitedWhereNothingIsKnown) {
  std::filesystem::remove_all(root_);
  EXPECT_EQ(available(), std::numeric_limits<int64_t>::max());
}

TEST(ResidentMemory, GrowsWhenMemoryIsTouched) {
  const int64_t before = resident_memory();
  EXPECT_GT(before, 0);
  std::vector<char> touched(64 * MiB, 1);
  EXPECT_GE(resident_memory() - before, int64_t(60 * MiB));
}

}  // namespace
}  // namespace th
