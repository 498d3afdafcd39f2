#include "THC/support/compare.h"

namespace thc::test {
namespace {

using AliasSampling = AgainstCpu;

const std::vector<double> kWeights = {1, 6, 0, 3};

TEST_F(AliasSampling, TablesAreTheCpus) {
  for (const int dtype : {TH_HALF, TH_FLOAT, TH_DOUBLE}) {
    expect_same_answer(list(th::test::empty(TH_LONG), th::test::empty(dtype),
                            th::test::from(dtype, {4}, kWeights)),
                       Layout::Spread, 0,
                       THC_CALL(TH_multinomial_alias_setup(&t[0], &t[1], &t[2])));
  }
  expect_same_answer(list(th::test::empty(TH_LONG), th::test::empty(TH_FLOAT),
                          th::test::from(TH_FLOAT, {2}, {1, -1})),
                     Layout::Compact, 0, THC_CALL(TH_multinomial_alias_setup(&t[0], &t[1], &t[2])));
}

TEST_F(AliasSampling, DrawsFollowTheWeights) {
  const Tensor p = upload(th::test::from(TH_DOUBLE, {4}, kWeights));
  Tensor alias = on_device(TH_LONG, {});
  Tensor q = on_device(TH_DOUBLE, {});
  ASSERT_EQ(TH_multinomial_alias_setup(&alias, &q, &p), TH_OK) << TH_lastError();
  constexpr int64_t kDraws = 40000;
  Tensor r = on_device(TH_LONG, {2, kDraws / 2}, Layout::Transposed);
  ASSERT_EQ(TH_multinomial_alias(&r, nullptr, &alias, &q), TH_OK) << TH_lastError();
  int64_t counts[4] = {};
  for (const double drawn : th::test::values(download(r))) {
    ASSERT_TRUE(drawn >= 1 && drawn <= 4) << drawn;
    ++counts[static_cast<int>(drawn) - 1];
  }
  for (int i = 0; i < 4; ++i) {  // within five standard deviations
    const double part = kWeights[static_cast<size_t>(i)] / 10;
    EXPECT_NEAR(static_cast<double>(counts[i]), kDraws * part,
                5 * std::sqrt(kDraws * part * (1 - part)));
  }
}

TEST_F(AliasSampling, WhatIsNoTableIsRefused) {
  Tensor r = on_device(TH_LONG, {3});
  const Tensor alias = upload(th::test::from(TH_LONG, {3}, {1, 2, 9}));
  const Tensor q = upload(th::test::from(TH_FLOAT, {3}, {1, 0.5, 1}));
  EXPECT_NE(error_of(TH_multinomial_alias(&r, nullptr, &alias, &q))
                .find("entry 3 is no entry of an alias table: alias 9, probability 1"),
            std::string::npos);
  EXPECT_NE(error_of(TH_multinomial_alias(&r, nullptr, &q, &q)).find("the tensor of aliases"),
            std::string::npos);
}

}  // namespace
}  // namespace thc::test
