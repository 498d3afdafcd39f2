#include <functional>

#include <gtest/gtest.h>

#include "TH/support/tensors.h"

namespace th::test {
namespace {

constexpr int kTypes[] = {TH_BYTE, TH_CHAR,     TH_SHORT, TH_INT,   TH_LONG,
                          TH_HALF, TH_BFLOAT16, TH_FLOAT, TH_DOUBLE};

/// beta t + alpha a b for every batch, in double, by the definition.
std::vector<double> product(double beta, const std::vector<double>& t, double alpha,
                            const std::vector<double>& a, const std::vector<double>& b,
                            int64_t batches, int64_t m, int64_t n, int64_t k) {
  std::vector<double> r(static_cast<size_t>(batches * m * n));
  for (int64_t p = 0; p < batches; ++p) {
    for (int64_t i = 0; i < m; ++i) {
      for (int64_t j = 0; j < n; ++j) {
        double sum = 0;
        for (int64_t q = 0; q < k; ++q) {
          sum += a[(p * m + i) * k + q] * b[(p * k + q) * n + j];
        }
        const size_t at = static_cast<size_t>((p * m + i) * n + j);
        r[at] = (beta == 0 ? 0 : beta * t[at]) + alpha * sum;
      }
    }
  }
  return r;
}

/// What an element of the type makes of a number: integers wrap, 16-bit types round.
std::vector<double> rounded(int dtype, std::vector<double> numbers) {
  AllTypes::dispatch(dtype, [&]<class T>() {
    for (double& x : numbers) {
      x = convert<double>(from_number<T>(x));
    }
  });
  return numbers;
}

/// Sums of k products of magnitude 1: each rounding is relative to the sum of magnitudes.
double tolerance(int dtype, int64_t k) {
  const int computed = is_half(dtype) ? TH_FLOAT : dtype;
  return precision(computed) * static_cast<double>(k + 2) +
         (is_half(dtype) ? 2 * precision(dtype) : 0);
}

struct Shape {
  int64_t m, k, n;
};
constexpr Shape kShapes[] = {{1, 1, 1},    {3, 5, 7},    {16, 16, 16},  {17, 33, 5},
                             {32, 32, 32}, {1, 40, 50},  {50, 40, 1},   {7, 100, 64},
                             {64, 9, 90},  {40, 70, 33}, {31, 200, 45}, {130, 64, 70}};

TEST(Addmm, AgreesWithTheDefinitionForEveryTypeShapeAndLayout) {
  std::mt19937 rng(1);
  int count = 0;
  for (const int dtype : kTypes) {
    for (const auto& [m, k, n] : kShapes) {
      for (const Layout la : kLayouts) {
        for (const Layout lb : kLayouts) {
          const Layout lr = kLayouts[count++ % 4];
          const Tensor a = random(dtype, {m, k}, rng, la);
          const Tensor b = random(dtype, {k, n}, rng, lb);
          const Tensor t = random(dtype, {m, n}, rng, kLayouts[count % 3]);
          Tensor r = make(dtype, {m, n}, lr);
          ASSERT_EQ(TH_addmm(&r, 2, &t, 3, &a, &b), TH_OK) << TH_lastError();
          const auto wanted =
              rounded(dtype, product(2, values(t), 3, values(a), values(b), 1, m, n, k));
          ASSERT_LE(distance(values(r), wanted), 3 * tolerance(dtype, k))
              << class_name(dtype) << " " << m << "x" << k << "x" << n << " layouts "
              << static_cast<int>(la) << static_cast<int>(lb) << static_cast<int>(lr);
        }
      }
    }
  }
}

TEST(Addmm, DoesNotReadTheResultWhenBetaIsZero) {
  std::mt19937 rng(2);
  for (const int dtype : {TH_HALF, TH_FLOAT, TH_DOUBLE}) {
    for (const auto& [m, k, n] : kShapes) {
      for (const Layout lb : {Layout::Compact, Layout::Transposed}) {
        const Tensor a = random(dtype, {m, k}, rng);
        const Tensor b = random(dtype, {k, n}, rng, lb);
        Tensor r = from(dtype, {m, n}, std::vector<double>(static_cast<size_t>(m * n), NAN));
        ASSERT_EQ(TH_addmm(&r, 0, &r, 1, &a, &b), TH_OK) << TH_lastError();
        ASSERT_LE(distance(values(r), product(0, {}, 1, values(a), values(b), 1, m, n, k)),
                  tolerance(dtype, k));
      }
    }
  }
}

TEST(Addmm, TheResultMayBeAnOperandOrLieUnderOne) {
  std::mt19937 rng(3);
  for (const int dtype : {TH_LONG, TH_HALF, TH_FLOAT, TH_DOUBLE}) {
    const int64_t n = 40;
    const Tensor a = random(dtype, {n, n}, rng);
    const Tensor b = random(dtype, {n, n}, rng);
    const auto va = values(a);
    const auto vb = values(b);
    const auto clone = [&](const Tensor& x) { return from(dtype, sizes(x), values(x)); };
    Tensor r = clone(a);
    ASSERT_EQ(TH_addmm(&r, 1, &r, 2, &r, &b), TH_OK);
    EXPECT_LE(distance(values(r), product(1, va, 2, va, vb, 1, n, n, n)), 2 * tolerance(dtype, n));
    r = clone(b);
    ASSERT_EQ(TH_addmm(&r, 0, &r, 1, &a, &r), TH_OK);
    EXPECT_LE(distance(values(r), product(0, {}, 1, va, vb, 1, n, n, n)), tolerance(dtype, n));
    // r is the transposed view of an operand.
    Tensor base = clone(a);
    Tensor view;
    alias(view, base);
    transpose(view, view, 0, 1);
    ASSERT_EQ(TH_addmm(&view, 0, &view, 1, &base, &b), TH_OK);
    EXPECT_LE(distance(values(view), product(0, {}, 1, va, vb, 1, n, n, n)), tolerance(dtype, n));
    // r = t' of the same elements.
    base = clone(a);
    alias(view, base);
    transpose(view, view, 0, 1);
    const auto turned = values(view);
    ASSERT_EQ(TH_addmm(&base, 1, &view, 1, &b, &b), TH_OK);
    EXPECT_LE(distance(values(base), product(1, turned, 1, vb, vb, 1, n, n, n)),
              tolerance(dtype, n));
  }
}

TEST(Addmm, WritesOnlyItsPartOfASharedStorage) {
  std::mt19937 rng(4);
  Tensor whole = from(TH_FLOAT, {6, 10}, std::vector<double>(60, 7));
  Tensor r;
  narrow(r, whole, 0, 2, 2);
  narrow(r, r, 1, 3, 4);
  const Tensor a = random(TH_FLOAT, {2, 3}, rng);
  const Tensor b = random(TH_FLOAT, {3, 4}, rng);
  ASSERT_EQ(TH_addmm(&r, 0, &r, 1, &a, &b), TH_OK);
  const auto part = values(r);
  const auto all = values(whole);
  for (int64_t i = 0; i < 60; ++i) {
    const int64_t row = i / 10 - 2;
    const int64_t column = i % 10 - 3;
    const bool inside = row >= 0 && row < 2 && column >= 0 && column < 4;
    EXPECT_EQ(all[i], inside ? part[row * 4 + column] : 7) << i;
  }
}

TEST(Addmm, ResizesTheResultToT) {
  std::mt19937 rng(5);
  const Tensor a = random(TH_DOUBLE, {2, 3}, rng);
  const Tensor b = random(TH_DOUBLE, {3, 4}, rng);
  const Tensor t = random(TH_DOUBLE, {2, 4}, rng);
  Tensor r = empty(TH_DOUBLE);
  ASSERT_EQ(TH_addmm(&r, 1, &t, 1, &a, &b), TH_OK);
  EXPECT_EQ(sizes(r), (Sizes{2, 4}));
  EXPECT_LE(distance(values(r), product(1, values(t), 1, values(a), values(b), 1, 2, 4, 3)), 1e-15);
}

TEST(Addmm, ConvertsItsFactorsToTheElementType) {
  const Tensor a = from(TH_INT, {1, 1}, {10});
  const Tensor b = from(TH_INT, {1, 1}, {3});
  Tensor r = from(TH_INT, {1, 1}, {5});
  ASSERT_EQ(TH_addmm(&r, 1.9, &r, 2.5, &a, &b), TH_OK);  // 1 * 5 + 2 * 30
  EXPECT_EQ(values(r), std::vector<double>{65});
}

/// The call fails with a text that holds `words`, and r is as it was.
void expect_error(const Tensor& r, const std::string& words, const std::function<int()>& call) {
  const auto before = values(r);
  const auto shape = sizes(r);
  EXPECT_EQ(call(), TH_ERROR) << words;
  EXPECT_NE(std::string(TH_lastError()).find(words), std::string::npos) << TH_lastError();
  EXPECT_EQ(values(r), before);
  EXPECT_EQ(sizes(r), shape);
}

TEST(Blas, MistakesAreNamedAndChangeNothing) {
  std::mt19937 rng(6);
  const Tensor m23 = random(TH_FLOAT, {2, 3}, rng);
  const Tensor m34 = random(TH_FLOAT, {3, 4}, rng);
  const Tensor d34 = random(TH_DOUBLE, {3, 4}, rng);
  const Tensor v3 = random(TH_FLOAT, {3}, rng);
  const Tensor v2 = random(TH_FLOAT, {2}, rng);
  const Tensor b223 = random(TH_FLOAT, {2, 2, 3}, rng);
  const Tensor b334 = random(TH_FLOAT, {3, 3, 4}, rng);
  const Tensor b244 = random(TH_FLOAT, {2, 4, 4}, rng);
  Tensor r = random(TH_FLOAT, {2, 2}, rng);
  expect_error(r, "addmm: size mismatch, m1: [2 x 3], m2: [2 x 3]",
               [&] { return TH_addmm(&r, 1, &r, 1, &m23, &m23); });
  expect_error(r, "size mismatch, t: [2 x 2], m1: [2 x 3], m2: [3 x 4]",
               [&] { return TH_addmm(&r, 1, &r, 1, &m23, &m34); });
  expect_error(r, "matrices expected, got 2D, 1D tensors",
               [&] { return TH_addmm(&r, 1, &r, 1, &m23, &v3); });
  expect_error(r, "types differ: FloatTensor and DoubleTensor",
               [&] { return TH_addmm(&r, 1, &r, 1, &m23, &d34); });
  expect_error(r, "matrix and vector expected, got 2D, 2D",
               [&] { return TH_addmv(&r, 1, &r, 1, &m23, &m34); });
  expect_error(r, "size mismatch, m: [2 x 3], v: [2]",
               [&] { return TH_addmv(&r, 1, &v2, 1, &m23, &v2); });
  expect_error(r, "size mismatch, t: [3], m: [2 x 3], v: [3]",
               [&] { return TH_addmv(&r, 1, &v3, 1, &m23, &v3); });
  expect_error(r, "size mismatch, t: [2 x 2], vec1: [2], vec2: [3]",
               [&] { return TH_addr(&r, 1, &r, 1, &v2, &v3); });
  expect_error(r, "equal number of batches expected, got 2, 3",
               [&] { return TH_baddbmm(&r, 1, &r, 1, &b223, &b334); });
  expect_error(r, "wrong matrix size, batch1: 2x3, batch2: 4x4",
               [&] { return TH_addbmm(&r, 1, &r, 1, &b223, &b244); });
  double value = 5;
  expect_error(r, "inconsistent tensor size", [&] { return TH_dot(&value, &v2, &v3); });
  EXPECT_EQ(value, 5);
}

TEST(Addmv, AgreesWithTheDefinition) {
  std::mt19937 rng(7);
  int count = 0;
  for (const int dtype : kTypes) {
    for (const auto& [m, n] : {std::pair<int64_t, int64_t>{1, 1},
                               {5, 3},
                               {33, 17},
                               {70, 300},
                               {300, 70},
                               {1, 90},
                               {90, 1},
                               {64, 64}}) {
      for (const Layout la : kLayouts) {
        for (const Layout lx : {Layout::Compact, Layout::Spread}) {
          const Tensor a = random(dtype, {m, n}, rng, la);
          const Tensor x = random(dtype, {n}, rng, lx);
          const Tensor t = random(dtype, {m}, rng, kLayouts[count++ % 4]);
          Tensor r = make(dtype, {m}, kLayouts[count % 3]);
          ASSERT_EQ(TH_addmv(&r, 2, &t, 3, &a, &x), TH_OK) << TH_lastError();
          const auto wanted =
              rounded(dtype, product(2, values(t), 3, values(a), values(x), 1, m, 1, n));
          ASSERT_LE(distance(values(r), wanted), 3 * tolerance(dtype, n)) << class_name(dtype);
          Tensor nan = from(dtype, {m}, std::vector<double>(static_cast<size_t>(m), NAN), lx);
          ASSERT_EQ(TH_addmv(&nan, 0, &nan, 1, &a, &x), TH_OK);
          const auto plain = rounded(dtype, product(0, {}, 1, values(a), values(x), 1, m, 1, n));
          ASSERT_LE(distance(values(nan), plain), tolerance(dtype, n)) << class_name(dtype);
        }
      }
    }
  }
}

TEST(Addmv, RowsMayHaveAnyLength) {  // in vectors that are full or not, few or many
  std::mt19937 rng(9);
  for (const int dtype : {TH_FLOAT, TH_DOUBLE, TH_BFLOAT16}) {
    for (int64_t n = 1; n <= 210; ++n) {
      const int64_t m = 4 + n % 4;
      const Tensor a = random(dtype, {m, n}, rng, n % 2 == 0 ? Layout::Compact : Layout::Narrowed);
      const Tensor x = random(dtype, {n}, rng);
      Tensor r = random(dtype, {m}, rng);
      const auto wanted =
          rounded(dtype, product(2, values(r), 3, values(a), values(x), 1, m, 1, n));
      ASSERT_EQ(TH_addmv(&r, 2, &r, 3, &a, &x), TH_OK) << TH_lastError();
      ASSERT_LE(distance(values(r), wanted), 3 * tolerance(dtype, n)) << n;
    }
  }
}

TEST(Addr, AgreesWithTheDefinition) {
  std::mt19937 rng(8);
  for (const int dtype : kTypes) {
    for (const auto& [m, n] : {std::pair<int64_t, int64_t>{1, 1}, {5, 3}, {33, 170}, {300, 70}}) {
      for (const Layout lr : kLayouts) {
        for (const double beta : {0.0, 1.0, 2.0}) {
          const Tensor x = random(dtype, {m}, rng, lr == Layout::Spread ? lr : Layout::Compact);
          const Tensor y = random(dtype, {n}, rng, lr == Layout::Narrowed ? lr : Layout::Compact);
          const Tensor t = random(dtype, {m, n}, rng);
          Tensor r = make(dtype, {m, n}, lr);
          ASSERT_EQ(TH_addr(&r, beta, &t, 3, &x, &y), TH_OK) << TH_lastError();
          const auto wanted =
              rounded(dtype, product(beta, values(t), 3, values(x), values(y), 1, m, n, 1));
          ASSERT_LE(distance(values(r), wanted), 2 * tolerance(dtype, 1)) << class_name(dtype);
        }
      }
    }
  }
}

TEST(Baddbmm, AgreesWithTheDefinition) {
  std::mt19937 rng(9);
  for (const int dtype : kTypes) {
    for (const auto& [m, k, n] :
         {Shape{2, 3, 4}, Shape{16, 16, 16}, Shape{40, 33, 20}, Shape{1, 64, 64}}) {
      for (const Layout l : kLayouts) {
        const int64_t batches = 9;
        const Tensor a = random(dtype, {batches, m, k}, rng, l);
        const Tensor b = random(dtype, {batches, k, n}, rng, l);
        const Tensor t = random(dtype, {batches, m, n}, rng);
        Tensor r = make(dtype, {batches, m, n}, l);
        ASSERT_EQ(TH_baddbmm(&r, 2, &t, 3, &a, &b), TH_OK) << TH_lastError();
        auto wanted =
            rounded(dtype, product(2, values(t), 3, values(a), values(b), batches, m, n, k));
        ASSERT_LE(distance(values(r), wanted), 3 * tolerance(dtype, k)) << class_name(dtype);
        // The sum over the batches.
        const Tensor one = random(dtype, {m, n}, rng);
        Tensor sum = make(dtype, {m, n}, l);
        ASSERT_EQ(TH_addbmm(&sum, 2, &one, 3, &a, &b), TH_OK) << TH_lastError();
        const auto each = product(0, {}, 3, values(a), values(b), batches, m, n, k);
        wanted = values(one);
        for (int64_t i = 0; i < m * n; ++i) {
          wanted[i] *= 2;
          for (int64_t p = 0; p < batches; ++p) {
            wanted[i] += each[p * m * n + i];
          }
        }
        ASSERT_LE(distance(values(sum), rounded(dtype, wanted)), 3 * tolerance(dtype, batches * k))
            << class_name(dtype);
      }
    }
  }
}

TEST(Baddbmm, AnExpandedBatchIsReadAsOften) {
  std::mt19937 rng(10);
  Tensor a = random(TH_FLOAT, {1, 3, 4}, rng);
  const int64_t wide[] = {5, 3, 4};
  Tensor expanded;
  expand(expanded, a, wide);
  const Tensor b = random(TH_FLOAT, {5, 4, 2}, rng);
  Tensor r = make(TH_FLOAT, {5, 3, 2});
  ASSERT_EQ(TH_baddbmm(&r, 0, &r, 1, &expanded, &b), TH_OK) << TH_lastError();
  EXPECT_LE(distance(values(r), product(0, {}, 1, values(expanded), values(b), 5, 3, 2, 4)), 1e-6);
}

TEST(Dot, AccumulatesWidely) {
  std::mt19937 rng(11);
  for (const int dtype : kTypes) {
    for (const int64_t n : {1, 7, 100, 3000, 100000}) {
      for (const Layout l : {Layout::Compact, Layout::Spread}) {
        const Tensor x = random(dtype, {n}, rng, l);
        const Tensor y = random(dtype, {n}, rng);
        const auto vx = values(x);
        const auto vy = values(y);
        double value = 0;
        ASSERT_EQ(TH_dot(&value, &x, &y), TH_OK) << TH_lastError();
        // Multiples of 1/256: doubles, and 64-bit integers, add them up exactly.
        EXPECT_EQ(value, std::inner_product(vx.begin(), vx.end(), vy.begin(), 0.0));
      }
    }
  }
}

TEST(Dot, NeedsEqualCountsOnly) {
  std::mt19937 rng(12);
  const Tensor x = random(TH_DOUBLE, {2, 6}, rng, Layout::Transposed);
  const Tensor y = random(TH_DOUBLE, {3, 4}, rng);
  const auto vx = values(x);
  const auto vy = values(y);
  double value = 0;
  ASSERT_EQ(TH_dot(&value, &x, &y), TH_OK);
  EXPECT_EQ(value, std::inner_product(vx.begin(), vx.end(), vy.begin(), 0.0));
}

}  // namespace
}  // namespace th::test
