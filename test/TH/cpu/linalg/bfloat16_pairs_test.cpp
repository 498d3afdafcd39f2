#include "cpu/linalg/bfloat16_pairs.h"

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "TH/support/tensors.h"

namespace th::cpu::test {
namespace {

using th::test::assign;
using th::test::from;
using th::test::kLayouts;
using th::test::Layout;
using th::test::make;
using th::test::values;
using Operand = BFloat16Pairs::Operand;

constexpr double kInf = std::numeric_limits<double>::infinity();

MatrixView view_of(const Tensor& t) {
  return {&t, 1, t.sizes[0], t.sizes[1], 0, t.strides[0], t.strides[1]};
}

/// A half of an element of a matrix of pairs.
double half_at(const MatrixView& m, int64_t row, int64_t column, int half) {
  const float pair = data<float>(*m.tensor)[row * m.row_step + column * m.column_step];
  const auto bits = std::bit_cast<uint32_t>(pair);
  return BFloat16::to_float(static_cast<uint16_t>(half == 0 ? bits : bits >> 16));
}

/// 8 digits each, of both signs: products and their sums are rounded.
Tensor normal(const th::test::Sizes& sizes, std::mt19937& rng, Layout layout = Layout::Compact) {
  Tensor t = make(TH_BFLOAT16, sizes, layout);
  std::vector<double> numbers(static_cast<size_t>(numel(t)));
  for (double& x : numbers) {
    x = std::normal_distribution<double>()(rng);
  }
  assign(t, numbers);
  return t;
}

TEST(BFloat16Pairs, HoldTheElementsThatASumMeetsOneAfterTheOther) {
  std::mt19937 rng(1);
  for (const auto& [rows, columns] :
       {std::pair<int64_t, int64_t>{6, 8}, {5, 7}, {1, 4}, {4, 1}, {1, 1}, {2, 33}}) {
    for (const Layout layout : kLayouts) {
      const Tensor t = normal({rows, columns}, rng, layout);
      const std::vector<double> x = values(t);
      const auto element = [&](int64_t i, int64_t j) {
        return i < rows && j < columns ? x[static_cast<size_t>(i * columns + j)] : 0;
      };
      const BFloat16Pairs a(view_of(t), Operand::A), b(view_of(t), Operand::B);
      ASSERT_EQ(a.view().rows, rows);
      ASSERT_EQ(a.view().columns, (columns + 1) / 2);
      ASSERT_EQ(b.view().rows, (rows + 1) / 2);
      ASSERT_EQ(b.view().columns, columns);
      for (int half : {0, 1}) {
        for (int64_t i = 0; i < rows; ++i) {
          for (int64_t j = 0; j < a.view().columns; ++j) {
            ASSERT_EQ(half_at(a.view(), i, j, half), element(i, 2 * j + half)) << i << " " << j;
          }
        }
        for (int64_t i = 0; i < b.view().rows; ++i) {
          for (int64_t j = 0; j < columns; ++j) {
            ASSERT_EQ(half_at(b.view(), i, j, half), element(2 * i + half, j)) << i << " " << j;
          }
        }
      }
    }
  }
}

TEST(BFloat16Pairs, AreReadWhereTheyLieIfTheyLieSideBySide) {
  std::mt19937 rng(2);
  const Tensor t = normal({6, 8}, rng);
  const BFloat16Pairs a(view_of(t), Operand::A);
  EXPECT_EQ(bytes(*a.view().tensor), bytes(t));
  const Tensor turned = normal({8, 6}, rng, Layout::Transposed);
  const BFloat16Pairs b(view_of(turned), Operand::B);
  EXPECT_EQ(bytes(*b.view().tensor), bytes(turned));
}

/// Float's sums of k products, and the rounding of the result: |r - x| for each element.
void expect_product(const Tensor& r, const Tensor& t, double beta, const Tensor& a,
                    const Tensor& b) {
  const int64_t m = a.sizes[0], k = a.sizes[1], n = b.sizes[1];
  const std::vector<double> x = values(a), y = values(b), z = values(t), result = values(r);
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      const auto at = static_cast<size_t>(i * n + j);
      double sum = beta == 0 ? 0 : beta * z[at];
      double magnitude = std::abs(sum);
      for (int64_t p = 0; p < k; ++p) {
        const double term = x[static_cast<size_t>(i * k + p)] * y[static_cast<size_t>(p * n + j)];
        sum += term;
        magnitude += std::abs(term);
      }
      const double bound = 0x1p-8 * std::abs(sum) + 0x1p-23 * static_cast<double>(k) * magnitude;
      ASSERT_LE(std::abs(result[at] - sum), bound)
          << m << "x" << k << "x" << n << " at " << i << ", " << j;
    }
  }
}

TEST(BFloat16Products, AreWithinTheBoundOfSumsOfFloats) {
  std::mt19937 rng(3);
  struct Shape {
    int64_t m, k, n;
  };
  // Every route of a product, odd sizes, and sums of several panels.
  for (const auto& [m, k, n] :
       {Shape{2, 1, 2}, Shape{2, 2, 2}, Shape{33, 1, 40}, Shape{40, 3, 41}, Shape{31, 31, 31},
        Shape{8, 200, 70}, Shape{70, 201, 8}, Shape{1, 65, 40}, Shape{40, 65, 1},
        Shape{130, 65, 67}, Shape{40, 1101, 48}, Shape{70, 129, 270}, Shape{19, 2100, 1},
        Shape{1, 2100, 19}, Shape{2100, 19, 1}, Shape{1, 19, 2100}}) {
    double beta = 0;
    for (const Layout la : kLayouts) {
      for (const Layout lb : kLayouts) {
        const Tensor a = normal({m, k}, rng, la);
        const Tensor b = normal({k, n}, rng, lb);
        const Tensor t = normal({m, n}, rng);
        Tensor r = make(TH_BFLOAT16, {m, n}, la);
        beta = 1 - beta;
        ASSERT_EQ(TH_addmm(&r, beta, &t, 1, &a, &b), TH_OK) << TH_lastError();
        ASSERT_NO_FATAL_FAILURE(expect_product(r, t, beta, a, b));
      }
    }
  }
}

