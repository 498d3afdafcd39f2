#include <limits>

#include "THC/support/compare.h"

namespace thc::test {
namespace {

using Softmax = AgainstCpu;
using th::test::empty;
using th::test::precision;

/// Floating types in turn.
constexpr int kTypes[] = {TH_HALF, TH_BFLOAT16, TH_FLOAT, TH_DOUBLE};

using Forward = int (*)(TH_Tensor*, const TH_Tensor*, int);
using Backward = int (*)(TH_Tensor*, const TH_Tensor*, const TH_Tensor*, int);
constexpr std::pair<Forward, Backward> kBoth[] = {{TH_softmax, TH_softmax_backward},
                                                  {TH_log_softmax, TH_log_softmax_backward}};

/// The CPU's vectorised exponentials are up to 4 units off; sums add their roundings.
double tolerance(int dtype, int64_t n) {
  return 4 * precision(dtype) +
         (8 + static_cast<double>(n)) * precision(dtype == TH_DOUBLE ? dtype : TH_FLOAT);
}

TEST_F(Softmax, AgreesWithTheCpuAlongAnyDimension) {
  for (int round = 0; round < 64; ++round) {
    const int dtype = kTypes[round % 4];
    const Layout layout = draw_layout();
    const Sizes sizes = draw_sizes(4, 9);
    const auto dim = static_cast<int>(draw(0, static_cast<int64_t>(sizes.size()) - 1));
    SCOPED_TRACE(describe("softmax", dtype, sizes, layout));
    const double allowed = tolerance(dtype, sizes[static_cast<size_t>(dim)]);
    for (const auto& [forward, backward] : kBoth) {
      expect_agreement(list(empty(dtype), draw_tensor(dtype, sizes)), layout, allowed,
                       THC_CALL(forward(&t[0], &t[1], dim)));
      expect_agreement(list(empty(dtype), draw_tensor(dtype, sizes), draw_tensor(dtype, sizes)),
                       layout, 3 * allowed, THC_CALL(backward(&t[0], &t[1], &t[2], dim)));
    }
  }
}

// Lengths around those at which another kernel takes over: parts of a warp, a warp, blocks of
// growing size, two passes; columns by a thread or by several.
TEST_F(Softmax, EveryLength) {
  const Sizes shapes[] = {{3, 1},      {5, 2},          {37, 10},   {9, 32},     {3, 33},
                          {2, 128},    {2, 129},        {3, 256},   {2, 1000},   {1, 4096},
                          {2, 4097},   {1, 9001},       {2, 33, 7}, {1, 500, 3}, {1, 65, 40},
                          {300, 5, 2}, {1, 700, 1, 300}};
  for (int dtype : kTypes) {
    for (const Sizes& sizes : shapes) {
      const int dim = 1;
      SCOPED_TRACE(describe("softmax", dtype, sizes, Layout::Compact));
      const double allowed = tolerance(dtype, sizes[1]);
      for (const auto& [forward, backward] : kBoth) {
        expect_agreement(list(empty(dtype), draw_tensor(dtype, sizes)), Layout::Compact, allowed,
                         THC_CALL(forward(&t[0], &t[1], dim)));
        expect_agreement(list(empty(dtype), draw_tensor(dtype, sizes), draw_tensor(dtype, sizes)),
                         Layout::Compact, 3 * allowed,
                         THC_CALL(backward(&t[0], &t[1], &t[2], dim)));
      }
    }
  }
}

TEST_F(Softmax, ExtremeValues) {
  const double inf = std::numeric_limits<double>::infinity();
  const double nan = std::nan("");
  const std::vector<double> rows = {
      1e4,  -1e4, 0,    6e4,   // beyond e^88
      -inf, 1,    -inf, 2,     // impossible classes
      -inf, -inf, -inf, -inf,  // nothing possible: NaN
      inf,  1,    2,    3,     // NaN
      nan,  1,    2,    3,    -6e4, -6e4, -6e4, -6e4,
  };
  for (int dtype : kTypes) {
    for (const auto& [forward, backward] : kBoth) {
      SCOPED_TRACE(dtype);
      const Tensor wide = th::test::from(dtype, {6, 4}, rows);
      // As rows, as columns, and as rows so long that they are read twice.
      expect_agreement(list(empty(dtype), copy_of(wide)), Layout::Compact, tolerance(dtype, 4),
                       THC_CALL(forward(&t[0], &t[1], 1)));
      Tensor turned;
      transpose(turned, wide, 0, 1);
      expect_agreement(list(empty(dtype), copy_of(turned)), Layout::Compact, tolerance(dtype, 4),
                       THC_CALL(forward(&t[0], &t[1], 0)));
      Tensor spread;
      unsqueeze(spread, wide, 2);
      const int64_t sizes[] = {6, 4, 1100};
      expand(spread, spread, sizes);
      Tensor rows_of_4400 = copy_of(spread);
      const int64_t flat[] = {6, 4400};
      view(rows_of_4400, rows_of_4400, flat);
      expect_agreement(list(empty(dtype), std::move(rows_of_4400)), Layout::Compact,
                       tolerance(dtype, 4400), THC_CALL(forward(&t[0], &t[1], 1)));
    }
  }
}

TEST_F(Softmax, InPlaceIntoAnyLayoutAndWrong) {
  for (Layout layout : th::test::kLayouts) {
    expect_same_answer(list(draw_tensor(TH_FLOAT, {6, 10})), layout, tolerance(TH_FLOAT, 10),
                       THC_CALL(TH_log_softmax(&t[0], &t[0], 1)));
    expect_same_answer(list(draw_tensor(TH_FLOAT, {6, 10}), draw_tensor(TH_FLOAT, {6, 10})), layout,
                       1e-5, THC_CALL(TH_softmax_backward(&t[1], &t[0], &t[1], 0)));
    expect_same_answer(list(draw_tensor(TH_FLOAT, {6, 10}), draw_tensor(TH_FLOAT, {6, 10})), layout,
                       tolerance(TH_FLOAT, 10), THC_CALL(TH_softmax(&t[0], &t[1], 1)));
  }
  expect_same_answer(list(empty(TH_INT), th::test::from(TH_INT, {2}, {1, 2})), Layout::Compact, 0,
                     THC_CALL(TH_softmax(&t[0], &t[1], 0)));
  expect_same_answer(list(empty(TH_FLOAT), draw_tensor(TH_FLOAT, {2, 3})), Layout::Compact, 0,
                     THC_CALL(TH_softmax(&t[0], &t[1], 2)));
  expect_same_answer(
      list(empty(TH_FLOAT), draw_tensor(TH_FLOAT, {2, 3}), draw_tensor(TH_FLOAT, {5})),
      Layout::Compact, 0, THC_CALL(TH_log_softmax_backward(&t[0], &t[1], &t[2], 0)));
}

}  // namespace
}  // namespace thc::test
