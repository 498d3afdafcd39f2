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

// Rows, depth, columns: one of each way that a product can go, with sizes that do not divide.
TEST_P(ThreadCount, DoesNotChangeProducts) {
  const int dtype = GetParam();
  struct Shape {
    int64_t m, k, n;
  };
  for (const Shape& s : {Shape{4001, 100, 1}, Shape{1003, 1000, 1}, Shape{1, 1003, 1001},
                         Shape{5, 700, 601}, Shape{701, 501, 3}, Shape{301, 203, 251}}) {
    const Tensor a = numbers(dtype, {s.m, s.k}, 1);
    const Tensor at = numbers(dtype, {s.k, s.m}, 1);
    const Tensor b = numbers(dtype, {s.k, s.n}, 2);
    const Tensor bt = numbers(dtype, {s.n, s.k}, 2);
    const Tensor v = numbers(dtype, {s.k}, 3);
    const Tensor to_rows = numbers(dtype, {s.m}, 4);
    const Tensor to = numbers(dtype, {s.m, s.n}, 4);
    const auto turned = [](const Tensor& t) {
      Tensor r;
      EXPECT_EQ(TH_transpose(&r, &t, 0, 1), TH_OK);
      return r;
    };
    const Tensor at_turned = turned(at);
    const Tensor bt_turned = turned(bt);
    SCOPED_TRACE(str(s.m, "x", s.k, " by ", s.k, "x", s.n));
    EXPECT_SAME_TENSOR(dtype, TH_addmm(&r, 0, &to, 1, &a, &b));
    EXPECT_SAME_TENSOR(dtype, TH_addmm(&r, 1, &to, 2, &at_turned, &b));
    EXPECT_SAME_TENSOR(dtype, TH_addmm(&r, 0, &to, 1, &a, &bt_turned));
    EXPECT_SAME_TENSOR(dtype, TH_addmm(&r, 0, &to, 1, &at_turned, &bt_turned));
    EXPECT_SAME_TENSOR(dtype, TH_addmv(&r, 0, &to_rows, 1, &a, &v));
    EXPECT_SAME_TENSOR(dtype, TH_addmv(&r, 1, &to_rows, 1, &at_turned, &v));
  }
}

INSTANTIATE_TEST_SUITE_P(Types, ThreadCount, testing::Values(TH_FLOAT, TH_DOUBLE));

}  // namespace
}  // namespace th::test
