#include <gtest/gtest.h>

#include "TH/support/tensors.h"

namespace th::test {
namespace {

/// f(offset of the first element, step, n) for every line along dim.
template <class F>
void each_line(const Sizes& s, int dim, F&& f) {
  int64_t outer = 1;
  int64_t inner = 1;
  for (int d = 0; d < static_cast<int>(s.size()); ++d) {
    (d < dim ? outer : inner) *= d == dim ? 1 : s[static_cast<size_t>(d)];
  }
  const int64_t n = s[static_cast<size_t>(dim)];
  for (int64_t i = 0; i < outer; ++i) {
    for (int64_t j = 0; j < inner; ++j) {
      f(i * n * inner + j, inner, n);
    }
  }
}

std::vector<double> softmax(const Sizes& s, int dim, std::vector<double> x, bool log) {
  each_line(s, dim, [&](int64_t first, int64_t step, int64_t n) {
    double top = -INFINITY;
    for (int64_t i = 0; i < n; ++i) {
      top = std::max(top, x[first + i * step]);
    }
    double sum = 0;
    for (int64_t i = 0; i < n; ++i) {
      sum += std::exp(x[first + i * step] - top);
    }
    for (int64_t i = 0; i < n; ++i) {
      double& v = x[first + i * step];
      v = log ? v - top - std::log(sum) : std::exp(v - top) / sum;
    }
  });
  return x;
}

const Sizes kShapes[] = {{1},       {7},       {3, 10},        {128, 33},
                         {2, 5, 3}, {3, 1, 4}, {2, 21, 9, 17}, {4, 300, 2}};

using Forward = int (*)(TH_Tensor*, const TH_Tensor*, int);
using Backward = int (*)(TH_Tensor*, const TH_Tensor*, const TH_Tensor*, int);

class Softmax : public testing::TestWithParam<bool> {
 public:
  bool log() const { return GetParam(); }
  Forward forward() const { return log() ? TH_log_softmax : TH_softmax; }
  Backward backward() const { return log() ? TH_log_softmax_backward : TH_softmax_backward; }
};
INSTANTIATE_TEST_SUITE_P(AndItsLogarithm, Softmax, testing::Bool());

TEST_P(Softmax, AgreesWithTheDefinition) {
  std::mt19937 rng(1);
  for (const int dtype : {TH_HALF, TH_BFLOAT16, TH_FLOAT, TH_DOUBLE}) {
    for (const Sizes& s : kShapes) {
      for (const Layout layout : kLayouts) {
        for (int dim = 0; dim < static_cast<int>(s.size()); ++dim) {
          const Tensor x = random(dtype, s, rng, layout);
          Tensor r = make(dtype, s, layout);
          ASSERT_EQ(forward()(&r, &x, dim), TH_OK) << TH_lastError();
          // Vector exponentials are good to 4 units; a logarithm of a sum adds a few of its size.
          ASSERT_LE(distance(values(r), softmax(s, dim, values(x), log())), 16 * precision(dtype))
              << class_name(dtype) << " " << shape(x) << " dim " << dim;
        }
      }
    }
  }
}

TEST_P(Softmax, GradientAgreesWithCentralDifferences) {
  std::mt19937 rng(2);
  for (const Sizes& s : {Sizes{3, 7}, Sizes{2, 5, 4}}) {
    for (int dim = 0; dim < static_cast<int>(s.size()); ++dim) {
      const Tensor x = random(TH_DOUBLE, s, rng);
      const Tensor g = random(TH_DOUBLE, s, rng);
      const auto vx = values(x);
      const auto vg = values(g);
      Tensor y = empty(TH_DOUBLE);
      Tensor r = empty(TH_DOUBLE);
      ASSERT_EQ(forward()(&y, &x, dim), TH_OK);
      ASSERT_EQ(backward()(&r, &g, &y, dim), TH_OK);
      const auto loss = [&](const std::vector<double>& at) {
        const auto out = softmax(s, dim, at, log());
        return std::inner_product(out.begin(), out.end(), vg.begin(), 0.0);
      };
      std::vector<double> wanted;
      constexpr double h = 1e-5;
      for (size_t i = 0; i < vx.size(); ++i) {
        auto above = vx;
        auto below = vx;
        above[i] += h;
        below[i] -= h;
        wanted.push_back((loss(above) - loss(below)) / (2 * h));
      }
      EXPECT_LE(distance(values(r), wanted), 1e-9);  // h^2 and rounding / h
    }
  }
}

TEST_P(Softmax, EveryTypeAndLayoutHasTheSameGradient) {
  std::mt19937 rng(3);
  for (const int dtype : {TH_HALF, TH_BFLOAT16, TH_FLOAT}) {
    for (const Sizes& s : kShapes) {
      for (const Layout layout : kLayouts) {
        const int dim = static_cast<int>(s.size()) / 2;
        const Tensor g = random(dtype, s, rng, layout);
        const Tensor y = random(dtype, s, rng, layout);
        const Tensor exact_g = from(TH_DOUBLE, s, values(g));
        const Tensor exact_y = from(TH_DOUBLE, s, values(y));
        Tensor r = make(dtype, s, layout);
        Tensor exact = empty(TH_DOUBLE);
        ASSERT_EQ(backward()(&r, &g, &y, dim), TH_OK) << TH_lastError();
        ASSERT_EQ(backward()(&exact, &exact_g, &exact_y, dim), TH_OK);
        // Sums of n terms of magnitude 1, in float.
        const double n = static_cast<double>(s[static_cast<size_t>(dim)]);
        ASSERT_LE(distance(values(r), values(exact)),
                  2 * precision(dtype) + n * 4 * precision(TH_FLOAT));
      }
    }
  }
}

TEST_P(Softmax, LargeInputsDoNotOverflow) {
  const Tensor x = from(TH_FLOAT, {1, 3}, {1e30, 1e30, -1e30});
  Tensor r = empty(TH_FLOAT);
  ASSERT_EQ(forward()(&r, &x, 1), TH_OK);
  const auto y = values(r);
  EXPECT_NEAR(y[0], log() ? -std::log(2.0) : 0.5, 1e-6);
  EXPECT_NEAR(y[1], y[0], 0);
  EXPECT_EQ(y[2], log() ? static_cast<double>(-2e30f) : 0);
}

TEST_P(Softmax, WorksInPlace) {
  std::mt19937 rng(4);
  Tensor x = random(TH_FLOAT, {5, 9}, rng);
  Tensor r = empty(TH_FLOAT);
  ASSERT_EQ(forward()(&r, &x, 1), TH_OK);
  ASSERT_EQ(forward()(&x, &x, 1), TH_OK);
  EXPECT_EQ(values(x), values(r));
}

TEST_P(Softmax, MistakesAreNamed) {
  std::mt19937 rng(5);
  const Tensor x = random(TH_FLOAT, {2, 3}, rng);
  const Tensor i = random(TH_INT, {2, 3}, rng);
  const Tensor g = random(TH_FLOAT, {2, 2}, rng);
  Tensor r = empty(TH_FLOAT);
  EXPECT_EQ(forward()(&r, &x, 2), TH_ERROR);
  EXPECT_NE(std::string(TH_lastError()).find("dimension 3 out of range of 2D tensor"),
            std::string::npos);
  EXPECT_EQ(forward()(&r, &i, 0), TH_ERROR);
  EXPECT_NE(std::string(TH_lastError()).find("IntTensor is not supported"), std::string::npos);
  EXPECT_EQ(backward()(&r, &g, &x, 1), TH_ERROR);
  EXPECT_NE(std::string(TH_lastError()).find("inconsistent tensor size"), std::string::npos);
  EXPECT_EQ(r.ndim, 0);
}

}  // namespace
}  // namespace th::test
