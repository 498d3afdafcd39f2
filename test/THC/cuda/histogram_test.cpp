#include "THC/support/compare.h"

namespace thc::test {
namespace {

using Histogram = AgainstCpu;

TEST_F(Histogram, CountsOfEverythingAndByRow) {
  for (const int dtype : {TH_HALF, TH_BFLOAT16, TH_FLOAT, TH_DOUBLE}) {
    for (const int64_t bins : {1, 7, 100, 5000}) {  // 5000 do not fit a block
      const Layout layout = draw_layout();
      const Tensor x = draw_tensor(dtype, {4, 3000});
      SCOPED_TRACE(describe("histc", dtype, {4, 3000}, layout));
      for (const double limit : {0.0, 0.5}) {  // min == max: the range of x
        expect_agreement(list(th::test::empty(dtype), copy_of(x)), layout, 0,
                         THC_CALL(TH_histc(&t[0], &t[1], bins, -limit, limit)));
        expect_agreement(list(th::test::empty(dtype), copy_of(x)), layout, 0,
                         THC_CALL(TH_bhistc(&t[0], &t[1], bins, -limit, limit)));
      }
    }
  }
}

TEST_F(Histogram, EdgesOfTheRange) {
  const auto of = [](std::vector<double> numbers) {
    const auto n = static_cast<int64_t>(numbers.size());
    return list(th::test::from(TH_DOUBLE, {n}, numbers));
  };
  const auto count = THC_CALL(TH_histc(&t[0], &t[0], 4, 0, 0));  // in place
  expect_same_answer(of({3, 3, 3}), Layout::Compact, 0, count);
  expect_same_answer(of({1e300, 1e300}), Layout::Compact, 0, count);
  expect_same_answer(of({1, NAN, 3}), Layout::Compact, 0, count);
  expect_same_answer(of({1, INFINITY}), Layout::Compact, 0, count);
  expect_same_answer(of({-1.5e308, 1.5e308}), Layout::Compact, 0, count);
  expect_same_answer(of({1, NAN, INFINITY, 0, 5}), Layout::Compact, 0,
                     THC_CALL(TH_histc(&t[0], &t[0], 4, 0, 5)));
}

TEST_F(Histogram, WhatDoesNotFitIsRefusedInTheCpusWords) {
  const auto one = [&](int dtype, const Sizes& sizes) { return list(draw_tensor(dtype, sizes)); };
  const auto call = [](int64_t bins, double min, double max) {
    return THC_CALL(TH_bhistc(&t[0], &t[0], bins, min, max));
  };
  expect_refusal(one(TH_INT, {4}), Layout::Compact, 0, call(4, 0, 1));
  expect_refusal(one(TH_FLOAT, {2, 2, 2}), Layout::Compact, 0, call(4, 0, 1));
  expect_refusal(one(TH_FLOAT, {4}), Layout::Compact, 0, call(0, 0, 1));
  expect_refusal(one(TH_FLOAT, {4}), Layout::Compact, 0, call(4, 1, 0));
  expect_refusal(one(TH_FLOAT, {4}), Layout::Compact, 0, call(4, 0, INFINITY));
}

}  // namespace
}  // namespace thc::test
