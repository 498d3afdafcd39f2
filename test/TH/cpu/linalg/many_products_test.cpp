#include "cpu/linalg/many_products.h"

#include <algorithm>
#include <atomic>
#include <vector>

#include <gtest/gtest.h>

#include "TH.h"

namespace th::cpu::test {
namespace {

class ManyProductsOnThreads : public testing::Test {
 protected:
  void SetUp() override { TH_setNumThreads(64); }
  void TearDown() override { TH_setNumThreads(TH_getNumCores()); }
};

ManyProducts cubes(int64_t items, int64_t side) {
  const int64_t multiplications = side * side * side;
  return {items, multiplications, multiplications / 8};
}

TEST_F(ManyProductsOnThreads, AreDividedWhereThatGivesAsManyThreadsWork) {
  for (const auto& [items, side] : {std::pair<int64_t, int64_t>{1, 100}, {3, 200}, {255, 512}}) {
    EXPECT_EQ(cubes(items, side).workers(), 1) << items << " of " << side;
    EXPECT_EQ(cubes(items, side).team(), 64) << items << " of " << side;
  }
}

TEST_F(ManyProductsOnThreads, AreHandedOutWhereOneIsWorkForFewThreads) {
  for (const auto& [items, side] : {std::pair<int64_t, int64_t>{255, 130}, {63, 200}, {10, 130}}) {
    EXPECT_EQ(cubes(items, side).workers(), std::min<int64_t>(items, 64))
        << items << " of " << side;
    EXPECT_EQ(cubes(items, side).team(), 1) << items << " of " << side;
  }
  EXPECT_EQ(cubes(256, 512).workers(), 64);  // many
}

TEST_F(ManyProductsOnThreads, StayOnOneThreadWhereAllTogetherAreLittleWork) {
  EXPECT_EQ(cubes(64, 8).workers(), 1);
}

TEST_F(ManyProductsOnThreads, AreMadeOnceEach) {
  TH_setNumThreads(3);
  for (const int64_t side : {4, 64, 400}) {
    const ManyProducts products = cubes(7, side);
    std::vector<std::atomic<int>> done(7);
    std::atomic<bool> in_range = true;
    products.run([&](int64_t first, int64_t last, int64_t worker) {
      in_range = in_range && worker >= 0 && worker < products.workers();
      for (int64_t i = first; i < last; ++i) {
        ++done[static_cast<size_t>(i)];
      }
    });
    EXPECT_TRUE(in_range) << side;
    EXPECT_TRUE(std::all_of(done.begin(), done.end(), [](const auto& n) { return n == 1; }))
        << side;
  }
}

}  // namespace
}  // namespace th::cpu::test
