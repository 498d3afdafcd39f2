// Smallest and largest elements and their positions against a search.
#include <gtest/gtest.h>

#include "TH/cpu/slices.h"

namespace th::test {
namespace {

void expect_extremes(const TH_Tensor& x) {
  for (const bool largest : {false, true}) {
    const Slice all = values(x);
    const double want = all[extreme_of(all, largest)];
    double actual = 0;
    ASSERT_EQ(largest ? TH_max_all(&actual, &x) : TH_min_all(&actual, &x), TH_OK) << TH_lastError();
    ASSERT_TRUE(actual == want || (std::isnan(actual) && std::isnan(want)))
        << actual << ", wanted " << want;
    for (int dim = 0; dim < x.ndim; ++dim) {
      Tensor r = empty(x.dtype);
      Tensor positions = empty(TH_LONG);
      ASSERT_EQ(largest ? TH_max(&r, &positions, &x, dim) : TH_min(&r, &positions, &x, dim), TH_OK)
          << TH_lastError();
      ASSERT_EQ(sizes(r), reduced(x, dim));
      ASSERT_EQ(sizes(positions), reduced(x, dim));
      const Slice value = values(r);
      const Slice position = values(positions);
      const std::vector<Slice> expected = slices(x, dim);
      for (size_t i = 0; i < expected.size(); ++i) {
        const size_t at = extreme_of(expected[i], largest);
        ASSERT_EQ(position[i], static_cast<double>(at + 1))
            << (largest ? "max" : "min") << " over dimension " << dim + 1 << " of " << type_name(x)
            << ' ' << shape(x) << ", result " << i;
        ASSERT_TRUE(value[i] == expected[i][at] ||
                    (std::isnan(value[i]) && std::isnan(expected[i][at])));
      }
    }
  }
}

TEST(MinMax, FindTheFirstExtremeForEveryTypeShapeAndLayout) {
  std::mt19937 rng(5);
  for (const int dtype : kAll) {
    for (const Sizes& shape : kSmall) {
      for (const Layout layout : kLayouts) {
        expect_extremes(random(dtype, shape, rng, layout));  // few distinct values: many ties
      }
    }
  }
  std::mt19937_64 wide(6);
  for (const int dtype : {TH_BYTE, TH_CHAR, TH_SHORT, TH_INT}) {
    expect_extremes(whole_range(dtype, {45, 50}, wide));
  }
}

TEST(MinMax, FindThemInLargeTensorsWithAnyNumberOfThreads) {
  std::mt19937 rng(7);
  const int before = TH_getNumThreads();
  int threads = 0;
  for (const Sizes& shape : kLarge) {
    for (const int dtype : {TH_BYTE, TH_BFLOAT16, TH_FLOAT, TH_DOUBLE}) {
      threads = threads % 3 + 1;
      TH_setNumThreads(threads);
      const Layout layout = kLayouts[rng() % std::size(kLayouts)];
      expect_extremes(dtype == TH_BYTE ? random(dtype, shape, rng, layout)
                                       : uniform(dtype, shape, rng, layout));
    }
  }
  TH_setNumThreads(before);
}

TEST(MinMax, FirstNaNWinsWhereverItIs) {
  std::mt19937 rng(8);
  for (const int dtype : kFloating) {
    for (const Sizes& shape :
         {Sizes{37}, Sizes{200}, Sizes{5000}, Sizes{20, 9}, Sizes{9, 70}, Sizes{70, 40}}) {
      for (int round = 0; round < 8; ++round) {
        const Tensor x = uniform(dtype, shape, rng);
        std::vector<double> numbers = values(x);
        for (int k = 0; k < 3; ++k) {
          numbers[rng() % numbers.size()] = kNaN;
          numbers[rng() % numbers.size()] = rng() % 2 ? kInf : -kInf;
        }
        assign(x, numbers);
        expect_extremes(x);
      }
    }
  }
}

TEST(MinMax, OfNothingButInfinityOrTheTypesOwnLimit) {
  for (const double edge : {kInf, -kInf}) {
    for (const int64_t n : {1, 20, 300}) {
      expect_extremes(from(TH_FLOAT, {n, 3}, Slice(static_cast<size_t>(3 * n), edge)));
    }
  }
  expect_extremes(from(TH_CHAR, {50}, Slice(50, -128)));
  expect_extremes(from(TH_BYTE, {50}, Slice(50, 0)));
  expect_extremes(from(TH_LONG, {3}, {-9e18, -9.1e18, 9e18}));
}

TEST(MinMax, RefuseWhatTheyCannotFill) {
  const Tensor x = from(TH_FLOAT, {2, 2}, {1, 2, 3, 4});
  Tensor r = empty(TH_FLOAT);
  Tensor wrong = empty(TH_INT);
  EXPECT_EQ(TH_max(&r, &wrong, &x, 0), TH_ERROR);
  EXPECT_STREQ(TH_lastError(), "max: the tensor for positions is a IntTensor, wanted a LongTensor");
  const Tensor whole = from(TH_LONG, {2}, {1, 2});
  Tensor values_and_positions = empty(TH_LONG);
  resize(values_and_positions, Sizes{1});
  EXPECT_EQ(TH_max(&values_and_positions, &values_and_positions, &whole, 0), TH_ERROR);
  EXPECT_STREQ(TH_lastError(), "max: two results cannot go into the same tensor");
}

}  // namespace
}  // namespace th::test
