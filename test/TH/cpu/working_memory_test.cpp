// What operations on many threads take beside their results: as much as the work can have use of,
// not as much as there are threads.
#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "TH/support/convolutions.h"
#include "TH/support/tensors.h"
#include "core/memory/host_allocator.h"
#include "core/runtime/cpu_isa.h"
#include "cpu/work_buffers.h"

namespace th::cpu::test {
namespace {

using namespace th::test;

/// The most bytes in use while f runs, beyond those before.
int64_t memory_of(const std::function<void()>& f) {
  HostAllocator& host = HostAllocator::instance();
  const int64_t live = host.live_bytes();
  host.pool().reset_peaks();
  f();
  return host.pool().statistics().allocated.peak - live;
}

template <class Test>
class OnManyThreads : public Test {
 protected:
  void SetUp() override { TH_setNumThreads(16); }
  void TearDown() override { TH_setNumThreads(before_); }

 private:
  int before_ = TH_getNumThreads();
};

class WorkingMemory : public OnManyThreads<testing::TestWithParam<int>> {};
class WorkingMemoryOfProducts : public OnManyThreads<testing::Test> {};

// Each thread multiplies alone: a panel of B and a block of A are what it needs, not those of a
// product that all threads share.
TEST_F(WorkingMemoryOfProducts, ThatAreHandedOutIsThatOfOneThreadEach) {
  constexpr int64_t kSide = 512, kBatches = 64;
  const int64_t sizes[] = {kBatches, kSide, kSide};
  Tensor a = make(TH_FLOAT, {1, kSide, kSide});
  TH_fill(&a, 1);
  Tensor b, r = make(TH_FLOAT, {kBatches, kSide, kSide});
  expand(b, a, sizes);
  transpose(a, b, 1, 2);
  const int64_t bytes =
      memory_of([&] { ASSERT_EQ(TH_baddbmm(&r, 0, &r, 1, &a, &b), TH_OK) << TH_lastError(); });
  EXPECT_LE(bytes, 16 * kSide * kSide * int64_t{sizeof(float)});
  EXPECT_EQ(values(r).back(), kSide);
}

TEST_F(WorkingMemoryOfProducts, OfConvolutionsThatAreHandedOutIsThatOfOneThreadEach) {
  constexpr int64_t kPlanes = 512, kSide = 16, kImages = 64;
  Tensor x = make(TH_DOUBLE, {kImages, kPlanes, kSide, kSide});
  Tensor w = make(TH_DOUBLE, {kPlanes, kPlanes, 1, 1});
  Tensor y = make(TH_DOUBLE, {kImages, kPlanes, kSide, kSide});
  TH_fill(&x, 1);
  TH_fill(&w, 1);
  const int64_t bytes = memory_of([&] {
    ASSERT_EQ(conv2d(&y, &x, &w, nullptr, 1, 1, 0, 0, 1), TH_OK) << TH_lastError();
    ASSERT_EQ(conv2d_backward_input(&x, &y, &x, &w, 1, 1, 0, 0, 1), TH_OK) << TH_lastError();
  });
  EXPECT_LE(bytes, 16 * kPlanes * kSide * kSide * int64_t{sizeof(double)});
  EXPECT_EQ(values(x).back(), kPlanes * kPlanes);
}

TEST_P(WorkingMemory, OfAMatrixOfFewLongLinesAndAVector) {
  constexpr int64_t kLong = 1'000'000;
  for (const bool transposed : {false, true}) {
    Tensor a = make(GetParam(), {2, kLong});
    Tensor x = make(GetParam(), {transposed ? 2 : kLong});
    TH_fill(&a, 0.5);
    TH_fill(&x, 0.25);
    if (transposed) {
      transpose(a, a, 0, 1);
    }
    Tensor r = make(GetParam(), {a.sizes[0]});
    const int64_t bytes = memory_of(
        [&] { ASSERT_EQ(TH_addmv(&r, 0, &r, 1.0 / 4096, &a, &x), TH_OK) << TH_lastError(); });
    // Numbers of the vector and the result as floats, and some lines for each thread.
    EXPECT_LE(bytes, 3 * kLong * int64_t{sizeof(float)} + (1 << 22));
    const double sum = transposed ? 0.25 / 4096 : 0.125 * kLong / 4096;
    EXPECT_NEAR(values(r)[0], sum, 2 * precision(GetParam()) * sum);
  }
}

TEST_P(WorkingMemory, OfARowAndAMatrix) {
  std::mt19937 rng(3);
  const Tensor x = random(GetParam(), {1, 2000}, rng);
  for (const Layout layout : {Layout::Compact, Layout::Transposed}) {
    const Tensor a = random(GetParam(), {2000, 1000}, rng, layout);
    Tensor r = make(GetParam(), {1, 1000});
    const int64_t bytes =
        memory_of([&] { ASSERT_EQ(TH_addmm(&r, 0, &r, 1, &x, &a), TH_OK) << TH_lastError(); });
    EXPECT_LE(bytes, numel(a) * 2);  // the matrix is not widened as a whole
  }
}

TEST(WorkingMemoryOfBFloat16, HasNoSumsOfProductsThatAreRoundedOnTheWay) {
  if (!has_fast_pairs()) {
    GTEST_SKIP() << "sums of pairs are not this CPU's";
  }
  std::mt19937 rng(4);
  const Tensor a = random(TH_BFLOAT16, {1500, 64}, rng), b = random(TH_BFLOAT16, {64, 1500}, rng);
  Tensor r = make(TH_BFLOAT16, {1500, 1500});
  const int64_t bytes =
      memory_of([&] { ASSERT_EQ(TH_addmm(&r, 0, &r, 1, &a, &b), TH_OK) << TH_lastError(); });
  EXPECT_LE(bytes, numel(r) * 2);
}

TEST_P(WorkingMemory, OfPoolingsOfOneLargePlane) {
  constexpr int64_t kSide = 1000;
  std::mt19937 rng(2);
  const Tensor x = random(GetParam(), {1, kSide, kSide}, rng);
  const Tensor g = random(GetParam(), {1, kSide / 2, kSide / 2}, rng);
  Tensor y = empty(GetParam()), gx = empty(GetParam()), at = empty(TH_LONG);
  const int64_t two[] = {2, 2}, none[] = {0, 0}, one[] = {1, 1};
  const int64_t bytes = memory_of([&] {
    ASSERT_EQ(TH_max_pool(&y, &at, &x, 2, two, two, none, one, false), TH_OK) << TH_lastError();
    ASSERT_EQ(TH_max_pool_backward(&gx, &g, &x, &at, 2, two, two, none, one, false), TH_OK)
        << TH_lastError();
  });
  EXPECT_LE(bytes, 4 * kSide * kSide * int64_t{sizeof(float)});
}

INSTANTIATE_TEST_SUITE_P(Types, WorkingMemory, testing::Values(TH_HALF, TH_BFLOAT16),
                         [](const auto& type) { return std::string(class_name(type.param)); });

TEST(BufferedItems, HaveABufferForEachThreadAndFewHugeOnes) {
  const int before = TH_getNumThreads();
  TH_setNumThreads(3);
  for (const int64_t each : {int64_t{100}, BufferedItems<char>::kMostBuffered / 2 - 4096,
                             BufferedItems<char>::kMostBuffered + 1}) {
    const BufferedItems<char> items(50, kGrain, each);
    std::vector<std::atomic<int>> done(50);
    std::array<std::atomic<char*>, 3> used{};
    items.run([&](int64_t first, int64_t last, char* own) {
      used[static_cast<size_t>(threads::part())] = own;
      own[each - 1] = 1;
      for (int64_t i = first; i < last; ++i) {
        ++done[static_cast<size_t>(i)];
      }
    });
    EXPECT_TRUE(std::all_of(done.begin(), done.end(), [](const auto& n) { return n == 1; }));
    const int64_t threads = each == 100 ? 3 : each < BufferedItems<char>::kMostBuffered ? 2 : 1;
    for (int64_t i = 0; i < 3; ++i) {
      EXPECT_EQ(used[static_cast<size_t>(i)] != nullptr, i < threads) << each;
    }
    for (int64_t i = 1; i < threads; ++i) {
      EXPECT_GE(used[static_cast<size_t>(i)] - used[static_cast<size_t>(i - 1)], each);
    }
  }
  TH_setNumThreads(before);
}

}  // namespace
}  // namespace th::cpu::test
