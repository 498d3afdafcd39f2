#include <algorithm>
#include <functional>
#include <map>

#include <gtest/gtest.h>

#include "TH/support/tensors.h"

namespace th::test {
namespace {

constexpr int kTypes[] = {TH_BYTE, TH_CHAR,     TH_SHORT, TH_INT,   TH_LONG,
                          TH_HALF, TH_BFLOAT16, TH_FLOAT, TH_DOUBLE};

using Numbers = std::vector<double>;

/// The order of elements by the definition: NaN last, -0 before +0.
bool before(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) {
    return !std::isnan(a) && std::isnan(b);
  }
  return a < b || (a == b && std::signbit(a) && !std::signbit(b));
}

/// Positions of a line's elements in order, equal ones by position.
std::vector<int64_t> ordered(const Numbers& line, bool descending) {
  std::vector<int64_t> order(line.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int64_t i, int64_t j) {
    return descending ? before(line[j], line[i]) : before(line[i], line[j]);
  });
  return order;
}

/// What two vectors of numbers must share to be the same: NaN is NaN, -0 is not +0.
std::vector<std::string> exactly(const Numbers& numbers) {
  std::vector<std::string> texts;
  for (const double v : numbers) {
    texts.push_back(std::isnan(v) ? "nan" : str(std::hexfloat, v));
  }
  return texts;
}

struct Chosen {
  Numbers values, positions;
};

/// choose(line) -> positions (from 0), for each line along dim; results laid out as tensors are.
Chosen by_definition(const TH_Tensor& x, int dim, int64_t out,
                     const std::function<std::vector<int64_t>(const Numbers&)>& choose) {
  const Numbers from = values(x);
  int64_t inner = 1;
  for (int d = dim + 1; d < x.ndim; ++d) {
    inner *= x.sizes[d];
  }
  const int64_t n = x.sizes[dim];
  const int64_t outer = numel(x) / n / inner;
  Chosen result{Numbers(outer * out * inner), Numbers(outer * out * inner)};
  for (int64_t o = 0; o < outer; ++o) {
    for (int64_t i = 0; i < inner; ++i) {
      Numbers line(n);
      for (int64_t k = 0; k < n; ++k) {
        line[k] = from[(o * n + k) * inner + i];
      }
      const auto chosen = choose(line);
      for (int64_t k = 0; k < out; ++k) {
        result.values[(o * out + k) * inner + i] = line[chosen[k]];
        result.positions[(o * out + k) * inner + i] = static_cast<double>(chosen[k] + 1);
      }
    }
  }
  return result;
}

/// Few different values, so that many are equal; floating types also have the special ones.
Tensor with_ties(int dtype, const Sizes& sizes, std::mt19937& rng, Layout layout, bool special) {
  const Tensor x = random(dtype, sizes, rng, layout);
  if (special && is_floating(dtype)) {
    const double rare[] = {NAN, -NAN, INFINITY, -INFINITY, 0.0, -0.0};
    Numbers numbers = values(x);
    for (double& v : numbers) {
      v = rng() % 3 == 0 ? rare[rng() % 6] : v;
    }
    assign(x, numbers);
  }
  return Tensor(static_cast<const TH_Tensor&>(x));
}

struct Case {
  int dtype;
  Sizes sizes;
  int dim;
  Layout x, r, p;
};

/// Every type, dimension and layout; lengths on both sides of each algorithm's limits.
void each_case(const std::function<void(const Case&)>& f) {
  const Sizes shapes[] = {{1},          {2},        {24},       {25},     {3, 5},
                          {5, 3},       {300},      {257, 3},   {2, 257}, {4, 3, 5},
                          {2, 3, 1, 4}, {3, 70, 2}, {130, 130}, {2, 1500}};
  int n = 0;
  for (const int dtype : kTypes) {
    for (const Sizes& sizes : shapes) {
      for (int dim = 0; dim < static_cast<int>(sizes.size()); ++dim) {
        f({dtype, sizes, dim, kLayouts[n % 4], kLayouts[n / 4 % 4], kLayouts[n / 16 % 4]});
        ++n;
      }
    }
  }
}

class Sort : public testing::Test {
 protected:
  void SetUp() override { TH_setNumThreads(3); }
  void TearDown() override { TH_setNumThreads(TH_getNumCores()); }

