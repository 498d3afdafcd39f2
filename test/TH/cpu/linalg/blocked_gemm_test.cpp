#include "cpu/linalg/blocked_gemm.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "TH.h"
#include "cpu/linalg/gemm.h"

namespace th::cpu::test {
namespace {

template <class T>
struct Operands {
  std::vector<T> a, b, c;
  Gemm<T> g;

  /// Integers up to 3: every sum is exact. Rows are `gap` elements apart from each other.
  Operands(bool ta, bool tb, int64_t m, int64_t n, int64_t k, T alpha, T beta, int64_t gap) {
    std::mt19937 random(static_cast<uint32_t>(m * 31 + n * 7 + k));
    const auto fill = [&](std::vector<T>& v, int64_t rows, int64_t columns) {
      v.resize(static_cast<size_t>(rows * (columns + gap)));
      for (T& x : v) {
        x = static_cast<T>(static_cast<int>(random() % 7) - 3);
      }
      return columns + gap;
    };
    const int64_t lda = ta ? fill(a, k, m) : fill(a, m, k);
    const int64_t ldb = tb ? fill(b, n, k) : fill(b, k, n);
    const int64_t ldc = fill(c, m, n);
    g = {ta, tb, m, n, k, alpha, a.data(), lda, b.data(), ldb, beta, c.data(), ldc};
  }

