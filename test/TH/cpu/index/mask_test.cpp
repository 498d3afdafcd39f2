#include <functional>

#include <gtest/gtest.h>

#include "TH/support/tensors.h"

namespace th::test {
namespace {

constexpr int kTypes[] = {TH_BYTE, TH_CHAR,     TH_SHORT, TH_INT,   TH_LONG,
                          TH_HALF, TH_BFLOAT16, TH_FLOAT, TH_DOUBLE};

using Numbers = std::vector<double>;

Numbers random_mask(size_t n, double density, std::mt19937& rng) {
  Numbers mask(n);
  for (double& m : mask) {
    m = std::bernoulli_distribution(density)(rng);
  }
  return mask;
}

/// Every type and layout; the last shape is worth threads.
template <class F>
void each_case(F&& f) {
  const Sizes shapes[] = {{1}, {7}, {6, 9}, {3, 4, 5}, {2, 1, 3, 4}, {230, 450}};
  int n = 0;
  for (const int dtype : kTypes) {
    for (const Sizes& sizes : shapes) {
      for (const Layout layout : kLayouts) {
        if (sizes[0] == 230 && dtype != TH_FLOAT && dtype != TH_SHORT) {
          continue;
        }
        f(dtype, sizes, layout, kLayouts[n % 4], (n % 5) / 4.0);
        ++n;
      }
    }
  }
}

class Masked : public testing::Test {
 protected:
  void SetUp() override { TH_setNumThreads(3); }
  void TearDown() override { TH_setNumThreads(TH_getNumCores()); }
  std::mt19937 rng{7};
};

TEST_F(Masked, SelectGivesTheMarkedElementsInOrder) {
  each_case([&](int dtype, const Sizes& shape, Layout layout, Layout mask_layout, double density) {
    const Tensor x = random(dtype, shape, rng, layout);
    const Numbers marks = random_mask(values(x).size(), density, rng);
    const Tensor mask = test::from(TH_BYTE, shape, marks, mask_layout);
    Tensor r = make(dtype, {3, 2}, layout);
    ASSERT_EQ(TH_masked_select(&r, &x, &mask), TH_OK) << TH_lastError();
    const Numbers from = values(x);
    Numbers wanted;
    for (size_t i = 0; i < marks.size(); ++i) {
      if (marks[i] == 1) {
        wanted.push_back(from[i]);
      }
    }
    ASSERT_EQ(values(r), wanted);
    ASSERT_EQ(sizes(r), wanted.empty() ? Sizes{} : Sizes{static_cast<int64_t>(wanted.size())});
  });
}

TEST_F(Masked, CopyAndFillWriteTheMarkedElementsOnly) {
  each_case([&](int dtype, const Sizes& shape, Layout layout, Layout mask_layout, double density) {
    Tensor copied = random(dtype, shape, rng, layout);
    Tensor filled = make(dtype, shape, layout);
    copy(filled, copied);
    Numbers wanted = values(copied), wanted_filled = wanted;
    const Numbers marks = random_mask(wanted.size(), density, rng);
    const Tensor mask = from(TH_BYTE, shape, marks, mask_layout);
    const Tensor x = random(dtype, shape, rng, mask_layout);
    const Numbers from = values(x);
    ASSERT_EQ(TH_masked_copy(&copied, &mask, &x), TH_OK) << TH_lastError();
    ASSERT_EQ(TH_masked_fill(&filled, &mask, 3), TH_OK) << TH_lastError();
    for (size_t i = 0, used = 0; i < marks.size(); ++i) {
      if (marks[i] == 1) {
        wanted[i] = from[used++];
        wanted_filled[i] = 3;
      }
    }
    ASSERT_EQ(values(copied), wanted);
    ASSERT_EQ(values(filled), wanted_filled);
  });
}

TEST_F(Masked, OnlyCountsMustAgree) {
  Tensor x = from(TH_DOUBLE, {2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor mask = from(TH_BYTE, {3, 2}, {0, 1, 0, 0, 1, 1});
  Tensor r = empty(TH_DOUBLE);
  ASSERT_EQ(TH_masked_select(&r, &x, &mask), TH_OK);
  EXPECT_EQ(values(r), (Numbers{2, 5, 6}));
  const Tensor exactly_enough = from(TH_DOUBLE, {3}, {7, 8, 9});
  ASSERT_EQ(TH_masked_copy(&x, &mask, &exactly_enough), TH_OK);
  EXPECT_EQ(values(x), (Numbers{1, 7, 3, 4, 8, 9}));
}

TEST_F(Masked, NothingSelectedOfNothingIsEmpty) {
  const Tensor x = empty(TH_FLOAT), mask = empty(TH_BYTE);
  Tensor r = from(TH_FLOAT, {2}, {1, 2});
  ASSERT_EQ(TH_masked_select(&r, &x, &mask), TH_OK) << TH_lastError();
  EXPECT_EQ(r.ndim, 0);
  Tensor coordinates = from(TH_LONG, {2}, {1, 2});
  ASSERT_EQ(TH_nonzero(&coordinates, &x), TH_OK) << TH_lastError();
  EXPECT_EQ(coordinates.ndim, 0);
}

TEST_F(Masked, ResultsMayBeAnOperand) {
  Tensor x = from(TH_BYTE, {4}, {0, 1, 0, 1});
  ASSERT_EQ(TH_masked_copy(&x, &x, &x), TH_OK) << TH_lastError();
  EXPECT_EQ(values(x), (Numbers{0, 0, 0, 1}));
  ASSERT_EQ(TH_masked_fill(&x, &x, 0), TH_OK) << TH_lastError();
  EXPECT_EQ(values(x), (Numbers{0, 0, 0, 0}));

  Tensor y = from(TH_FLOAT, {4}, {1, 2, 3, 4});
  const Tensor mask = from(TH_BYTE, {4}, {0, 1, 0, 1});
  ASSERT_EQ(TH_masked_select(&y, &y, &mask), TH_OK) << TH_lastError();
  EXPECT_EQ(values(y), (Numbers{2, 4}));

  // The mask is what masked_fill overwrites, shifted.
  Tensor bytes = from(TH_BYTE, {5}, {1, 0, 1, 0, 0});
  Tensor head, tail;
  init(head, TH_BYTE, TH_CPU, 0);
  init(tail, TH_BYTE, TH_CPU, 0);
  narrow(head, bytes, 0, 0, 4);
  narrow(tail, bytes, 0, 1, 4);
  ASSERT_EQ(TH_masked_fill(&tail, &head, 1), TH_OK) << TH_lastError();
  EXPECT_EQ(values(bytes), (Numbers{1, 1, 1, 1, 0}));
}

void refuses(const TH_Tensor& r, const std::function<int()>& call,
             const std::vector<std::string>& parts) {
  const Numbers before = values(r);
  ASSERT_EQ(call(), TH_ERROR);
  for (const std::string& part : parts) {
    EXPECT_NE(std::string(TH_lastError()).find(part), std::string::npos)
        << TH_lastError() << "\nlacks: " << part;
  }
  EXPECT_EQ(values(r), before);
}

TEST_F(Masked, MasksOtherThanZeroAndOneAreRefused) {
  Tensor r = from(TH_FLOAT, {4}, {1, 2, 3, 4});
  const Tensor x = from(TH_FLOAT, {4}, {9, 9, 9, 9});
  const Tensor mask = from(TH_BYTE, {4}, {1, 1, 2, 0});
  const std::vector<std::string> parts{"element 3 is 2", "0 and 1"};
  refuses(
      r, [&] { return TH_masked_select(&r, &x, &mask); }, parts);
  refuses(
      r, [&] { return TH_masked_copy(&r, &mask, &x); }, parts);
  refuses(
      r, [&] { return TH_masked_fill(&r, &mask, 0); }, parts);
  Numbers many(200000, 1);
  many[150000] = 255;
  Tensor large = make(TH_FLOAT, {200000});
  assign(large, Numbers(200000, 4));
  const Tensor bad = from(TH_BYTE, {200000}, many);
  refuses(large, [&] { return TH_masked_fill(&large, &bad, 0); }, {"element 150001 is 255"});
}

TEST_F(Masked, CountsAndTypesThatDoNotFitAreRefused) {
  Tensor r = from(TH_FLOAT, {4}, {1, 2, 3, 4});
  const Tensor x = from(TH_FLOAT, {4}, {9, 9, 9, 9});
  const Tensor small = from(TH_BYTE, {3}, {1, 1, 1}), ones = from(TH_BYTE, {4}, {1, 1, 1, 1});
  const Tensor few = from(TH_FLOAT, {3}, {5, 5, 5});
  const Tensor ints = from(TH_INT, {4}, {1, 1, 1, 1});
  refuses(r, [&] { return TH_masked_select(&r, &x, &small); }, {"4", "3"});
  refuses(r, [&] { return TH_masked_copy(&r, &small, &x); }, {"4", "3"});
  refuses(r, [&] { return TH_masked_fill(&r, &small, 0); }, {"4", "3"});
  refuses(r, [&] { return TH_masked_copy(&r, &ones, &few); }, {"4 ones", "3 elements"});
  refuses(r, [&] { return TH_masked_copy(&r, &ones, &ints); }, {"FloatTensor", "IntTensor"});
  refuses(r, [&] { return TH_masked_fill(&r, &ints, 0); }, {"mask is a IntTensor", "ByteTensor"});
  refuses(r, [&] { return TH_nonzero(&r, &x); }, {"FloatTensor", "LongTensor"});
}

// --- nonzero
// --------------------------------------------------------------------------------------

TEST_F(Masked, NonzeroGivesCoordinatesInRowMajorOrder) {
  each_case(
      [&](int dtype, const Sizes& shape, Layout layout, Layout result_layout, double density) {
        Numbers numbers = random_mask(static_cast<size_t>(numel(make(dtype, shape))), density, rng);
        for (double& v : numbers) {
          v *= 1 + static_cast<double>(rng() % 100);
        }
        const Tensor x = from(dtype, shape, numbers, layout);
        Numbers wanted;
        const int64_t ndim = static_cast<int64_t>(shape.size());
        for (size_t i = 0; i < numbers.size(); ++i) {
          if (numbers[i] != 0) {
            Numbers at(shape.size());
            int64_t rest = static_cast<int64_t>(i);
            for (int64_t d = ndim - 1; d >= 0; --d) {
              at[d] = static_cast<double>(rest % shape[d] + 1);
              rest /= shape[d];
            }
            wanted.insert(wanted.end(), at.begin(), at.end());
          }
        }
        const int64_t rows = static_cast<int64_t>(wanted.size()) / ndim;
        Tensor r = rows == 0 ? make(TH_LONG, {2, 2}) : make(TH_LONG, {rows, ndim}, result_layout);
        ASSERT_EQ(TH_nonzero(&r, &x), TH_OK) << TH_lastError();
        ASSERT_EQ(values(r), wanted);
        ASSERT_EQ(sizes(r), rows == 0 ? Sizes{} : (Sizes{rows, ndim}));
      });
}

TEST_F(Masked, NonzeroCountsNanAndNeitherZero) {
  for (const int dtype : {TH_HALF, TH_BFLOAT16, TH_FLOAT, TH_DOUBLE}) {
    const Tensor x = from(dtype, {5}, {0.0, -0.0, NAN, INFINITY, dtype == TH_HALF ? 6e-8 : 1e-40});
    Tensor r = empty(TH_LONG);
    ASSERT_EQ(TH_nonzero(&r, &x), TH_OK);
    EXPECT_EQ(values(r), (Numbers{3, 4, 5}));
  }
}

TEST_F(Masked, NonzeroMayOverwriteItsOperand) {
  Tensor x = from(TH_LONG, {2, 2}, {0, 7, 0, 9});
  ASSERT_EQ(TH_nonzero(&x, &x), TH_OK);
  EXPECT_EQ(values(x), (Numbers{1, 2, 2, 2}));
}

}  // namespace
}  // namespace th::test
