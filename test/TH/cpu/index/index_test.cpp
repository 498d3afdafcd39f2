#include <functional>

#include <gtest/gtest.h>

#include "TH/support/tensors.h"

namespace th::test {
namespace {

constexpr int kTypes[] = {TH_BYTE, TH_CHAR,     TH_SHORT, TH_INT,   TH_LONG,
                          TH_HALF, TH_BFLOAT16, TH_FLOAT, TH_DOUBLE};

using Numbers = std::vector<double>;

int64_t count(const Sizes& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t{1}, std::multiplies<>());
}

/// f(flat index of the element, its coordinates) in row-major order.
void each(const Sizes& sizes, const std::function<void(int64_t, Sizes&)>& f) {
  for (int64_t i = 0; i < count(sizes); ++i) {
    Sizes at(sizes.size());
    int64_t rest = i;
    for (int d = static_cast<int>(sizes.size()) - 1; d >= 0; --d) {
      at[d] = rest % sizes[d];
      rest /= sizes[d];
    }
    f(i, at);
  }
}

int64_t flat(const Sizes& sizes, const Sizes& at) {
  int64_t i = 0;
  for (size_t d = 0; d < sizes.size(); ++d) {
    i = i * sizes[d] + at[d];
  }
  return i;
}

Sizes with(Sizes sizes, int dim, int64_t size) {
  sizes[dim] = size;
  return sizes;
}

Tensor positions(const Sizes& sizes, int64_t limit, std::mt19937& rng, Layout layout) {
  Numbers p(static_cast<size_t>(count(sizes)));
  for (double& v : p) {
    v = static_cast<double>(std::uniform_int_distribution<int64_t>(1, limit)(rng));
  }
  return from(TH_LONG, sizes, p, layout);
}

struct Case {
  int dtype;
  Sizes sizes;
  int dim;
  Layout x, r, p;
};

std::string name(const Case& c) {
  return str(class_name(c.dtype), " ", shape(c.sizes), " dim ", c.dim, " layouts ",
             static_cast<int>(c.x), static_cast<int>(c.r), static_cast<int>(c.p));
}

/// Every type, dimension and layout at least once. The last shapes are worth threads.
void each_case(const std::function<void(const Case&)>& f) {
  const Sizes shapes[] = {{7}, {1, 5}, {4, 1}, {6, 9}, {3, 4, 5}, {2, 3, 1, 4}, {70, 40, 33}};
  int n = 0;
  for (const int dtype : kTypes) {
    for (const Sizes& sizes : shapes) {
      for (int dim = 0; dim < static_cast<int>(sizes.size()); ++dim) {
        for (const Layout layout : kLayouts) {
          if (count(sizes) > 1000 && dtype != TH_FLOAT && layout != Layout::Compact) {
            continue;
          }
          f({dtype, sizes, dim, layout, kLayouts[n % 4], kLayouts[n / 4 % 4]});
          ++n;
        }
      }
    }
  }
}

class Index : public testing::Test {
 protected:
  void SetUp() override { TH_setNumThreads(3); }
  void TearDown() override { TH_setNumThreads(TH_getNumCores()); }
  std::mt19937 rng{2026};
};

TEST_F(Index, SelectTakesSlicesByPosition) {
  each_case([&](const Case& c) {
    const int64_t n = 1 + static_cast<int64_t>(rng() % 9);
    const Tensor x = random(c.dtype, c.sizes, rng, c.x);
    const Tensor p = positions({n}, c.sizes[c.dim], rng, c.p);
    const Sizes wanted_sizes = with(c.sizes, c.dim, n);
    Tensor r = make(c.dtype, wanted_sizes, c.r);
    ASSERT_EQ(TH_index(&r, &x, c.dim, &p), TH_OK) << TH_lastError();
    const Numbers from = values(x), at = values(p);
    Numbers wanted(static_cast<size_t>(count(wanted_sizes)));
    each(wanted_sizes, [&](int64_t i, Sizes& place) {
      place[c.dim] = static_cast<int64_t>(at[place[c.dim]]) - 1;
      wanted[i] = from[flat(c.sizes, place)];
    });
    ASSERT_EQ(sizes(r), wanted_sizes);
    ASSERT_EQ(values(r), wanted) << name(c);
  });
}

TEST_F(Index, GatherTakesElementsByPosition) {
  each_case([&](const Case& c) {
    const Sizes wanted_sizes = with(c.sizes, c.dim, 1 + static_cast<int64_t>(rng() % 9));
    const Tensor x = random(c.dtype, c.sizes, rng, c.x);
    const Tensor p = positions(wanted_sizes, c.sizes[c.dim], rng, c.p);
    Tensor r = make(c.dtype, wanted_sizes, c.r);
    ASSERT_EQ(TH_gather(&r, &x, c.dim, &p), TH_OK) << TH_lastError();
    const Numbers from = values(x), at = values(p);
    Numbers wanted(from.size() / c.sizes[c.dim] * wanted_sizes[c.dim]);
    each(wanted_sizes, [&](int64_t i, Sizes& place) {
      place[c.dim] = static_cast<int64_t>(at[i]) - 1;
      wanted[i] = from[flat(c.sizes, place)];
    });
    ASSERT_EQ(values(r), wanted) << name(c);
  });
}

TEST_F(Index, ScatterPutsElementsByPositionAndTheLastOneWins) {
  each_case([&](const Case& c) {
    const Sizes source_sizes = with(c.sizes, c.dim, 1 + static_cast<int64_t>(rng() % 9));
    const Tensor x = random(c.dtype, source_sizes, rng, c.x);
    const Tensor p = positions(source_sizes, c.sizes[c.dim], rng, c.p);
    const Tensor r = random(c.dtype, c.sizes, rng, c.r);
    Tensor filled = make(c.dtype, c.sizes, c.r);
    copy(filled, r);
    Numbers wanted = values(r), wanted_filled = wanted;
    const Numbers from = values(x), at = values(p);
    Tensor into(static_cast<const TH_Tensor&>(r));
    ASSERT_EQ(TH_scatter(&into, c.dim, &p, &x), TH_OK) << TH_lastError();
    ASSERT_EQ(TH_scatter_value(&filled, c.dim, &p, 3), TH_OK) << TH_lastError();
    // Row-major order visits what shares a place in the order of the dimension.
    each(source_sizes, [&](int64_t i, Sizes& place) {
      place[c.dim] = static_cast<int64_t>(at[i]) - 1;
      wanted[flat(c.sizes, place)] = from[i];
      wanted_filled[flat(c.sizes, place)] = 3;
    });
    ASSERT_EQ(values(r), wanted) << name(c);
    ASSERT_EQ(values(filled), wanted_filled) << name(c);
  });
}

TEST_F(Index, CopyAddAndFillReachTheSlicesTheyName) {
  each_case([&](const Case& c) {
    const int64_t n = 1 + static_cast<int64_t>(rng() % 9);
    const Sizes source_sizes = with(c.sizes, c.dim, n);
    const Tensor x = random(c.dtype, source_sizes, rng, c.x);
    const Tensor p = positions({n}, c.sizes[c.dim], rng, c.p);
    Tensor copied = random(c.dtype, c.sizes, rng, c.r);
    Tensor added = make(c.dtype, c.sizes, c.r), filled = make(c.dtype, c.sizes, c.r);
    copy(added, copied);
    copy(filled, copied);
    Numbers to_copy = values(copied), to_add = to_copy, to_fill = to_copy;
    const Numbers from = values(x), at = values(p);
    ASSERT_EQ(TH_index_copy(&copied, c.dim, &p, &x), TH_OK) << TH_lastError();
    ASSERT_EQ(TH_index_add(&added, c.dim, &p, &x), TH_OK) << TH_lastError();
    ASSERT_EQ(TH_index_fill(&filled, c.dim, &p, 5), TH_OK) << TH_lastError();
    each(source_sizes, [&](int64_t i, Sizes& place) {
      place[c.dim] = static_cast<int64_t>(at[place[c.dim]]) - 1;
      const int64_t to = flat(c.sizes, place);
      to_copy[to] = from[i];
      to_fill[to] = 5;
      // Sums of a few sixteenths are exact in every type; bytes wrap.
      to_add[to] =
          c.dtype == TH_BYTE ? static_cast<uint8_t>(to_add[to] + from[i]) : to_add[to] + from[i];
    });
    ASSERT_EQ(values(copied), to_copy) << name(c);
    ASSERT_EQ(values(added), to_add) << name(c);
    ASSERT_EQ(values(filled), to_fill) << name(c);
  });
}

TEST_F(Index, AddOfIntegersWraps) {
  for (const auto& [dtype, highest] :
       {std::pair{TH_BYTE, 255.0}, {TH_CHAR, 127.0}, {TH_SHORT, 32767.0}, {TH_INT, 2147483647.0}}) {
    Tensor r = from(dtype, {2}, {highest, 1});
    const Tensor p = from(TH_LONG, {2}, {1, 1});
    const Tensor x = from(dtype, {2}, {1, 1});
    ASSERT_EQ(TH_index_add(&r, 0, &p, &x), TH_OK) << TH_lastError();
    EXPECT_EQ(values(r), (Numbers{dtype == TH_BYTE ? 1 : -highest, 1}));
  }
}

/// Each sum is rounded once: 256 + 1 is 256 in bfloat16.
TEST_F(Index, AddOf16BitsCountsPastTheirPrecision) {
  for (const int dtype : {TH_HALF, TH_BFLOAT16}) {
    for (const int dim : {0, 1}) {
      const int64_t n = 4000;
      Tensor r = from(dtype, {2, 2}, {0, 5, 7, 0});
      const Tensor p = from(TH_LONG, {n}, Numbers(n, 2));
      const Tensor x = from(dtype, dim == 0 ? Sizes{n, 2} : Sizes{2, n}, Numbers(2 * n, 1));
      ASSERT_EQ(TH_index_add(&r, dim, &p, &x), TH_OK) << TH_lastError();
      const Tensor rounded = from(dtype, {3}, {4000, 4005, 4007});
      const Numbers sums = values(rounded);
      EXPECT_EQ(values(r),
                (dim == 0 ? Numbers{0, 5, sums[2], sums[0]} : Numbers{0, sums[1], 7, sums[0]}));
    }
  }
}

TEST_F(Index, ManyRowsAreTakenAndAddedOnSeveralThreads) {
  const Tensor x = random(TH_FLOAT, {500, 64}, rng);
  const Tensor p = positions({3000}, 500, rng, Layout::Compact);
  const Numbers from = values(x), at = values(p);
  Tensor rows = empty(TH_FLOAT), sums = make(TH_DOUBLE, {500, 64});
  assign(sums, Numbers(500 * 64));
  ASSERT_EQ(TH_index(&rows, &x, 0, &p), TH_OK);
  Tensor doubles = make(TH_DOUBLE, {3000, 64});
  copy(doubles, rows);
  ASSERT_EQ(TH_index_add(&sums, 0, &p, &doubles), TH_OK);
  Numbers wanted, wanted_sums(500 * 64);
  for (int i = 0; i < 3000; ++i) {
    for (int j = 0; j < 64; ++j) {
      const int64_t row = static_cast<int64_t>(at[i]) - 1;
      wanted.push_back(from[row * 64 + j]);
      wanted_sums[row * 64 + j] += from[row * 64 + j];
    }
  }
  EXPECT_EQ(values(rows), wanted);
  EXPECT_EQ(values(sums), wanted_sums);
}

TEST_F(Index, SlicesOfTheSourceMayHaveAnotherShape) {
  Tensor r = from(TH_FLOAT, {3, 2, 2}, Numbers(12));
  const Tensor p = from(TH_LONG, {2}, {3, 1});
  const Tensor x = from(TH_FLOAT, {2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
  ASSERT_EQ(TH_index_copy(&r, 0, &p, &x), TH_OK) << TH_lastError();
  EXPECT_EQ(values(r), (Numbers{5, 6, 7, 8, 0, 0, 0, 0, 1, 2, 3, 4}));
  ASSERT_EQ(TH_index_add(&r, 0, &p, &x), TH_OK) << TH_lastError();
  EXPECT_EQ(values(r), (Numbers{10, 12, 14, 16, 0, 0, 0, 0, 2, 4, 6, 8}));
}

TEST_F(Index, ResultsMayBeAnOperand) {
  Tensor x = from(TH_LONG, {5}, {3, 1, 5, 2, 4});
  ASSERT_EQ(TH_index(&x, &x, 0, &x), TH_OK) << TH_lastError();
  EXPECT_EQ(values(x), (Numbers{5, 3, 4, 1, 2}));
  ASSERT_EQ(TH_gather(&x, &x, 0, &x), TH_OK) << TH_lastError();
  EXPECT_EQ(values(x), (Numbers{2, 4, 1, 5, 3}));
  ASSERT_EQ(TH_scatter(&x, 0, &x, &x), TH_OK) << TH_lastError();
  EXPECT_EQ(values(x), (Numbers{1, 2, 3, 4, 5}));

  Tensor shrunk = from(TH_FLOAT, {2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor p = from(TH_LONG, {4}, {3, 1, 1, 2});
  ASSERT_EQ(TH_index(&shrunk, &shrunk, 1, &p), TH_OK) << TH_lastError();
  EXPECT_EQ(sizes(shrunk), (Sizes{2, 4}));
  EXPECT_EQ(values(shrunk), (Numbers{3, 1, 1, 2, 6, 4, 4, 5}));

  // Neighbouring views of one storage: the result grows over the source.
  Tensor all = from(TH_FLOAT, {6}, {1, 2, 3, 4, 5, 6});
  Tensor head, tail;
  init(head, TH_FLOAT, TH_CPU, 0);
  init(tail, TH_FLOAT, TH_CPU, 0);
  narrow(head, all, 0, 0, 2);
  narrow(tail, all, 0, 2, 4);
  ASSERT_EQ(TH_index(&head, &tail, 0, &p), TH_OK) << TH_lastError();
  EXPECT_EQ(values(head), (Numbers{5, 3, 3, 4}));

  Tensor y = from(TH_FLOAT, {4}, {1, 2, 3, 4});
  const Tensor reverse = from(TH_LONG, {4}, {4, 3, 2, 1});
  ASSERT_EQ(TH_index_copy(&y, 0, &reverse, &y), TH_OK) << TH_lastError();
  EXPECT_EQ(values(y), (Numbers{4, 3, 2, 1}));
}

// --- errors
// ---------------------------------------------------------------------------------------

/// The call fails with a text that has all the parts, and r is as it was.
void refuses(const TH_Tensor& r, const std::function<int()>& call,
             const std::vector<std::string>& parts) {
  const Numbers before = values(r);
  const Sizes shape_before = sizes(r);
  ASSERT_EQ(call(), TH_ERROR);
  for (const std::string& part : parts) {
    EXPECT_NE(std::string(TH_lastError()).find(part), std::string::npos)
        << TH_lastError() << "\nlacks: " << part;
  }
  EXPECT_EQ(values(r), before);
  EXPECT_EQ(sizes(r), shape_before);
}

TEST_F(Index, PositionsOutOfRangeAreNamedBeforeAnythingIsWritten) {
  Tensor r = from(TH_FLOAT, {2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor x = from(TH_FLOAT, {2, 3}, {9, 9, 9, 9, 9, 9});
  const Tensor square = from(TH_LONG, {2, 3}, {1, 2, 3, 1, 2, 3});
  for (const double bad : {0.0, -1.0, 4.0, 9e15, -9e15}) {
    const Tensor p = from(TH_LONG, {3}, {1, 2, bad});
    const Tensor wide = from(TH_LONG, {2, 3}, {1, 2, 3, bad, 1, 1});
    const std::string value = std::to_string(static_cast<int64_t>(bad));
    const std::vector<std::string> vector{"position 3 of 3 is " + value, "dimension 2", "2x3",
                                          "size 3"};
    const std::vector<std::string> matrix{"position 4 of 6 is " + value, "dimension 2", "size 3"};
    refuses(
        r, [&] { return TH_index(&r, &x, 1, &p); }, vector);
    refuses(
        r, [&] { return TH_index_copy(&r, 1, &p, &x); }, vector);
    refuses(
        r, [&] { return TH_index_add(&r, 1, &p, &x); }, vector);
    refuses(
        r, [&] { return TH_index_fill(&r, 1, &p, 0); }, vector);
    refuses(
        r, [&] { return TH_gather(&r, &x, 1, &wide); }, matrix);
    refuses(
        r, [&] { return TH_scatter(&r, 1, &wide, &x); }, matrix);
    refuses(
        r, [&] { return TH_scatter_value(&r, 1, &wide, 0); }, matrix);
  }
  // One among many.
  std::vector<double> many(100000, 1);
  many[77777] = 4;
  const Tensor p = from(TH_LONG, {100000}, many);
  refuses(r, [&] { return TH_index(&r, &x, 1, &p); }, {"position 77778 of 100000 is 4"});
}

TEST_F(Index, ShapesAndTypesThatDoNotFitAreRefused) {
  Tensor r = from(TH_FLOAT, {2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor x = from(TH_FLOAT, {2, 3}, {9, 9, 9, 9, 9, 9});
  const Tensor p = from(TH_LONG, {2}, {1, 2});
  const Tensor square = from(TH_LONG, {2, 2}, {1, 2, 1, 1});
  const Tensor tall = from(TH_LONG, {3, 3}, Numbers(9, 1));
  const Tensor ints = from(TH_INT, {2}, {1, 2});
  const Tensor doubles = from(TH_DOUBLE, {2, 3}, Numbers(6));
  const Tensor none = empty(TH_LONG);
  refuses(r, [&] { return TH_index(&r, &x, 2, &p); }, {"dimension 3", "2D"});
  refuses(r, [&] { return TH_index(&r, &x, 0, &square); }, {"2x2", "one dimension"});
  refuses(r, [&] { return TH_index(&r, &x, 0, &none); }, {"positions is empty"});
  refuses(r, [&] { return TH_index(&r, &x, 0, &ints); }, {"IntTensor", "LongTensor"});
  refuses(r, [&] { return TH_index(&r, &doubles, 0, &p); }, {"FloatTensor", "DoubleTensor"});
  refuses(r, [&] { return TH_index_copy(&r, 1, &p, &x); }, {"2 positions", "size 3"});
  refuses(r, [&] { return TH_index_add(&r, 0, &p, &doubles); }, {"types differ"});
  const Tensor narrow_source = from(TH_FLOAT, {2, 2}, Numbers(4));
  refuses(r, [&] { return TH_index_copy(&r, 0, &p, &narrow_source); },
          {"2x3", "2x2", "every dimension but 1"});
  refuses(r, [&] { return TH_gather(&r, &x, 1, &tall); }, {"2x3", "3x3", "every dimension but 2"});
  refuses(r, [&] { return TH_gather(&r, &x, 0, &p); }, {"2x3", "is 2;"});
  refuses(r, [&] { return TH_scatter(&r, 0, &square, &x); },
          {"2x3", "2x2", "every dimension but 1"});
  const Tensor tall_source = from(TH_FLOAT, {3, 2}, Numbers(6));
  refuses(r, [&] { return TH_scatter(&r, 1, &square, &tall_source); }, {"2x2", "3x2"});
  const Tensor short_source = from(TH_FLOAT, {2, 1}, Numbers(2));
  refuses(r, [&] { return TH_scatter(&r, 1, &square, &short_source); }, {"2x1", "fewer", "2x2"});
}

}  // namespace
}  // namespace th::test
