#include "sim/order.h"

#include <set>
#include <vector>

#include "THC/support/devices.h"
#include "cuda/launch.h"

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

struct LastOne {
  int64_t* last;
  TH_HD void operator()(int64_t i) const { *last = i; }
  template <class Block>
  TH_D void operator()(Block& block) const {
    *last = block.index() * block.threads() + block.thread();
  }
};

/// What a kernel leaves whose result depends on the order of its indices.
template <class Run>
std::vector<int64_t> results(Run&& run) {
  const Scratch scratch(0, nullptr, sizeof(int64_t));
  std::vector<int64_t> found;
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    sim::set_seed(seed);
    run(LastOne{scratch.data<int64_t>()});
    found.push_back(fetch(scratch.data<int64_t>(), nullptr));
  }
  return found;
}

TEST_F(SimOrder, IsAnotherForEachSeedAndTheSameForOne) {
  activate(0);
  const auto by_index = [](const LastOne& kernel) { launch(nullptr, 1000, kernel); };
  const auto by_block = [](const LastOne& kernel) { launch_blocks(nullptr, 7, 64, 0, kernel); };
  const auto many = [](const std::vector<int64_t>& found) {
    return std::set<int64_t>(found.begin(), found.end()).size() >= 4;
  };
  EXPECT_TRUE(many(results(by_index)));
  EXPECT_TRUE(many(results(by_block)));
  EXPECT_EQ(results(by_index), results(by_index));
  EXPECT_EQ(results(by_block), results(by_block));
}

}  // namespace
}  // namespace thc::test
