// Results of more than the caches hold are written past them: at any address, by any number of
// threads, to the last element and no further.
#include <utility>

#include <gtest/gtest.h>

#include "TH/support/tensors.h"

namespace th::test {
namespace {

constexpr int64_t kCount = 12'000'007;  // 48 MB of floats: two operands exceed most caches
constexpr int64_t kMargin = 100;

/// The elements first ... first + kCount - 1 of a longer tensor, all of it filled with -1.
Tensor inside(int dtype, int64_t first) {
  Tensor whole = make(dtype, {kCount + 2 * kMargin});
  TH_fill(&whole, -1);
  Tensor t;
  narrow(t, whole, 0, first, kCount);
  return t;
}

/// The index of the first element that is not element(i); kCount if there is none. The margins are
/// looked at as well.
template <class T, class F>
int64_t first_wrong(const Tensor& t, F&& element) {
  const T* x = data<T>(t);
  for (int64_t i = 0; i < kCount; ++i) {
    if (x[i] != element(i)) {
      return i;
    }
  }
  return x[-1] == T(-1) && x[kCount] == T(-1) ? kCount : -1;
}

class Stream : public testing::TestWithParam<std::pair<int64_t, int>> {
 protected:
  void SetUp() override {
    TH_setNumThreads(GetParam().second);
    for (int64_t i = 0; i < kCount; ++i) {
      data<float>(x)[i] = static_cast<float>(i % 1000);
      data<float>(y)[i] = static_cast<float>(i % 777);
    }
  }
  void TearDown() override { TH_setNumThreads(threads); }

  const int threads = TH_getNumThreads();
  const int64_t first = GetParam().first;
  const Tensor x = inside(TH_FLOAT, 3);
  const Tensor y = inside(TH_FLOAT, 16);
};

TEST_P(Stream, CopiesEveryElement) {
  Tensor r = inside(TH_FLOAT, first);
  ASSERT_EQ(TH_copy(&r, &x), TH_OK) << TH_lastError();
  EXPECT_EQ(first_wrong<float>(r, [](int64_t i) { return static_cast<float>(i % 1000); }), kCount);
}

TEST_P(Stream, ComputesEveryElement) {
  Tensor r = inside(TH_FLOAT, first);
  ASSERT_EQ(TH_add_scaled(&r, &x, 2, &y), TH_OK) << TH_lastError();
  EXPECT_EQ(
      first_wrong<float>(r, [](int64_t i) { return static_cast<float>(i % 1000 + 2 * (i % 777)); }),
      kCount);
}

TEST_P(Stream, ComparesEveryElement) {
  Tensor r = inside(TH_BYTE, first);
  ASSERT_EQ(TH_lt(&r, &x, &y), TH_OK) << TH_lastError();
  EXPECT_EQ(
      first_wrong<uint8_t>(r, [](int64_t i) { return static_cast<uint8_t>(i % 1000 < i % 777); }),
      kCount);
}

INSTANTIATE_TEST_SUITE_P(AddressesAndThreads, Stream,
                         testing::Values(std::pair(int64_t{64}, 1), std::pair(int64_t{64}, 3),
                                         std::pair(int64_t{5}, 2)));

}  // namespace
}  // namespace th::test
