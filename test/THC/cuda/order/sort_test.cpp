#include "THC/support/compare.h"

namespace thc::test {
namespace {

using Sort = AgainstCpu;
using th::test::empty;

/// Numbers with many equals, both zeros, both infinities and NaN.
Tensor any_numbers(int dtype, const Sizes& sizes, std::mt19937& rng) {
  Tensor t = th::test::random(dtype, sizes, rng);
  if (is_floating(dtype)) {
    std::vector<double> numbers = th::test::values(t);
    const double special[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, 1};
    for (double& x : numbers) {
      const int k = std::uniform_int_distribution<int>(0, 17)(rng);
      x = k < 6 ? special[k] : x;
    }
    th::test::assign(t, numbers);
  }
  return t;
}

TEST_F(Sort, ValuesAndPositionsOfAnyTypeAndLayout) {
  for (int round = 0; round < 90; ++round) {
    const int dtype = round % TH_NUM_DTYPES;
    const Layout layout = draw_layout();
    const Sizes sizes = round % 9 == 4 ? Sizes{2, 700, 2} : draw_sizes(4, 11);
    const auto dim = static_cast<int>(draw(0, static_cast<int64_t>(sizes.size()) - 1));
    SCOPED_TRACE(describe("sort", dtype, sizes, layout));
    const std::vector<Tensor> t =
        list(empty(dtype), empty(TH_LONG), any_numbers(dtype, sizes, rng_));
    for (bool descending : {false, true}) {
      expect_agreement(t, layout, 0, THC_CALL(TH_sort(&t[0], &t[1], &t[2], dim, descending)));
    }
    const int64_t k = draw(1, sizes[static_cast<size_t>(dim)]);
    const bool largest = draw(0, 1) == 1;
    expect_agreement(t, layout, 0, THC_CALL(TH_topk(&t[0], &t[1], &t[2], k, dim, largest, true)));
    expect_agreement(t, layout, 0, THC_CALL(TH_kthvalue(&t[0], &t[1], &t[2], k, dim)));
    expect_agreement(t, layout, 0, THC_CALL(TH_median(&t[0], &t[1], &t[2], dim)));
    expect_agreement(t, layout, 0, THC_CALL(TH_mode(&t[0], &t[1], &t[2], dim)));
  }
}

TEST_F(Sort, WholeRangesOfLongsAndDoubles) {
  std::uniform_int_distribution<int64_t> wide(INT64_MIN, INT64_MAX);
  Tensor host = th::test::make(TH_LONG, {5, 300});
  for (int64_t i = 0; i < numel(host); ++i) {
    data<int64_t>(host)[i] = wide(rng_);
  }
  const Tensor x = upload(host);
  Tensor r = on_device(TH_LONG, {});
  Tensor positions = on_device(TH_LONG, {});
  ASSERT_EQ(TH_sort(&r, &positions, &x, 1, false), TH_OK);
  const Tensor sorted = download(r);
  const Tensor at = download(positions);
  for (int64_t i = 0; i < numel(host); ++i) {
    const int64_t row = i / 300 * 300;
    EXPECT_EQ(data<int64_t>(sorted)[i], data<int64_t>(host)[row + data<int64_t>(at)[i] - 1]);
    if (i > row) {
      EXPECT_LE(data<int64_t>(sorted)[i - 1], data<int64_t>(sorted)[i]);
    }
  }
}

TEST_F(Sort, ModeCountsTheTwoZerosAsOneNumber) {
  for (int dtype : {TH_HALF, TH_FLOAT, TH_DOUBLE}) {
    for (const std::vector<double>& numbers : {std::vector<double>{1, -0.0, 1, 0.0, -0.0, 2},
                                               {0.0, -0.0, 1, 1, 0.0, 2},
                                               {-1, -0.0, 3, -0.0, -1, -0.0}}) {
      expect_agreement(list(empty(dtype), empty(TH_LONG), th::test::from(dtype, {6}, numbers)),
                       Layout::Compact, 0, THC_CALL(TH_mode(&t[0], &t[1], &t[2], 0)));
    }
  }
}

TEST_F(Sort, ResultsMayBeOperands) {
  const auto x = [&] { return any_numbers(TH_FLOAT, {6, 9}, rng_); };
  const auto longs = [&] { return draw_tensor(TH_LONG, {6, 9}); };
  for (Layout layout : {Layout::Compact, Layout::Transposed}) {
    expect_agreement(list(x(), empty(TH_LONG)), layout, 0,
                     THC_CALL(TH_sort(&t[0], &t[1], &t[0], 0, true)));
    expect_agreement(list(x(), empty(TH_LONG)), layout, 0,
                     THC_CALL(TH_topk(&t[0], &t[1], &t[0], 4, 1, true, false)));
    expect_agreement(list(empty(TH_LONG), longs()), layout, 0,
                     THC_CALL(TH_sort(&t[0], &t[1], &t[1], 1, false)));
  }
}

TEST_F(Sort, WrongArgumentsAreRefusedInTheCpusWords) {
  const std::vector<Tensor> t =
      list(draw_tensor(TH_FLOAT, {2}), draw_tensor(TH_LONG, {2}), draw_tensor(TH_FLOAT, {3, 4}),
           empty(TH_FLOAT), empty(TH_DOUBLE));
  const auto refused = [&](const Operation& f) { expect_refusal(t, Layout::Compact, 0, f); };
  refused(THC_CALL(TH_sort(&t[0], &t[1], &t[2], 2, false)));
  refused(THC_CALL(TH_sort(&t[0], &t[0], &t[2], 0, false)));
  refused(THC_CALL(TH_sort(&t[0], &t[3], &t[2], 0, false)));
  refused(THC_CALL(TH_sort(&t[4], &t[1], &t[2], 0, false)));
  refused(THC_CALL(TH_sort(&t[0], &t[1], &t[3], 0, false)));
  refused(THC_CALL(TH_topk(&t[0], &t[1], &t[2], 5, 1, true, true)));
  refused(THC_CALL(TH_kthvalue(&t[0], &t[1], &t[2], 0, 1)));
}

}  // namespace
}  // namespace thc::test