  /// op(r, indices) against a definition, with r and indices of the case's layouts.
  void expect(const Case& c, const Tensor& x, int64_t out,
              const std::function<int(TH_Tensor*, TH_Tensor*)>& op,
              const std::function<std::vector<int64_t>(const Numbers&)>& choose) {
    Sizes result_sizes = c.sizes;
    result_sizes[c.dim] = out;
    Tensor r = make(c.dtype, result_sizes, c.r), indices = make(TH_LONG, result_sizes, c.p);
    ASSERT_EQ(op(&r, &indices), TH_OK) << TH_lastError();
    const Chosen wanted = by_definition(x, c.dim, out, choose);
    const std::string what =
        str(class_name(c.dtype), " ", shape(c.sizes), " dim ", c.dim, " out ", out);
    ASSERT_EQ(sizes(r), result_sizes) << what;
    ASSERT_EQ(sizes(indices), result_sizes) << what;
    ASSERT_EQ(exactly(values(r)), exactly(wanted.values)) << what;
    ASSERT_EQ(values(indices), wanted.positions) << what;
  }

  std::mt19937 rng{11};
};

TEST_F(Sort, OrdersLinesByValueThenPosition) {
  each_case([&](const Case& c) {
    for (const bool descending : {false, true}) {
      const Tensor x = with_ties(c.dtype, c.sizes, rng, c.x, rng() % 2 == 0);
      expect(
          c, x, c.sizes[c.dim],
          [&](TH_Tensor* r, TH_Tensor* i) { return TH_sort(r, i, &x, c.dim, descending); },
          [&](const Numbers& line) { return ordered(line, descending); });
    }
  });
}

TEST_F(Sort, TopkGivesTheFirstOnesOfTheOrder) {
  each_case([&](const Case& c) {
    const int64_t n = c.sizes[c.dim];
    for (const int64_t k :
         {int64_t{1}, std::min<int64_t>(n, 5), std::min<int64_t>(n, 33), (n + 1) / 2, n}) {
      const bool largest = rng() % 2 == 0;
      const Tensor x = with_ties(c.dtype, c.sizes, rng, c.x, rng() % 2 == 0);
      expect(
          c, x, k,
          [&](TH_Tensor* r, TH_Tensor* i) { return TH_topk(r, i, &x, k, c.dim, largest, true); },
          [&](const Numbers& line) { return ordered(line, largest); });
    }
  });
}

TEST_F(Sort, KthvalueAndMedianAreOneElementOfTheOrder) {
  each_case([&](const Case& c) {
    const int64_t n = c.sizes[c.dim];
    const Tensor x = with_ties(c.dtype, c.sizes, rng, c.x, rng() % 2 == 0);
    const int64_t k = 1 + static_cast<int64_t>(rng() % n);
    expect(
        c, x, 1, [&](TH_Tensor* r, TH_Tensor* i) { return TH_kthvalue(r, i, &x, k, c.dim); },
        [&](const Numbers& line) { return std::vector{ordered(line, false)[k - 1]}; });
    expect(
        c, x, 1, [&](TH_Tensor* r, TH_Tensor* i) { return TH_median(r, i, &x, c.dim); },
        [&](const Numbers& line) { return std::vector{ordered(line, false)[(n - 1) / 2]}; });
  });
}

TEST_F(Sort, ModeIsTheSmallestOfTheMostFrequentAtItsLastPosition) {
  each_case([&](const Case& c) {
    const Tensor x = with_ties(c.dtype, c.sizes, rng, c.x, rng() % 2 == 0);
    expect(
        c, x, 1, [&](TH_Tensor* r, TH_Tensor* i) { return TH_mode(r, i, &x, c.dim); },
        [&](const Numbers& line) {
          std::map<double, int64_t> counts;  // the two zeros are one number here
          int64_t nans = 0;
          for (const double v : line) {
            std::isnan(v) ? ++nans : ++counts[v];
          }
          double best = NAN;
          int64_t most = 0;
          for (const auto& [v, times] : counts) {
            if (times > most) {
              most = times;
              best = v;
            }
          }
          const bool nan = nans > most;
          for (int64_t i = static_cast<int64_t>(line.size()) - 1;; --i) {
            if (nan ? std::isnan(line[i]) : line[i] == best) {
              return std::vector{i};
            }
          }
        });
  });
}

