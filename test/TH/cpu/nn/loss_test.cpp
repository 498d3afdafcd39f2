#include <gtest/gtest.h>

#include "TH/support/tensors.h"

namespace th::test {
namespace {

struct Nll {
  double loss, total;
  std::vector<double> gradient;
};

/// The definition: x is N x C x P, one target for each of the N x P predictions.
Nll nll(const std::vector<double>& x, const std::vector<double>& target,
        const std::vector<double>& weights, int64_t N, int64_t C, int64_t P, bool average,
        double ignore) {
  Nll r{0, 0, std::vector<double>(x.size())};
  for (int64_t n = 0; n < N; ++n) {
    for (int64_t p = 0; p < P; ++p) {
      const double t = target[n * P + p];
      if (t != ignore) {
        const auto c = static_cast<int64_t>(t) - 1;
        const double w = weights.empty() ? 1 : weights[c];
        r.loss -= w * x[(n * C + c) * P + p];
        r.total += w;
        r.gradient[(n * C + c) * P + p] = -w;
      }
    }
  }
  if (average && r.total > 0) {
    r.loss /= r.total;
    for (double& g : r.gradient) {
      g /= r.total;
    }
  }
  return r;
}

TEST(NllLoss, AgreesWithTheDefinition) {
  std::mt19937 rng(1);
  for (const int dtype : {TH_HALF, TH_BFLOAT16, TH_FLOAT, TH_DOUBLE}) {
    for (const Sizes& s : {Sizes{4}, Sizes{9, 4}, Sizes{2, 5, 3, 4}}) {
      for (const Layout layout : kLayouts) {
        for (const bool average : {false, true}) {
          for (const bool weighted : {false, true}) {
            const int64_t C = s[s.size() == 1 ? 0 : 1];
            const int64_t N = s.size() == 1 ? 1 : s[0];
            const int64_t P = s.size() == 4 ? s[2] * s[3] : 1;
            const Tensor x = random(dtype, s, rng, layout);
            std::vector<double> classes;
            for (int64_t i = 0; i < N * P; ++i) {
              const bool ignored = N > 1 && rng() % 4 == 0;
              classes.push_back(
                  ignored ? -100 : static_cast<double>(1 + rng() % static_cast<unsigned>(C)));
            }
            const Tensor target =
                from(TH_LONG, s.size() == 4 ? Sizes{s[0], s[2], s[3]} : Sizes{N}, classes, layout);
            const Tensor weights =
                from(dtype, {C}, std::vector<double>{0.25, 1, 0.5, 2, 1.5, 3}, Layout::Compact);
            const auto vw = weighted ? values(weights) : std::vector<double>{};
            const Nll wanted = nll(values(x), classes, vw, N, C, P, average, -100);
            Tensor r = empty(dtype);
            Tensor total = empty(dtype);
            const TH_Tensor* w = weighted ? &weights : nullptr;
            ASSERT_EQ(TH_nll_loss(&r, &total, &x, &target, w, average, -100), TH_OK)
                << TH_lastError();
            ASSERT_EQ(sizes(r), Sizes{1});
            ASSERT_LE(distance(values(r), {wanted.loss}), 2 * precision(dtype));
            ASSERT_LE(distance(values(total), {wanted.total}), 2 * precision(dtype));
            Tensor g = make(dtype, s, layout);
            ASSERT_EQ(TH_nll_loss_backward(&g, &x, &target, w, &total, average, -100), TH_OK)
                << TH_lastError();
            ASSERT_LE(distance(values(g), wanted.gradient), 4 * precision(dtype));
          }
        }
      }
    }
  }
}

TEST(NllLoss, IsZeroWhenEveryTargetIsIgnored) {
  const Tensor x = from(TH_FLOAT, {2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor target = from(TH_LONG, {2}, {2, 2});
  Tensor r = empty(TH_FLOAT);
  Tensor total = empty(TH_FLOAT);
  Tensor g = empty(TH_FLOAT);
  ASSERT_EQ(TH_nll_loss(&r, &total, &x, &target, nullptr, true, 2), TH_OK);
  EXPECT_EQ(values(r), std::vector<double>{0});
  EXPECT_EQ(values(total), std::vector<double>{0});
  ASSERT_EQ(TH_nll_loss_backward(&g, &x, &target, nullptr, &total, true, 2), TH_OK);
  EXPECT_EQ(values(g), std::vector<double>(6, 0));
}

TEST(NllLoss, MistakesAreNamedBeforeAnythingIsWritten) {
  std::mt19937 rng(2);
  const Tensor x = random(TH_FLOAT, {3, 4}, rng);
  const Tensor cube = random(TH_FLOAT, {3, 4, 2}, rng);
  const Tensor good = from(TH_LONG, {3}, {1, 2, 4});
  const Tensor bad = from(TH_LONG, {3}, {1, 5, 4});
  const Tensor zero = from(TH_LONG, {3}, {1, 2, 0});
  const Tensor few = from(TH_LONG, {2}, {1, 2});
  const Tensor floats = from(TH_FLOAT, {3}, {1, 2, 3});
  Tensor r = from(TH_FLOAT, {2}, {7, 8});
  Tensor total = from(TH_FLOAT, {1}, {3});
  const auto fails = [&](const std::string& words, int status) {
    EXPECT_EQ(status, TH_ERROR) << words;
    EXPECT_NE(std::string(TH_lastError()).find(words), std::string::npos) << TH_lastError();
    EXPECT_EQ(values(r), (std::vector<double>{7, 8}));
    EXPECT_EQ(values(total), std::vector<double>{3});
  };
  fails("target 2 is 5, classes must be from 1 to 4",
        TH_nll_loss(&r, &total, &x, &bad, nullptr, true, -100));
  fails("target 3 is 0, classes must be from 1 to 4",
        TH_nll_loss(&r, &total, &x, &zero, nullptr, true, -100));
  fails("target 2 is 5", TH_nll_loss_backward(&r, &x, &bad, nullptr, &total, true, -100));
  fails("target is 2, expected 3", TH_nll_loss(&r, &total, &x, &few, nullptr, true, -100));
  fails("wanted a LongTensor", TH_nll_loss(&r, &total, &x, &floats, nullptr, true, -100));
  fails("weights is 3, expected 4 elements",
        TH_nll_loss(&r, &total, &x, &good, &floats, true, -100));
  fails("expected C, N x C or N x C x H x W",
        TH_nll_loss(&r, &total, &cube, &good, nullptr, true, -100));
}

TEST(MseLoss, AgreesWithTheDefinitionAndItsGradient) {
  std::mt19937 rng(3);
  for (const int dtype : {TH_HALF, TH_BFLOAT16, TH_FLOAT, TH_DOUBLE}) {
    for (const Sizes& s : {Sizes{1}, Sizes{7, 3}, Sizes{100, 50}}) {
      for (const Layout layout : kLayouts) {
        for (const bool average : {false, true}) {
          const Tensor x = random(dtype, s, rng, layout);
          const Tensor t = random(dtype, {numel(x)}, rng);  // equal counts are enough
          const auto vx = values(x);
          const auto vt = values(t);
          const double n = average ? static_cast<double>(vx.size()) : 1;
          double loss = 0;
          std::vector<double> gradient;
          for (size_t i = 0; i < vx.size(); ++i) {
            loss += (vx[i] - vt[i]) * (vx[i] - vt[i]) / n;
            gradient.push_back(2 * (vx[i] - vt[i]) / n);
          }
          Tensor r = empty(dtype);
          Tensor g = empty(dtype);
          ASSERT_EQ(TH_mse_loss(&r, &x, &t, nullptr, 0, 0, average), TH_OK) << TH_lastError();
          ASSERT_EQ(TH_mse_loss_backward(&g, &x, &t, nullptr, 0, 0, average), TH_OK)
              << TH_lastError();
          // Squares of multiples of 1/16 are exact; what is left is the result's rounding.
          ASSERT_LE(distance(values(r), {loss}), 2 * precision(dtype) + 1e-12);
          ASSERT_EQ(sizes(g), s);
          ASSERT_LE(distance(values(g), gradient), 4 * precision(dtype));
        }
      }
    }
  }
}

TEST(MseLoss, NeedsEqualCounts) {
  std::mt19937 rng(4);
  const Tensor x = random(TH_FLOAT, {2, 3}, rng);
  const Tensor t = random(TH_FLOAT, {5}, rng);
  Tensor r = empty(TH_FLOAT);
  EXPECT_EQ(TH_mse_loss(&r, &x, &t, nullptr, 0, 0, true), TH_ERROR);
  EXPECT_NE(
      std::string(TH_lastError()).find("must have the same number of elements, but have 6 and 5"),
      std::string::npos);
  EXPECT_EQ(r.ndim, 0);
}

}  // namespace
}  // namespace th::test
