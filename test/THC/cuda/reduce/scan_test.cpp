#include "THC/support/compare.h"

namespace thc::test {
namespace {

using Scan = AgainstCpu;
using th::test::empty;

/// Numbers whose running products stay in range.
Tensor near_one(int dtype, const Sizes& sizes, std::mt19937& rng) {
  Tensor t = th::test::make(dtype, sizes);
  std::vector<double> numbers(static_cast<size_t>(numel(t)));
  for (double& x : numbers) {
    const int k = std::uniform_int_distribution<int>(0, 3)(rng);
    x = is_integral(dtype) ? (k == 0 && dtype != TH_BYTE ? -1 : 1)
                           : std::vector<double>{0.5, 2, -1, 1}[static_cast<size_t>(k)];
  }
  th::test::assign(t, numbers);
  return t;
}

TEST_F(Scan, RunningSumsAndProductsAlongAnyDimension) {
  for (int round = 0; round < 90; ++round) {
    const int dtype = round % TH_NUM_DTYPES;
    const Layout layout = draw_layout();
    const Sizes sizes = draw_sizes(4, 11);
    const auto dim = static_cast<int>(draw(0, static_cast<int64_t>(sizes.size())));
    SCOPED_TRACE(describe("scan", dtype, sizes, layout));
    const double tolerance = 2 * th::test::precision(dtype);
    expect_same_answer(list(empty(dtype), draw_tensor(dtype, sizes)), layout, tolerance,
                       THC_CALL(TH_cumsum(&t[0], &t[1], dim)));
    expect_same_answer(list(draw_tensor(dtype, sizes), near_one(dtype, sizes, rng_)), layout,
                       tolerance, THC_CALL(TH_cumprod(&t[0], &t[1], dim)));
  }
}

TEST_F(Scan, LinesOfManyTilesAndParts) {
  for (int dtype : {TH_CHAR, TH_LONG, TH_BFLOAT16, TH_FLOAT, TH_DOUBLE}) {
    for (const Sizes& sizes : {Sizes{20001}, Sizes{3, 8500}, Sizes{700, 5}, Sizes{70, 1100}}) {
      for (Layout layout : {Layout::Compact, Layout::Transposed}) {
        for (int dim = 0; dim < static_cast<int>(sizes.size()); ++dim) {
          SCOPED_TRACE(describe("scan", dtype, sizes, layout));
          const double tolerance = 2 * th::test::precision(dtype);
          expect_agreement(list(empty(dtype), draw_tensor(dtype, sizes)), layout, tolerance,
                           THC_CALL(TH_cumsum(&t[0], &t[1], dim)));
        }
      }
    }
  }
  expect_agreement(list(empty(TH_LONG), near_one(TH_LONG, {2, 9000}, rng_)), Layout::Compact, 0,
                   THC_CALL(TH_cumprod(&t[0], &t[1], 1)));
}

TEST_F(Scan, InPlaceAndWrong) {
  expect_same_answer(list(draw_tensor(TH_FLOAT, {40, 100})), Layout::Transposed, 1e-6,
                     THC_CALL(TH_cumsum(&t[0], &t[0], 1)));
  expect_same_answer(list(empty(TH_FLOAT), draw_tensor(TH_DOUBLE, {4})), Layout::Compact, 0,
                     THC_CALL(TH_cumsum(&t[0], &t[1], 0)));
  expect_same_answer(list(empty(TH_FLOAT), empty(TH_FLOAT)), Layout::Compact, 0,
                     THC_CALL(TH_cumsum(&t[0], &t[1], 0)));
}

}  // namespace
}  // namespace thc::test