TEST(BFloat16Products, OfBatchesAreThoseOfTheirMatrices) {
  std::mt19937 rng(7);
  for (const int64_t k : {5, 8}) {
    for (const Layout la : kLayouts) {
      for (const Layout lb : kLayouts) {
        const Tensor a = normal({3, 7, k}, rng, la), b = normal({3, k, 6}, rng, lb);
        const Tensor t = normal({3, 7, 6}, rng);
        Tensor r = make(TH_BFLOAT16, {3, 7, 6});
        ASSERT_EQ(TH_baddbmm(&r, 1, &t, 1, &a, &b), TH_OK) << TH_lastError();
        for (int64_t i = 0; i < 3; ++i) {
          Tensor x, y, from, result;
          select(x, a, 0, i);
          select(y, b, 0, i);
          select(from, t, 0, i);
          select(result, r, 0, i);
          ASSERT_NO_FATAL_FAILURE(expect_product(result, from, 1, x, y));
        }
      }
    }
  }
}

TEST(BFloat16Products, OfBatchesThatLieAnOddNumberOfElementsApart) {
  std::mt19937 rng(8);
  const Tensor memory = normal({3 * 57}, rng), b = normal({3, 8, 6}, rng);
  Tensor a = make(TH_BFLOAT16, {});
  const int64_t sizes[] = {3, 7, 8}, strides[] = {57, 8, 1};
  set_storage(a, memory.store, 0, sizes, strides);
  Tensor r = make(TH_BFLOAT16, {3, 7, 6});
  ASSERT_EQ(TH_baddbmm(&r, 0, &r, 1, &a, &b), TH_OK) << TH_lastError();
  for (int64_t i = 0; i < 3; ++i) {
    Tensor x, y, result;
    select(x, a, 0, i);
    select(y, b, 0, i);
    select(result, r, 0, i);
    ASSERT_NO_FATAL_FAILURE(expect_product(result, result, 0, x, y));
  }
}

TEST(BFloat16Products, AreTheSameForAnyNumberOfThreads) {
  std::mt19937 rng(4);
  const int before = TH_getNumThreads();
  for (const Layout la : {Layout::Compact, Layout::Transposed}) {
    for (const Layout lb : {Layout::Compact, Layout::Transposed}) {
      const Tensor a = normal({301, 1025}, rng, la);
      const Tensor b = normal({1025, 260}, rng, lb);
      std::vector<double> first;
      for (const int threads : {1, 2, 3}) {
        ASSERT_EQ(TH_setNumThreads(threads), TH_OK);
        Tensor r = make(TH_BFLOAT16, {301, 260});
        ASSERT_EQ(TH_addmm(&r, 0, &r, 1, &a, &b), TH_OK) << TH_lastError();
        if (threads == 1) {
          first = values(r);
        } else {
          ASSERT_EQ(values(r), first) << threads << " threads";
        }
      }
    }
  }
  ASSERT_EQ(TH_setNumThreads(before), TH_OK);
}

TEST(BFloat16Products, InfinitiesAndNaNsReachTheSumsThatMeetThem) {
  for (const int64_t k : {63, 64}) {
    for (const int64_t at : {int64_t{0}, k - 1}) {  // an odd sum's last one has no second
      std::vector<double> x(static_cast<size_t>(40 * k), 1.0);
      x[static_cast<size_t>(3 * k + at)] = kInf;
      x[static_cast<size_t>(5 * k + at)] = NAN;
      const Tensor a = from(TH_BFLOAT16, {40, k}, x);
      const Tensor b =
          from(TH_BFLOAT16, {k, 36}, std::vector<double>(static_cast<size_t>(36 * k), 0.5));
      Tensor r = make(TH_BFLOAT16, {40, 36});
      ASSERT_EQ(TH_addmm(&r, 0, &r, 1, &a, &b), TH_OK) << TH_lastError();
      const std::vector<double> result = values(r);
      for (size_t i = 0; i < result.size(); ++i) {
        const size_t row = i / 36;
        if (row == 3) {
          ASSERT_EQ(result[i], kInf);
        } else if (row == 5) {
          ASSERT_TRUE(std::isnan(result[i]));
        } else {
          ASSERT_EQ(result[i], static_cast<double>(k) / 2);
        }
      }
    }
  }
}

TEST(BFloat16Products, StartFromABiasThatIsEveryRow) {
  std::mt19937 rng(5);
  const Tensor x = normal({50, 33}, rng);
  const Tensor w = normal({41, 33}, rng);
  const Tensor row = normal({1, 41}, rng);
  Tensor bias;
  select(bias, row, 0, 0);
  Tensor y = make(TH_BFLOAT16, {});
  ASSERT_EQ(TH_linear(&y, &x, &w, &bias), TH_OK) << TH_lastError();
  Tensor turned, rows;
  transpose(turned, w, 0, 1);
  const int64_t sizes[] = {50, 41};
  expand(rows, row, sizes);
  expect_product(y, rows, 1, x, turned);
}

}  // namespace
}  // namespace th::cpu::test