TEST_F(Sort, LongLinesOfEveryType) {
  for (const int dtype : kTypes) {
    for (const bool descending : {false, true}) {
      Tensor x = make(dtype, {200000});
      Numbers numbers(200000);
      for (double& v : numbers) {
        v = std::ldexp(static_cast<double>(rng()), -static_cast<int>(rng() % 40)) - 100;
      }
      assign(x, numbers);
      numbers = values(x);
      Tensor r = empty(dtype), indices = empty(TH_LONG);
      ASSERT_EQ(TH_sort(&r, &indices, &x, 0, descending), TH_OK) << TH_lastError();
      const auto order = ordered(numbers, descending);
      const Numbers sorted = values(r), at = values(indices);
      for (size_t i = 0; i < order.size(); ++i) {
        ASSERT_EQ(sorted[i], numbers[order[i]]) << class_name(dtype) << " " << i;
        ASSERT_EQ(at[i], order[i] + 1) << class_name(dtype) << " " << i;
      }
      for (const int64_t k : {3, 32, 33, 1000, 90000, 150000}) {
        ASSERT_EQ(TH_topk(&r, &indices, &x, k, 0, descending, true), TH_OK) << TH_lastError();
        const Numbers best = values(r), places = values(indices);
        for (int64_t i = 0; i < k; ++i) {
          ASSERT_EQ(best[i], numbers[order[i]]) << class_name(dtype) << " k " << k << " " << i;
          ASSERT_EQ(places[i], order[i] + 1) << class_name(dtype) << " k " << k << " " << i;
        }
      }
    }
  }
}

TEST_F(Sort, LongIntegersOnBothSidesOf32Bits) {
  // Those that fit into 32 bits take another way than those that do not.
  for (const double limit : {0x1p31 - 1, 0x1p31, 0x1p40}) {
    for (const double low : {-0x1p31, -0x1p31 - 1}) {
      for (const int dim : {0, 1}) {
        const Tensor x = random(TH_LONG, {130, 130}, rng);
        Numbers numbers = values(x);
        numbers[5] = low;
        numbers[77] = numbers[78] = limit;
        assign(x, numbers);
        const Case c{TH_LONG, {130, 130}, dim, Layout::Compact, Layout::Compact, Layout::Narrowed};
        expect(
            c, x, 130, [&](TH_Tensor* r, TH_Tensor* i) { return TH_sort(r, i, &x, dim, false); },
            [](const Numbers& line) { return ordered(line, false); });
        expect(
            c, x, 1, [&](TH_Tensor* r, TH_Tensor* i) { return TH_kthvalue(r, i, &x, 130, dim); },
            [](const Numbers& line) { return std::vector{ordered(line, false)[129]}; });
      }
    }
  }
}

TEST_F(Sort, LinesAlreadyInEitherOrder) {
  for (const int sign : {1, -1}) {
    Tensor x = make(TH_FLOAT, {3000});
    Numbers numbers(3000);
    for (int i = 0; i < 3000; ++i) {
      numbers[i] = sign * i;
    }
    assign(x, numbers);
    Tensor r = empty(TH_FLOAT), indices = empty(TH_LONG);
    for (const int64_t k : {1, 7, 100, 1400}) {
      ASSERT_EQ(TH_topk(&r, &indices, &x, k, 0, false, true), TH_OK);
      std::sort(numbers.begin(), numbers.end());
      EXPECT_EQ(values(r), Numbers(numbers.begin(), numbers.begin() + k));
    }
  }
}

TEST_F(Sort, ExtremesOfIntegersAreNotTakenForOneAnother) {
  for (const auto& [dtype, low, high] : {std::tuple{TH_BYTE, 0.0, 255.0},
                                         {TH_CHAR, -128.0, 127.0},
                                         {TH_SHORT, -32768.0, 32767.0},
                                         {TH_INT, -2147483648.0, 2147483647.0},
                                         {TH_LONG, -0x1p62, 0x1p62}}) {
    const Tensor x = from(dtype, {5}, {high, low, high, low, high});
    Tensor r = empty(dtype), indices = empty(TH_LONG);
    ASSERT_EQ(TH_sort(&r, &indices, &x, 0, false), TH_OK);
    EXPECT_EQ(values(r), (Numbers{low, low, high, high, high}));
    EXPECT_EQ(values(indices), (Numbers{2, 4, 1, 3, 5}));
    ASSERT_EQ(TH_mode(&r, &indices, &x, 0), TH_OK);
    EXPECT_EQ(values(r), Numbers{high});
  }
}

