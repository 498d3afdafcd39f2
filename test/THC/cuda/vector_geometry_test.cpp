#include "THC/support/compare.h"

namespace thc::test {
namespace {

using VectorGeometry = AgainstCpu;

constexpr int kTypes[] = {TH_BYTE, TH_CHAR,     TH_SHORT, TH_INT,   TH_LONG,
                          TH_HALF, TH_BFLOAT16, TH_FLOAT, TH_DOUBLE};

TEST_F(VectorGeometry, CrossProductsAlongAnyDimension) {
  for (const int dtype : kTypes) {
    for (int dim = 0; dim < 3; ++dim) {
      Sizes sizes = {draw(1, 9), draw(1, 9), draw(1, 9)};
      sizes[static_cast<size_t>(dim)] = 3;
      const Layout layout = draw_layout();
      SCOPED_TRACE(describe("cross", dtype, sizes, layout));
      expect_agreement(
          list(th::test::empty(dtype), draw_tensor(dtype, sizes), draw_tensor(dtype, sizes)),
          layout, 2 * th::test::precision(dtype),
          THC_CALL(
              std::max(TH_cross(&t[0], &t[1], &t[2], dim), TH_cross(&t[1], &t[1], &t[2], dim))));
    }
  }
}

TEST_F(VectorGeometry, SquaredDistances) {
  for (const int dtype : kTypes) {
    for (int round = 0; round < 4; ++round) {
      const int64_t length = draw(1, 40);
      const Layout layout = draw_layout();
      SCOPED_TRACE(describe("match", dtype, {length}, layout));
      expect_agreement(list(th::test::empty(dtype), draw_tensor(dtype, {draw(1, 70), length}),
                            draw_tensor(dtype, {draw(1, 70), length})),
                       layout,
                       8 * static_cast<double>(length) * th::test::precision(compute_dtype(dtype)) +
                           th::test::precision(dtype),
                       THC_CALL(TH_match(&t[0], &t[1], &t[2], 3)));
    }
  }
}

TEST_F(VectorGeometry, LongSlicesAreScaledDown) {
  for (const int dtype : {TH_HALF, TH_BFLOAT16, TH_FLOAT, TH_DOUBLE}) {
    for (const double p : {1.0, 2.0, 2.5}) {
      for (int dim = 0; dim < 2; ++dim) {
        const Layout layout = draw_layout();
        const Sizes sizes = {draw(1, 30), draw(1, 30), draw(1, 5)};
        SCOPED_TRACE(describe("renorm", dtype, sizes, layout));
        expect_agreement(list(th::test::empty(dtype), draw_tensor(dtype, sizes)), layout,
                         4 * th::test::precision(dtype),
                         THC_CALL(std::max(TH_renorm(&t[0], &t[1], p, dim, 2.5),
                                           TH_renorm(&t[1], &t[1], p, dim, 1.5))));
      }
    }
  }
}

TEST_F(VectorGeometry, WhatDoesNotFitIsRefusedInTheCpusWords) {
  const auto three = [&] {
    return list(th::test::empty(TH_FLOAT), draw_tensor(TH_FLOAT, {2, 3}),
                draw_tensor(TH_FLOAT, {3, 2}), draw_tensor(TH_FLOAT, {4}));
  };
  expect_refusal(three(), Layout::Compact, 0, THC_CALL(TH_cross(&t[0], &t[1], &t[2], 1)));
  expect_refusal(three(), Layout::Compact, 0, THC_CALL(TH_cross(&t[0], &t[1], &t[1], 0)));
  expect_refusal(three(), Layout::Compact, 0, THC_CALL(TH_match(&t[0], &t[1], &t[2], 1)));
  expect_refusal(three(), Layout::Compact, 0, THC_CALL(TH_renorm(&t[0], &t[3], 2, 0, 1)));
  expect_refusal(three(), Layout::Compact, 0, THC_CALL(TH_renorm(&t[0], &t[1], 0, 0, 1)));
  expect_refusal(three(), Layout::Compact, 0, THC_CALL(TH_renorm(&t[0], &t[1], 2, 5, 1)));
  expect_refusal(list(draw_tensor(TH_INT, {2, 2})), Layout::Compact, 0,
                 THC_CALL(TH_renorm(&t[0], &t[0], 2, 0, 1)));
}

}  // namespace
}  // namespace thc::test