  /// The definition; what lies between the rows stays.
  std::vector<T> expected() const {
    std::vector<T> r = c;
    for (int64_t i = 0; i < g.m; ++i) {
      for (int64_t j = 0; j < g.n; ++j) {
        T sum = 0;
        for (int64_t p = 0; p < g.k; ++p) {
          sum += g.a[g.transpose_a ? p * g.lda + i : i * g.lda + p] *
                 g.b[g.transpose_b ? j * g.ldb + p : p * g.ldb + j];
        }
        T& to = r[static_cast<size_t>(i * g.ldc + j)];
        to = g.alpha * sum + (g.beta == 0 ? T(0) : g.beta * to);
      }
    }
    return r;
  }
};

template <class T>
void run(void (*product)(const Gemm<T>&, std::span<T>), int64_t elements, const Gemm<T>& g) {
  std::vector<T> workspace(static_cast<size_t>(elements));
  product(g, workspace);
}

template <class T>
class BlockedGemm : public testing::Test {
  void SetUp() override { TH_setNumThreads(3); }
  void TearDown() override { TH_setNumThreads(TH_getNumCores()); }
};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(BlockedGemm, Types);

TYPED_TEST(BlockedGemm, IsTheDefinition) {
  struct Case {
    int64_t m, n, k, gap;
  };
  // One vector, ragged edges, several panels and blocks, rows a page apart, and flat products.
  for (const Case& s : {Case{33, 1, 40, 0}, Case{7, 16, 64, 1}, Case{40, 40, 300, 0},
                        Case{100, 64, 70, 0}, Case{200, 130, 259, 3}, Case{97, 1100, 33, 0},
                        Case{200, 260, 260, 764}, Case{300, 260, 5, 0}, Case{810, 270, 270, 1}}) {
    for (const bool ta : {false, true}) {
      for (const bool tb : {false, true}) {
        for (const TypeParam beta : {TypeParam(0), TypeParam(1), TypeParam(-2)}) {
          Operands<TypeParam> o(ta, tb, s.m, s.n, s.k, TypeParam(2), beta, s.gap);
          const auto expected = o.expected();
          run(blocked_gemm<TypeParam>, blocked_workspace(o.g), o.g);
          EXPECT_EQ(o.c, expected)
              << s.m << " x " << s.n << " x " << s.k << ", " << ta << tb << ", beta " << beta;
        }
      }
    }
  }
}

// A' is read where it lies, or packed by tiles where C is wide: each sum is made in the order of
// the copy's, where neither cuts sums (A' of few columns is of less depth at a time).
TYPED_TEST(BlockedGemm, TransposedHasTheSumsOfItsCopy) {
  for (const auto& [n, k] : {std::array<int64_t, 2>{kTilingColumns - 1, 128},
                             {kTilingColumns, 290},
                             {kTilingColumns + 1, 290},
                             {256, 290},
                             {300, 290},
                             {1100, 290}}) {
    constexpr int64_t m = 210;
    Operands<TypeParam> o(true, false, m, n, k, TypeParam(0.3), TypeParam(0), 5);
    for (TypeParam& x : o.a) {
      x /= 7;
    }
    std::vector<TypeParam> copy(static_cast<size_t>(m * k));
    for (int64_t i = 0; i < m; ++i) {
      for (int64_t p = 0; p < k; ++p) {
        copy[static_cast<size_t>(i * k + p)] = o.g.a[p * o.g.lda + i];
      }
    }
    Gemm<TypeParam> plain = o.g;
    std::vector<TypeParam> c(o.c);
    plain.transpose_a = false;
    plain.a = copy.data();
    plain.lda = k;
    plain.c = c.data();
    run(blocked_gemm<TypeParam>, blocked_workspace(o.g), o.g);
    run(blocked_gemm<TypeParam>, blocked_workspace(plain), plain);
    EXPECT_EQ(o.c, c) << n << " columns";
  }
}

// Through gemm, which makes the transposed product where C has few columns.
TYPED_TEST(BlockedGemm, FewColumnsAreTheDefinition) {
  for (const int64_t n : {2, 10, 17, 32}) {
    for (const bool tb : {false, true}) {
      for (const TypeParam beta : {TypeParam(0), TypeParam(1), TypeParam(-2)}) {
        Operands<TypeParam> o(true, tb, 75, n, 150, TypeParam(2), beta, 3);
        const auto expected = o.expected();
        run(gemm<TypeParam>, gemm_workspace(o.g), o.g);
        EXPECT_EQ(o.c, expected) << n << " columns, " << tb << ", beta " << beta;
      }
    }
  }
}

// Through gemm, which makes the transposed product where B would have to be moved more than A.
TYPED_TEST(BlockedGemm, TurnedProductsAreTheDefinition) {
  for (const auto& [m, n, k] :
       {std::array<int64_t, 3>{16, 100, 300}, {48, 130, 270}, {65, 700, 300}, {130, 520, 600}}) {
    for (const TypeParam beta : {TypeParam(0), TypeParam(1), TypeParam(-2)}) {
      Operands<TypeParam> o(false, true, m, n, k, TypeParam(2), beta, 3);
      const auto expected = o.expected();
      run(gemm<TypeParam>, gemm_workspace(o.g), o.g);
      EXPECT_EQ(o.c, expected) << m << " x " << n << " x " << k << ", beta " << beta;
    }
  }
}

// Every way through gemm, from a row that is every row's start and from rows that lie elsewhere.
TYPED_TEST(BlockedGemm, StartsFromOtherRows) {
  for (const auto& [m, n, k] : {std::array<int64_t, 3>{3, 5, 7},
                                {1, 70, 40},
                                {70, 1, 40},
                                {3, 70, 150},
                                {20, 300, 200},
                                {90, 1100, 300},
                                {90, 20, 300},
                                {48, 130, 270}}) {
    for (const bool ta : {false, true}) {
      for (const bool tb : {false, true}) {
        for (const int64_t row : {int64_t{0}, n + 2}) {
          Operands<TypeParam> o(ta, tb, m, n, k, TypeParam(2), TypeParam(-3), 1);
          std::vector<TypeParam> start(static_cast<size_t>(m * (n + 2)));
          for (size_t i = 0; i < start.size(); ++i) {
            start[i] = static_cast<TypeParam>(i % 11);
          }
          for (int64_t i = 0; i < m; ++i) {
            std::copy_n(&start[static_cast<size_t>(i * row)], n,
                        &o.c[static_cast<size_t>(i * o.g.ldc)]);
          }
          const auto expected = o.expected();
          for (int64_t i = 0; i < m; ++i) {
            std::fill_n(&o.c[static_cast<size_t>(i * o.g.ldc)], n, TypeParam(std::nan("")));
          }
          o.g.start = start.data();
          o.g.start_row = row;
          run(gemm<TypeParam>, gemm_workspace(o.g), o.g);
          EXPECT_EQ(o.c, expected) << m << " x " << n << " x " << k << ", " << ta << tb;
        }
      }
    }
  }
}

TYPED_TEST(BlockedGemm, OverwritesWhatWasNeverANumber) {
  Operands<TypeParam> o(false, false, 70, 50, 600, TypeParam(1), TypeParam(0), 0);
  const auto expected = o.expected();
  o.c.assign(o.c.size(), std::nan(""));
  run(blocked_gemm<TypeParam>, blocked_workspace(o.g), o.g);
  EXPECT_EQ(o.c, expected);
}

TYPED_TEST(BlockedGemm, GivesTheSameForAnyNumberOfThreads) {
  for (const bool transposed : {false, true}) {
    Operands<TypeParam> o(transposed, !transposed, 500, 333, 700, TypeParam(0.3), TypeParam(0.7),
                          0);
    for (TypeParam& x : o.a) {
      x = std::sin(x + TypeParam(0.1));
    }
    const auto before = o.c;
    TH_setNumThreads(1);
    run(blocked_gemm<TypeParam>, blocked_workspace(o.g), o.g);
    const auto alone = o.c;
    for (const int threads : {2, 3, 8}) {
      TH_setNumThreads(threads);
      std::copy(before.begin(), before.end(), o.c.begin());
      run(blocked_gemm<TypeParam>, blocked_workspace(o.g), o.g);
      EXPECT_EQ(o.c, alone) << threads << " threads, " << transposed;
    }
  }
}

TYPED_TEST(BlockedGemm, GivesEachThreadItsPartOfTheMemory) {
  constexpr auto kUntouched = TypeParam(7.5);
  Operands<TypeParam> o(false, false, 3000, 100, 300, TypeParam(1), TypeParam(0), 0);
  const int64_t size = blocked_workspace(o.g);
  std::vector<TypeParam> workspace(static_cast<size_t>(size), kUntouched);
  blocked_gemm<TypeParam>(o.g, workspace);
  for (int64_t part = 0; part < 3; ++part) {
    EXPECT_TRUE(std::any_of(&workspace[static_cast<size_t>(part * size / 3)],
                            workspace.data() + (part + 1) * size / 3,
                            [](TypeParam x) { return x != kUntouched; }))
        << part;
  }
}

// Another state may take its share of the cores, or leave it, between the taking of the memory and
// the product.
TYPED_TEST(BlockedGemm, KeepsToItsMemoryWhateverTheShareIsThen) {
  constexpr auto kOthers = TypeParam(7);
  for (const auto& [m, n, k] :
       {std::array<int64_t, 3>{400, 1100, 60}, {900, 120, 130}, {90, 2100, 100}, {48, 900, 300}}) {
    for (const int transposed : {0, 1, 2, 3}) {
      const bool ta = transposed % 2 == 1, tb = transposed / 2 == 1;
      Operands<TypeParam> o(ta, tb, m, n, k, TypeParam(2), TypeParam(0), 0);
      const auto expected = o.expected();
      for (const int before : {1, 8}) {
        TH_setNumThreads(before);
        const auto size = static_cast<size_t>(gemm_workspace(o.g));
        ASSERT_LE(gemm_workspace(o.g, 1), static_cast<int64_t>(size));
        for (const int then : {1, 2, 8}) {
          TH_setNumThreads(then);
          std::vector<TypeParam> memory(16 * size, kOthers);
          gemm(o.g, std::span(memory).first(size));
          ASSERT_EQ(o.c, expected) << m << " x " << n << " x " << k << ", " << ta << tb << ", "
                                   << before << ", " << then;
          ASSERT_TRUE(std::all_of(memory.begin() + static_cast<int64_t>(size), memory.end(),
                                  [](TypeParam x) { return x == kOthers; }))
              << m << " x " << n << " x " << k << ", " << ta << tb << ": memory for " << before
              << " threads, " << then << " then";
        }
      }
    }
  }
}

}  // namespace
}  // namespace th::cpu::test
