#include "core/memory/small_blocks.h"

#include <algorithm>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "core/memory/fault.h"

namespace {

TEST(SmallBlocks, AreDistinctAndWritable) {
  std::set<void*> seen;
  std::vector<std::pair<void*, size_t>> taken;
  for (size_t bytes : {1, 31, 32, 33, 500, 1503, 1504, 1505, 4000}) {
    for (int i = 0; i < 20; ++i) {
      void* block = th::take_block(bytes);
      std::fill_n(static_cast<unsigned char*>(block), bytes, static_cast<unsigned char>(bytes));
      EXPECT_TRUE(seen.insert(block).second);
      taken.emplace_back(block, bytes);
    }
  }
  for (auto [block, bytes] : taken) {
    const auto* p = static_cast<unsigned char*>(block);
    EXPECT_TRUE(std::all_of(p, p + bytes, [b = bytes](unsigned char c) {
      return c == static_cast<unsigned char>(b);
    })) << bytes;
    th::give_block(block, bytes);
  }
}

#ifndef __SANITIZE_ADDRESS__
TEST(SmallBlocks, AreTakenAgainByTheirSize) {
  th::drop_blocks();
  void* block = th::take_block(100);
  th::give_block(block, 100);
  EXPECT_EQ(th::take_block(97), block);  // of the same class: 97 to 128
  void* other = th::take_block(100);
  EXPECT_NE(other, block);
  th::give_block(block, 97);
  void* larger = th::take_block(129);
  EXPECT_NE(larger, block);
  th::give_block(larger, 129);
  th::give_block(other, 100);
}
#endif

TEST(SmallBlocks, GoToTheThreadThatGivesThemBack) {
  std::vector<void*> blocks(1000);
  for (void*& block : blocks) {
    block = th::take_block(64);
  }
  std::thread([&] {
    for (void* block : blocks) {
      th::give_block(block, 64);
    }
    for (int i = 0; i < 2000; ++i) {  // what it was given, and more
      void* block = th::take_block(64);
      *static_cast<int*>(block) = i;
      th::give_block(block, 64);
    }
  }).join();  // its lists go with it; LeakSanitizer looks
  th::drop_blocks();
}

TEST(SmallBlocks, OnesThatAreKeptMayFailToo) {
  th::give_block(th::take_block(64), 64);
  TH_failAllocation(1);
  EXPECT_THROW(th::take_block(64), std::bad_alloc);
  EXPECT_EQ(TH_failAllocation(0), 0);
}

}  // namespace
