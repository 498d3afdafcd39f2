#include "sim/block.h"

#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "TH/support/refusals.h"
#include "core/runtime/error.h"

namespace thc::sim {
namespace {

struct Plus {
  template <class T>
  T operator()(T a, T b) const {
    return a + b;
  }
};

/// Reverses n numbers through shared memory, which takes a barrier.
struct Reverse {
  std::vector<int>* numbers;
  bool barrier;
  void operator()(Block& block) const {
    int* shared = block.shared<int>();
    const int t = block.thread();
    const int n = block.threads();
    int& mine = (*numbers)[static_cast<size_t>(block.index() * n + t)];
    shared[t] = mine;
    if (barrier) {
      block.sync();
    }
    mine = shared[n - 1 - t];
  }
};

std::vector<int> reversed_blocks(bool barrier) {
  std::vector<int> numbers(2 * 100);
  std::iota(numbers.begin(), numbers.end(), 0);
  run_blocks(2, 100, 100 * sizeof(int), Reverse{&numbers, barrier});
  return numbers;
}

TEST(SimulatedBlock, ABarrierMakesSharedMemoryVisibleToAllThreads) {
  std::vector<int> expected;
  for (int b = 0; b < 2; ++b) {
    for (int t = 99; t >= 0; --t) {
      expected.push_back(b * 100 + t);
    }
  }
  EXPECT_EQ(reversed_blocks(true), expected);
}

TEST(SimulatedBlock, AMissingBarrierIsSeenInTheResult) {
  EXPECT_NE(reversed_blocks(false), reversed_blocks(true));
}

struct Shuffles {
  std::vector<int>* down;
  std::vector<int>* across;
  void operator()(Block& block) const {
    const auto t = static_cast<size_t>(block.thread());
    (*down)[t] = block.shuffle_down(block.thread(), 5);
    (*across)[t] = block.shuffle_xor(block.thread(), 9);
  }
};

TEST(SimulatedBlock, ShufflesMoveValuesWithinAWarp) {
  std::vector<int> down(64);
  std::vector<int> across(64);
  run_blocks(1, 64, 0, Shuffles{&down, &across});
  for (int t = 0; t < 64; ++t) {
    EXPECT_EQ(down[static_cast<size_t>(t)], t % 32 + 5 < 32 ? t + 5 : t) << t;
    EXPECT_EQ(across[static_cast<size_t>(t)], t ^ 9) << t;
  }
}

struct Sums {
  std::vector<double>* sums;
  void operator()(Block& block) const {
    double total = 0;
    for (int round = 1; round <= 3; ++round) {  // each must not disturb the one before
      total += block.reduce(static_cast<double>(round * block.thread()), Plus{});
    }
    (*sums)[static_cast<size_t>(block.index() * block.threads() + block.thread())] = total;
  }
};

TEST(SimulatedBlock, AReductionIsKnownToAllThreads) {
  for (int threads : {32, 64, 256, 1024}) {
    std::vector<double> sums(static_cast<size_t>(2 * threads));
    run_blocks(2, threads, 0, Sums{&sums});
    const double expected = 6.0 * threads * (threads - 1) / 2;
    for (double sum : sums) {
      ASSERT_EQ(sum, expected) << threads << " threads";
    }
  }
}

struct PartsWays {
  void operator()(Block& block) const {
    if (block.thread() != 3) {
      block.shuffle_down(1, 1);
    }
  }
};

struct WaitsApart {
  void operator()(Block& block) const {
    if (block.thread() < 16) {
      block.sync();
    } else {
      block.shuffle_xor(1, 1);
    }
  }
};

template <class Kernel>
std::string error_of(const Kernel& kernel) {
  try {
    run_blocks(1, 64, 0, kernel);
  } catch (const th::Error& e) {
    return e.what();
  }
  return "";
}

TEST(SimulatedBlock, AThreadThatMissesAShuffleIsNamed) {
  EXPECT_NE(error_of(PartsWays{}).find("thread 3 has returned"), std::string::npos);
  EXPECT_NE(error_of(WaitsApart{}).find("thread 0 waits at a barrier"), std::string::npos);
}

struct Throws {
  void operator()(Block& block) const {
    block.sync();
    if (block.thread() == 7) {
      throw th::Error("from inside");
    }
    block.sync();
  }
};

TEST(SimulatedBlock, AnExceptionLeavesTheKernel) {
  EXPECT_EQ(error_of(Throws{}), "from inside");
  std::vector<double> sums(64);  // and the next kernel runs
  run_blocks(1, 64, 0, Sums{&sums});
  EXPECT_EQ(sums[0], 6.0 * 64 * 63 / 2);
}

TEST(SimulatedBlock, ThreadsThatHaveReturnedDoNotHoldUpABarrier) {
  struct LeavesEarly {
    std::vector<int>* seen;
    void operator()(Block& block) const {
      if (block.thread() >= 10) {
        return;
      }
      block.sync();
      (*seen)[static_cast<size_t>(block.thread())] = 1;
    }
  };
  std::vector<int> seen(10);
  run_blocks(1, 64, 0, LeavesEarly{&seen});
  EXPECT_EQ(seen, std::vector<int>(10, 1));
}

TEST(SimulatedBlock, SharedMemoryHoldsRubbishAndHasALimit) {
  struct Looks {
    float* value;
    void operator()(Block& block) const { *value = block.shared<float>()[0]; }
  };
  float value = 0;
  run_blocks(1, 1, 64, Looks{&value});
  EXPECT_TRUE(std::isnan(value));
  th::test::expect_refusal("a block cannot have 50176 bytes of shared memory; 49152 is the most",
                           [&] { run_blocks(1, 1, 49 << 10, Looks{&value}); });
  th::test::expect_refusal("a block cannot have 1025 threads",
                           [&] { run_blocks(1, 1025, 0, Looks{&value}); });
}

}  // namespace
}  // namespace thc::sim
