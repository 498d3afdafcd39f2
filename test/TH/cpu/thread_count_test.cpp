// The number of threads changes no bit of a result: what is summed by several is cut where one
// would cut it.
#include <cstring>
#include <functional>

#include <gtest/gtest.h>

#include "TH/support/tensors.h"

namespace th::test {
namespace {

constexpr int64_t kMany = 200'003;

Tensor numbers(int dtype, const Sizes& sizes, unsigned seed) {
  std::mt19937 rng(seed);
  Tensor t = make(dtype, sizes);
  std::vector<double> x(static_cast<size_t>(numel(t)));
  for (double& v : x) {
    v = std::uniform_real_distribution<double>(-3, 3)(rng);
  }
  assign(t, x);
  return t;
}

class ThreadCount : public testing::TestWithParam<int> {
 protected:
  void TearDown() override { TH_setNumThreads(before_); }
  int before_ = TH_getNumThreads();

  /// f, which answers with numbers, for one to three threads.
  static void expect_same(const char* what, const std::function<std::vector<double>()>& f) {
    TH_setNumThreads(1);
    const std::vector<double> expected = f();
    for (const int threads : {2, 3, 7}) {
      TH_setNumThreads(threads);
      const std::vector<double> got = f();
      ASSERT_EQ(got.size(), expected.size()) << what;
      for (size_t i = 0; i < got.size(); ++i) {
        ASSERT_EQ(std::memcmp(&got[i], &expected[i], sizeof(double)), 0)
            << what << " of " << threads << " threads: element " << i << " is " << got[i]
            << ", of one thread " << expected[i];
      }
    }
  }
};

#define EXPECT_SAME_NUMBER(CALL)              \
  expect_same(#CALL, [&] {                    \
    double value = 0;                         \
    EXPECT_EQ(CALL, TH_OK) << TH_lastError(); \
    return std::vector<double>{value};        \
  })
#define EXPECT_SAME_TENSOR(DTYPE, CALL)       \
  expect_same(#CALL, [&] {                    \
    Tensor r = empty(DTYPE);                  \
    EXPECT_EQ(CALL, TH_OK) << TH_lastError(); \
    return values(r);                         \
  })

TEST_P(ThreadCount, DoesNotChangeReductions) {
  const int dtype = GetParam();
  const Tensor x = numbers(dtype, {kMany}, 1);
  const Tensor y = numbers(dtype, {kMany}, 2);
  EXPECT_SAME_NUMBER(TH_sum_all(&value, &x));
  EXPECT_SAME_NUMBER(TH_mean_all(&value, &x));
  EXPECT_SAME_NUMBER(TH_var_all(&value, &x, false));
  EXPECT_SAME_NUMBER(TH_norm_all(&value, &x, 2));
  EXPECT_SAME_NUMBER(TH_norm_all(&value, &x, 3));
  EXPECT_SAME_NUMBER(TH_dist(&value, &x, &y, 2));
  for (const Sizes& sizes :
       {Sizes{kMany, 1}, Sizes{3, 70'001}, Sizes{70'001, 3}, Sizes{500, 400}}) {
    const Tensor m = numbers(dtype, sizes, 3);
    for (int dim = 0; dim < 2; ++dim) {
      SCOPED_TRACE(str(shape(m), " along ", dim));
      EXPECT_SAME_TENSOR(dtype, TH_sum(&r, &m, dim));
      EXPECT_SAME_TENSOR(dtype, TH_var(&r, &m, dim, false));
      EXPECT_SAME_TENSOR(dtype, TH_norm(&r, &m, 3, dim));
      EXPECT_SAME_TENSOR(dtype, TH_cumsum(&r, &m, dim));
      EXPECT_SAME_TENSOR(dtype, TH_softmax(&r, &m, dim));
    }
  }
}

TEST_P(ThreadCount, DoesNotChangeElementwiseResults) {
  const int dtype = GetParam();
  const Tensor x = numbers(dtype, {kMany}, 1);
  const Tensor y = numbers(dtype, {kMany}, 2);
  EXPECT_SAME_TENSOR(dtype, TH_exp(&r, &x));
  EXPECT_SAME_TENSOR(dtype, TH_tpow(&r, &x, 1.7));
  EXPECT_SAME_TENSOR(dtype, TH_atan2(&r, &x, &y));
  EXPECT_SAME_TENSOR(dtype, TH_sin_backward(&r, &x, &y, &x));
  EXPECT_SAME_TENSOR(dtype, TH_logspace(&r, -2, 2, 300'007));
  EXPECT_SAME_TENSOR(dtype, TH_linspace(&r, -2, 2, 300'007));
}

INSTANTIATE_TEST_SUITE_P(Types, ThreadCount, testing::Values(TH_FLOAT, TH_DOUBLE));

}  // namespace
}  // namespace th::test
