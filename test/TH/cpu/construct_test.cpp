// Sequences, diagonals, triangles and concatenation against their definitions.
#include <cmath>

#include <gtest/gtest.h>

#include "TH/support/tensors.h"

namespace th::test {
namespace {

using Numbers = std::vector<double>;

/// The element of a matrix or vector by its indices.
double at(const TH_Tensor& t, Sizes indices) {
  double value = NAN;
  EXPECT_EQ(TH_get(&value, &t, indices.data()), TH_OK) << TH_lastError();
  return value;
}

// --- sequences ----------------------------------------------------------------------------------

TEST(Range, IncludesTheLastWhenItIsReached) {
  for (int dtype = 0; dtype < TH_NUM_DTYPES; ++dtype) {
    Tensor r = empty(dtype);
    ASSERT_EQ(TH_range(&r, 2, 8, 3), TH_OK) << TH_lastError();
    EXPECT_EQ(values(r), (Numbers{2, 5, 8}));
    ASSERT_EQ(TH_range(&r, 2, 7, 3), TH_OK);
    EXPECT_EQ(values(r), (Numbers{2, 5}));
    ASSERT_EQ(TH_range(&r, 9, 1, -4), TH_OK);
    EXPECT_EQ(values(r), (Numbers{9, 5, 1}));
    ASSERT_EQ(TH_range(&r, 4, 4, 1), TH_OK);
    EXPECT_EQ(values(r), (Numbers{4}));
  }
  Tensor r = empty(TH_DOUBLE);
  ASSERT_EQ(TH_range(&r, 0, 1, 0.25), TH_OK);
  EXPECT_EQ(values(r), (Numbers{0, 0.25, 0.5, 0.75, 1}));
}

TEST(Range, OfIntegersTruncatesItsArgumentsAndWrapsItsElements) {
  Tensor r = empty(TH_LONG);
  ASSERT_EQ(TH_range(&r, 0.5, 3.9, 1.7), TH_OK);
  EXPECT_EQ(values(r), (Numbers{0, 1, 2, 3}));
  EXPECT_EQ(TH_range(&r, 0, 3, 0.5), TH_ERROR);  // a step of 0 as an integer
  EXPECT_STREQ(TH_lastError(), "range: step must not be 0");
  Tensor bytes = empty(TH_BYTE);
  ASSERT_EQ(TH_range(&bytes, 254, 257, 1), TH_OK);
  EXPECT_EQ(values(bytes), (Numbers{254, 255, 0, 1}));
}

TEST(Range, IsExactOverManyElements) {
  Tensor r = empty(TH_DOUBLE);
  ASSERT_EQ(TH_range(&r, 1, 300000, 1), TH_OK);
  const Numbers numbers = values(r);
  ASSERT_EQ(numbers.size(), 300000);
  for (size_t i = 0; i < numbers.size(); ++i) {
    ASSERT_EQ(numbers[i], static_cast<double>(i + 1));
  }
}

TEST(Range, RefusesStepsThatLeadAway) {
  Tensor r = from(TH_FLOAT, {1}, {5});
  EXPECT_EQ(TH_range(&r, 1, 5, -1), TH_ERROR);
  EXPECT_STREQ(TH_lastError(), "range: a step of -1 leads from 1 away from 5");
  EXPECT_EQ(TH_range(&r, 1, 5, 0), TH_ERROR);
  EXPECT_STREQ(TH_lastError(), "range: step must not be 0");
  EXPECT_EQ(TH_range(&r, 1, NAN, 1), TH_ERROR);
  EXPECT_STREQ(TH_lastError(), "range: wanted finite numbers, got first 1, last nan, step 1");
  EXPECT_EQ(TH_range(&r, 1, INFINITY, 1), TH_ERROR);
  EXPECT_STREQ(TH_lastError(), "range: wanted finite numbers, got first 1, last inf, step 1");
  EXPECT_NE(TH_range(&r, 0, 1e300, 1e-10), TH_OK);
  EXPECT_STREQ(TH_lastError(),
               "range: more elements than any memory holds: from 0 to 1e+300 by 1e-10");
  EXPECT_EQ(values(r), (Numbers{5}));
}

TEST(Sequences, KeepTheShapeOfAResultWithTheRightNumberOfElements) {
  for (const Layout layout : kLayouts) {
    Tensor r = from(TH_FLOAT, {2, 3}, Numbers(6, 0), layout);
    ASSERT_EQ(TH_range(&r, 1, 6, 1), TH_OK);
    EXPECT_EQ(sizes(r), (Sizes{2, 3}));
    EXPECT_EQ(values(r), (Numbers{1, 2, 3, 4, 5, 6}));
    ASSERT_EQ(TH_linspace(&r, 0, 1, 5), TH_OK);
    EXPECT_EQ(sizes(r), (Sizes{5}));
  }
}

TEST(Linspace, IsEvenAndExactAtBothEnds) {
  for (const int dtype : {TH_HALF, TH_BFLOAT16, TH_FLOAT, TH_DOUBLE}) {
    for (const int64_t n : {2, 3, 10, 50000}) {
      const double first = -1.1;
      const double last = 7.3;
      Tensor r = empty(dtype);
      ASSERT_EQ(TH_linspace(&r, first, last, n), TH_OK);
      const Numbers numbers = values(r);
      ASSERT_EQ(numbers.size(), static_cast<size_t>(n));
      EXPECT_EQ(numbers.front(), values(from(dtype, {1}, {first}))[0]);
      EXPECT_EQ(numbers.back(), values(from(dtype, {1}, {last}))[0]);
      for (int64_t i = 0; i < n; ++i) {
        const double t = static_cast<double>(i) / static_cast<double>(n - 1);
        ASSERT_LE(distance({numbers[static_cast<size_t>(i)]}, {first * (1 - t) + last * t}),
                  2 * precision(dtype) + 1e-14);
      }
    }
  }
}

TEST(Linspace, OfOnePointWantsEqualEnds) {
  Tensor r = from(TH_DOUBLE, {1}, {5});
  EXPECT_EQ(TH_linspace(&r, 3, 9, 1), TH_ERROR);
  EXPECT_STREQ(TH_lastError(), "linspace: 1 point cannot be both 3 and 9; wanted at least 2");
  EXPECT_EQ(TH_logspace(&r, 2, 9, 1), TH_ERROR);
  EXPECT_STREQ(TH_lastError(), "logspace: 1 point cannot be both 2 and 9; wanted at least 2");
  EXPECT_EQ(TH_linspace(&r, 0, 0, 0), TH_ERROR);
  EXPECT_STREQ(TH_lastError(), "linspace: wanted at least 1 point, got 0");
  EXPECT_EQ(values(r), (Numbers{5}));
  ASSERT_EQ(TH_linspace(&r, 3, 3, 1), TH_OK);
  EXPECT_EQ(values(r), (Numbers{3}));
  ASSERT_EQ(TH_logspace(&r, 2, 2, 1), TH_OK);
  EXPECT_EQ(values(r), (Numbers{100}));
  Tensor integers = empty(TH_INT);
  EXPECT_EQ(TH_linspace(&integers, 0, 1, 2), TH_ERROR);
  EXPECT_STREQ(TH_lastError(),
               "linspace: IntTensor is not supported; wanted one of HalfTensor, BFloat16Tensor, "
               "FloatTensor, DoubleTensor. Convert it first, as in x:float()");
}

TEST(Logspace, RaisesTenToEvenPowers) {
  Tensor r = empty(TH_DOUBLE);
  ASSERT_EQ(TH_logspace(&r, -2, 3, 6), TH_OK);
  EXPECT_LE(distance(values(r), {0.01, 0.1, 1, 10, 100, 1000}), 1e-15);
  ASSERT_EQ(TH_logspace(&r, 0, 1, 5), TH_OK);
  EXPECT_LE(distance(values(r), {1, std::pow(10, 0.25), std::sqrt(10.0), std::pow(10, 0.75), 10}),
            1e-15);
}

// --- matrices -----------------------------------------------------------------------------------

TEST(Eye, HasOnesOnTheDiagonal) {
  for (int dtype = 0; dtype < TH_NUM_DTYPES; ++dtype) {
    Tensor r = empty(dtype);
    ASSERT_EQ(TH_eye(&r, 2, 3), TH_OK);
    EXPECT_EQ(sizes(r), (Sizes{2, 3}));
    EXPECT_EQ(values(r), (Numbers{1, 0, 0, 0, 1, 0}));
    ASSERT_EQ(TH_eye(&r, 3, 0), TH_OK);  // square
    EXPECT_EQ(values(r), (Numbers{1, 0, 0, 0, 1, 0, 0, 0, 1}));
  }
  Tensor r = from(TH_FLOAT, {2, 2}, Numbers(4, 9), Layout::Transposed);
  ASSERT_EQ(TH_eye(&r, 2, 2), TH_OK);
  EXPECT_EQ(values(r), (Numbers{1, 0, 0, 1}));
  EXPECT_EQ(TH_eye(&r, 0, 3), TH_ERROR);
  EXPECT_STREQ(TH_lastError(), "eye: wanted at least 1 row, got 0");
}

TEST(Diag, TurnsVectorsIntoMatricesAndBack) {
  std::mt19937 rng(1);
  for (const int dtype : {TH_BYTE, TH_HALF, TH_FLOAT, TH_LONG}) {
    for (const Layout layout : kLayouts) {
      for (int64_t k = -3; k <= 3; ++k) {
        const Tensor vector = random(dtype, {4}, rng, layout);
        Tensor matrix = empty(dtype);
        ASSERT_EQ(TH_diag(&matrix, &vector, k), TH_OK) << TH_lastError();
        const int64_t n = 4 + std::abs(k);
        ASSERT_EQ(sizes(matrix), (Sizes{n, n}));
        for (int64_t i = 0; i < n; ++i) {
          for (int64_t j = 0; j < n; ++j) {
            EXPECT_EQ(at(matrix, {i, j}), j - i == k ? at(vector, {std::min(i, j)}) : 0);
          }
        }
        Tensor back = empty(dtype);
        ASSERT_EQ(TH_diag(&back, &matrix, k), TH_OK);
        EXPECT_EQ(values(back), values(vector));
      }
      const Tensor wide = random(dtype, {3, 5}, rng, layout);
      for (int64_t k = -2; k <= 4; ++k) {
        Tensor r = empty(dtype);
        ASSERT_EQ(TH_diag(&r, &wide, k), TH_OK);
        const Numbers numbers = values(r);
        ASSERT_EQ(static_cast<int64_t>(numbers.size()),
                  std::min<int64_t>(k < 0 ? 3 + k : 3, k < 0 ? 5 : 5 - k));
        for (size_t i = 0; i < numbers.size(); ++i) {
          const auto place = static_cast<int64_t>(i);
          EXPECT_EQ(numbers[i], at(wide, {k < 0 ? place - k : place, k < 0 ? place : place + k}));
        }
      }
      Tensor r = empty(dtype);
      EXPECT_EQ(TH_diag(&r, &wide, 5), TH_ERROR);
      EXPECT_STREQ(TH_lastError(), "diag: a matrix of 3x5 has no diagonal 5");
      EXPECT_EQ(TH_diag(&r, &wide, -3), TH_ERROR);
      EXPECT_STREQ(TH_lastError(), "diag: a matrix of 3x5 has no diagonal -3");
    }
  }
  Tensor x = from(TH_FLOAT, {2}, {1, 2});
  ASSERT_EQ(TH_diag(&x, &x, 0), TH_OK);
  EXPECT_EQ(values(x), (Numbers{1, 0, 0, 2}));
  const Tensor cube = from(TH_FLOAT, {1, 1, 1}, {1});
  EXPECT_EQ(TH_diag(&x, &cube, 0), TH_ERROR);
  EXPECT_STREQ(TH_lastError(), "diag: wanted a vector or a matrix, got a tensor of 1x1x1");
}

TEST(TrilTriu, KeepOneSideOfADiagonal) {
  std::mt19937 rng(2);
  for (const int dtype : {TH_BYTE, TH_BFLOAT16, TH_FLOAT, TH_DOUBLE}) {
    for (const Layout layout : kLayouts) {
      const Tensor x = random(dtype, {4, 6}, rng, layout);
      for (const int64_t k :
           {INT64_MIN, int64_t{-5}, int64_t{-1}, int64_t{0}, int64_t{2}, int64_t{7}, INT64_MAX}) {
        Tensor lower = empty(dtype);
        Tensor upper = empty(dtype);
        ASSERT_EQ(TH_tril(&lower, &x, k), TH_OK);
        ASSERT_EQ(TH_triu(&upper, &x, k), TH_OK);
        for (int64_t i = 0; i < 4; ++i) {
          for (int64_t j = 0; j < 6; ++j) {
            EXPECT_EQ(at(lower, {i, j}), j - i <= k ? at(x, {i, j}) : 0) << k;
            EXPECT_EQ(at(upper, {i, j}), j - i >= k ? at(x, {i, j}) : 0) << k;
          }
        }
      }
    }
  }
  Tensor x = from(TH_FLOAT, {2, 2}, {1, 2, 3, 4}, Layout::Transposed);
  ASSERT_EQ(TH_tril(&x, &x, 0), TH_OK);
  EXPECT_EQ(values(x), (Numbers{1, 0, 3, 4}));
  const Tensor vector = from(TH_FLOAT, {2}, {1, 2});
  EXPECT_EQ(TH_triu(&x, &vector, 0), TH_ERROR);
  EXPECT_STREQ(TH_lastError(), "triu: wanted a matrix, got a tensor of 2");
}

// --- concatenation ------------------------------------------------------------------------------

int cat(TH_Tensor& r, std::initializer_list<const TH_Tensor*> tensors, int dim) {
  const std::vector<const TH_Tensor*> list(tensors);
  return TH_cat(&r, list.data(), static_cast<int>(list.size()), dim);
}

TEST(Cat, JoinsAlongEveryDimensionForEveryTypeAndLayout) {
  std::mt19937 rng(3);
  for (int dtype = 0; dtype < TH_NUM_DTYPES; ++dtype) {
    for (const Layout layout : kLayouts) {
      for (int dim = 0; dim < 3; ++dim) {
        Sizes first = {2, 3, 4};
        Sizes second = first;
        second[static_cast<size_t>(dim)] = 1;
        const Tensor a = random(dtype, first, rng, layout);
        const Tensor b = random(dtype, second, rng);
        Tensor r = empty(dtype);
        ASSERT_EQ(cat(r, {&a, &b, &a}, dim), TH_OK) << TH_lastError();
        Sizes wanted = first;
        wanted[static_cast<size_t>(dim)] = 2 * first[static_cast<size_t>(dim)] + 1;
        ASSERT_EQ(sizes(r), wanted);
        const auto expect_part = [&](const TH_Tensor& x, int64_t start) {
          Tensor part = empty(dtype);
          narrow(part, r, dim, start, x.sizes[dim]);
          EXPECT_EQ(values(part), values(x));
        };
        expect_part(a, 0);
        expect_part(b, a.sizes[dim]);
        expect_part(a, a.sizes[dim] + 1);
      }
    }
  }
}

TEST(Cat, CountsMissingDimensionsAsOneAndSkipsEmptyTensors) {
  const Tensor a = from(TH_FLOAT, {2}, {1, 2});
  const Tensor b = from(TH_FLOAT, {2}, {3, 4});
  const Tensor nothing = empty(TH_FLOAT);
  Tensor r = empty(TH_FLOAT);
  ASSERT_EQ(cat(r, {&a, &b}, 1), TH_OK) << TH_lastError();
  EXPECT_EQ(sizes(r), (Sizes{2, 2}));
  EXPECT_EQ(values(r), (Numbers{1, 3, 2, 4}));
  ASSERT_EQ(cat(r, {&nothing, &a, &nothing, &b}, -1), TH_OK);
  EXPECT_EQ(values(r), (Numbers{1, 2, 3, 4}));
  const Tensor matrix = from(TH_FLOAT, {2, 2}, {5, 6, 7, 8});
  ASSERT_EQ(cat(r, {&a, &matrix, &nothing}, -1), TH_OK) << TH_lastError();
  EXPECT_EQ(sizes(r), (Sizes{2, 3}));
  EXPECT_EQ(values(r), (Numbers{1, 5, 6, 2, 7, 8}));
  ASSERT_EQ(cat(r, {&nothing, &nothing}, -1), TH_OK);
  EXPECT_EQ(r.ndim, 0);
}

TEST(Cat, ResultMayBeAnInput) {
  Tensor x = from(TH_INT, {2}, {1, 2});
  const Tensor y = from(TH_INT, {2}, {3, 4});
  ASSERT_EQ(cat(x, {&y, &x}, 0), TH_OK);
  EXPECT_EQ(values(x), (Numbers{3, 4, 1, 2}));
}

TEST(Cat, ResultMayBeAnEmptyInputAnyNumberOfTimes) {
  std::mt19937 rng(5);
  const Tensor y = random(TH_FLOAT, {4, 6}, rng);
  for (const int dim : {0, 1}) {
    Tensor wanted = empty(TH_FLOAT), x = empty(TH_FLOAT), with_storage = from(TH_FLOAT, {1}, {9});
    resize(with_storage, {});
    ASSERT_EQ(cat(wanted, {&y, &y}, dim), TH_OK) << TH_lastError();
    for (Tensor* r : {&x, &with_storage}) {
      ASSERT_EQ(cat(*r, {r, &y, r, &y, r}, dim), TH_OK) << TH_lastError();
      EXPECT_EQ(sizes(*r), sizes(wanted));
      EXPECT_EQ(values(*r), values(wanted));
    }
    Tensor nothing = empty(TH_FLOAT);
    ASSERT_EQ(cat(nothing, {&nothing, &nothing}, dim), TH_OK) << TH_lastError();
    EXPECT_EQ(nothing.ndim, 0);
  }
}

TEST(Cat, MovesLargeTensorsWithAnyNumberOfThreads) {
  std::mt19937 rng(4);
  const int before = TH_getNumThreads();
  for (const int threads : {1, 3}) {
    TH_setNumThreads(threads);
    for (const int dim : {0, 1}) {
      const Tensor a = random(TH_FLOAT, {400, 400}, rng);
      const Tensor b = random(TH_FLOAT, {400, 400}, rng, Layout::Transposed);
      Tensor r = empty(TH_FLOAT);
      ASSERT_EQ(cat(r, {&a, &b, &a}, dim), TH_OK);
      Tensor part = empty(TH_FLOAT);
      for (int i = 0; i < 3; ++i) {
        narrow(part, r, dim, 400 * i, 400);
        EXPECT_EQ(values(part), values(i == 1 ? b : a));
      }
    }
  }
  TH_setNumThreads(before);
}

TEST(Cat, RefusesWhatDoesNotFit) {
  const Tensor a = from(TH_FLOAT, {2, 3}, Numbers(6, 1));
  const Tensor b = from(TH_FLOAT, {3, 3}, Numbers(9, 1));
  const Tensor other = from(TH_DOUBLE, {2, 3}, Numbers(6, 1));
  Tensor r = from(TH_FLOAT, {1}, {4});
  EXPECT_EQ(cat(r, {&a, &b}, 1), TH_ERROR);
  EXPECT_STREQ(TH_lastError(),
               "cat: inconsistent tensor sizes: tensor 2 is 3x3 but an earlier one is 2x3; only "
               "dimension 2 may "
               "differ");
  EXPECT_EQ(cat(r, {&a, &other}, 0), TH_ERROR);
  EXPECT_EQ(TH_cat(&r, nullptr, 0, 0), TH_ERROR);
  EXPECT_STREQ(TH_lastError(), "cat: wanted at least one tensor");
  EXPECT_EQ(values(r), (Numbers{4}));
}

}  // namespace
}  // namespace th::test
