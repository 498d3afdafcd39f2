#include "sim/order.h"

#include <algorithm>
#include <set>
#include <vector>

#include "THC/support/devices.h"
#include "sim/tasks.h"

namespace thc::test {
namespace {

using SimOrder = OnDevices;

TEST_F(SimOrder, VisitsEveryIndexOnce) {
  for (const int64_t n : {1, 2, 3, 31, 32, 33, 4096, 4097, 100000}) {
    std::vector<int> visits(static_cast<size_t>(n));
    sim::in_any_order(n, [&](int64_t i) { ++visits.at(static_cast<size_t>(i)); });
    EXPECT_EQ(visits, std::vector<int>(static_cast<size_t>(n), 1));
  }
}

/// What is left by a kernel of which each thread writes its number to one place.
template <class Run>
std::vector<int64_t> results(Run&& run) {
  const Scratch scratch(0, nullptr, sizeof(int64_t));
  auto* const last = scratch.data<int64_t>();
  std::vector<int64_t> found;
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    sim::set_seed(seed);
    sim::enqueue(nullptr, "kernel", [=] { run(last); });
    found.push_back(fetch(last, nullptr));
  }
  return found;
}

TEST_F(SimOrder, IsAnotherForEachSeedAndTheSameForOne) {
  activate(0);
  const auto by_index = [](int64_t* last) {
    sim::in_any_order(1000, [=](int64_t i) { *last = i; });
  };
  const auto by_block = [](int64_t* last) {
    sim::run_blocks(7, 64, 0, [=](sim::Block& block) {
      *last = block.index() * block.threads() + block.thread();
    });
  };
  const auto many = [](const std::vector<int64_t>& found) {
    return std::set<int64_t>(found.begin(), found.end()).size() >= 4;
  };
  EXPECT_TRUE(many(results(by_index)));
  EXPECT_TRUE(many(results(by_block)));
  EXPECT_EQ(results(by_index), results(by_index));
  EXPECT_EQ(results(by_block), results(by_block));
}

TEST_F(SimOrder, ABarrierThatIsMissingShows) {
  activate(0);
  // Thread 0 sums up what the others write; right in one order of threads only.
  const auto sum_without_barrier = [](int64_t* total) {
    sim::run_blocks(1, 64, 64 * sizeof(int64_t), [=](sim::Block& block) {
      auto* const values = block.shared<int64_t>();
      values[block.thread()] = 1;
      if (block.thread() == 0) {
        *total = 0;
        for (int i = 0; i < 64; ++i) {
          *total += values[i];
        }
      }
    });
  };
  const std::vector<int64_t> sums = results(sum_without_barrier);
  EXPECT_TRUE(std::any_of(sums.begin(), sums.end(), [](int64_t sum) { return sum != 64; }));
}

}  // namespace
}  // namespace thc::test
