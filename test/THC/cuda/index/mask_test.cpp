#include "THC/support/compare.h"

namespace thc::test {
namespace {

using th::test::empty;

class MaskTest : public AgainstCpu {
 protected:
  Tensor mask(const Sizes& sizes, int percent) {
    Tensor t = th::test::make(TH_BYTE, sizes);
    for (int64_t i = 0; i < numel(t); ++i) {
      data<uint8_t>(t)[i] = draw(0, 99) < percent ? 1 : 0;
    }
    return t;
  }
};

TEST_F(MaskTest, SelectsCopiesAndFills) {
  for (int round = 0; round < 90; ++round) {
    const int dtype = round % TH_NUM_DTYPES;
    const Layout layout = draw_layout();
    const Sizes sizes = round % 10 == 3 ? Sizes{3000} : draw_sizes(4, 8);
    SCOPED_TRACE(describe("masks", dtype, sizes, layout));
    const int percent = std::vector<int>{0, 30, 60, 100}[static_cast<size_t>(draw(0, 3))];
    Tensor x = draw_tensor(dtype, sizes);
    const int64_t n = numel(x);
    const std::vector<Tensor> t =
        list(draw(0, 1) != 0 ? empty(dtype) : draw_tensor(dtype, {4}), std::move(x),
             mask(sizes, percent), draw_tensor(dtype, {draw(std::max<int64_t>(1, n - 2), n + 1)}));
    expect_same_answer(t, layout, 0, THC_CALL(TH_masked_select(&t[0], &t[1], &t[2])));
    expect_same_answer(t, layout, 0, THC_CALL(TH_masked_copy(&t[1], &t[2], &t[3])));
    expect_same_answer(t, layout, 0, THC_CALL(TH_masked_fill(&t[1], &t[2], 2.5)));
    expect_same_answer(t, layout, 0, THC_CALL(TH_masked_select(&t[1], &t[1], &t[2])));
    expect_same_answer(t, layout, 0, THC_CALL(TH_masked_copy(&t[1], &t[2], &t[1])));
    const std::vector<Tensor> u = list(empty(TH_LONG), draw_tensor(dtype, sizes));
    expect_same_answer(u, layout, 0, THC_CALL(TH_nonzero(&t[0], &t[1])));
  }
}

TEST_F(MaskTest, ATensorMayBeItsOwnMask) {
  for (Layout layout : th::test::kLayouts) {
    expect_agreement(list(mask({5, 4}, 50)), layout, 0, THC_CALL(TH_masked_fill(&t[0], &t[0], 7)));
    expect_agreement(list(mask({5, 4}, 50), draw_tensor(TH_BYTE, {20})), layout, 0,
                     THC_CALL(TH_masked_copy(&t[0], &t[0], &t[1])));
    expect_agreement(list(mask({5, 4}, 50)), layout, 0,
                     THC_CALL(TH_masked_select(&t[0], &t[0], &t[0])));
  }
  expect_agreement(list(draw_tensor(TH_LONG, {4, 5})), Layout::Compact, 0,
                   THC_CALL(TH_nonzero(&t[0], &t[0])));
}

TEST_F(MaskTest, WhatIsNoMaskIsRefused) {
  Tensor bad = mask({6}, 50);
  data<uint8_t>(bad)[3] = 2;
  data<uint8_t>(bad)[5] = 9;
  const std::vector<Tensor> t =
      list(draw_tensor(TH_FLOAT, {6}), std::move(bad), mask({5}, 50), mask({6}, 100),
           draw_tensor(TH_FLOAT, {3}), draw_tensor(TH_DOUBLE, {6}), empty(TH_FLOAT));
  const auto refused = [&](const Operation& f) { expect_refusal(t, Layout::Compact, 0, f); };
  for (size_t m : {1, 2, 0}) {
    refused(THC_CALL(TH_masked_select(&t[6], &t[0], &t[m])));
    refused(THC_CALL(TH_masked_copy(&t[0], &t[m], &t[0])));
    refused(THC_CALL(TH_masked_fill(&t[0], &t[m], 1)));
  }
  refused(THC_CALL(TH_masked_copy(&t[0], &t[3], &t[4])));
  refused(THC_CALL(TH_masked_copy(&t[0], &t[3], &t[5])));
  refused(THC_CALL(TH_masked_select(&t[5], &t[0], &t[3])));
  refused(THC_CALL(TH_nonzero(&t[6], &t[0])));
  expect_agreement(list(empty(TH_FLOAT), empty(TH_FLOAT), empty(TH_BYTE)), Layout::Compact, 0,
                   THC_CALL(TH_masked_select(&t[0], &t[1], &t[2])));
  expect_agreement(list(empty(TH_LONG), empty(TH_FLOAT)), Layout::Compact, 0,
                   THC_CALL(TH_nonzero(&t[0], &t[1])));
}

}  // namespace
}  // namespace thc::test