TEST_F(Sort, ResultsMayBeTheOperand) {
  Tensor x = from(TH_FLOAT, {2, 3}, {3, 1, 2, 6, 5, 4});
  Tensor indices = empty(TH_LONG);
  ASSERT_EQ(TH_sort(&x, &indices, &x, 1, false), TH_OK) << TH_lastError();
  EXPECT_EQ(values(x), (Numbers{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(values(indices), (Numbers{2, 3, 1, 3, 2, 1}));
  ASSERT_EQ(TH_sort(&x, &indices, &x, 0, true), TH_OK) << TH_lastError();
  EXPECT_EQ(values(x), (Numbers{4, 5, 6, 1, 2, 3}));
  ASSERT_EQ(TH_topk(&x, &indices, &x, 2, 1, false, true), TH_OK) << TH_lastError();
  EXPECT_EQ(values(x), (Numbers{4, 5, 1, 2}));

  Tensor longs = from(TH_LONG, {4}, {30, 10, 40, 20});
  Tensor values_of_it = empty(TH_LONG);
  ASSERT_EQ(TH_sort(&values_of_it, &longs, &longs, 0, false), TH_OK) << TH_lastError();
  EXPECT_EQ(values(values_of_it), (Numbers{10, 20, 30, 40}));
  EXPECT_EQ(values(longs), (Numbers{2, 4, 1, 3}));

  // Both results and the operand in one storage.
  Tensor all = from(TH_LONG, {9}, {3, 1, 2, 0, 0, 0, 0, 0, 0});
  Tensor part[3];
  for (int i = 0; i < 3; ++i) {
    init(part[i], TH_LONG, TH_CPU, 0);
    narrow(part[i], all, 0, 3 * i, 3);
  }
  ASSERT_EQ(TH_sort(&part[1], &part[2], &part[0], 0, true), TH_OK) << TH_lastError();
  EXPECT_EQ(values(all), (Numbers{3, 1, 2, 3, 2, 1, 1, 3, 2}));
}

TEST_F(Sort, ArgumentsOutsideOfTheirRangeAreRefused) {
  const Tensor x = from(TH_FLOAT, {2, 3}, {3, 1, 2, 6, 5, 4});
  Tensor r = from(TH_FLOAT, {2}, {7, 8}), indices = from(TH_LONG, {2}, {9, 9});
  Tensor doubles = empty(TH_DOUBLE), ints = empty(TH_INT), nothing = empty(TH_FLOAT);
  const auto refuses = [&](int status, const std::vector<std::string>& parts) {
    EXPECT_EQ(status, TH_ERROR);
    for (const std::string& part : parts) {
      EXPECT_NE(std::string(TH_lastError()).find(part), std::string::npos)
          << TH_lastError() << "\nlacks: " << part;
    }
    EXPECT_EQ(values(r), (Numbers{7, 8}));
    EXPECT_EQ(values(indices), (Numbers{9, 9}));
  };
  refuses(TH_topk(&r, &indices, &x, 0, 1, false, true),
          {"topk: k is 0", "1 to 3", "dimension 2", "2x3"});
  refuses(TH_topk(&r, &indices, &x, 4, 1, false, true), {"k is 4", "1 to 3"});
  refuses(TH_kthvalue(&r, &indices, &x, 3, 0), {"kthvalue: k is 3", "1 to 2", "dimension 1"});
  refuses(TH_sort(&r, &indices, &x, 2, false), {"dimension 3"});
  refuses(TH_sort(&r, &indices, &nothing, 0, false), {"empty"});
  refuses(TH_median(&doubles, &indices, &x, 0), {"DoubleTensor", "FloatTensor"});
  refuses(TH_mode(&r, &ints, &x, 0), {"IntTensor", "LongTensor"});
  const Tensor longs = from(TH_LONG, {2}, {2, 1});
  refuses(TH_sort(&indices, &indices, &longs, 0, false), {"same tensor"});
}

}  // namespace
}  // namespace th::test
