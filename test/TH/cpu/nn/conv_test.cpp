#include <gtest/gtest.h>

#include "TH/support/tensors.h"

namespace th::test {
namespace {

struct Case {
  int64_t N, C, H, W, K, kH, kW;
  int dH, dW, padH, padW, groups;
  int64_t outH() const { return (H + 2 * padH - kH) / dH + 1; }
  int64_t outW() const { return (W + 2 * padW - kW) / dW + 1; }
};

constexpr Case kCases[] = {
    {1, 1, 5, 5, 1, 3, 3, 1, 1, 0, 0, 1},    {2, 1, 28, 28, 6, 5, 5, 1, 1, 0, 0, 1},
    {3, 6, 12, 12, 16, 5, 5, 1, 1, 0, 0, 1}, {2, 3, 9, 7, 5, 3, 2, 2, 1, 1, 0, 1},
    {2, 4, 8, 11, 6, 3, 3, 2, 3, 1, 2, 2},   {1, 8, 10, 10, 8, 3, 3, 1, 1, 1, 1, 8},
    {2, 5, 7, 7, 9, 1, 1, 1, 1, 0, 0, 1},    {2, 6, 7, 9, 4, 1, 1, 2, 2, 0, 0, 2},
    {1, 2, 6, 6, 3, 6, 6, 1, 1, 0, 0, 1},    {1, 2, 3, 3, 3, 3, 3, 1, 1, 4, 5, 1},
    {1, 3, 13, 13, 7, 2, 2, 3, 3, 0, 1, 1},  {2, 17, 13, 11, 33, 3, 3, 1, 1, 1, 1, 1},
    {2, 32, 9, 9, 32, 3, 3, 1, 1, 1, 1, 1},  {1, 16, 12, 12, 32, 3, 3, 2, 2, 1, 1, 2},
    {5, 64, 6, 6, 48, 3, 3, 1, 1, 1, 1, 1},  {2, 64, 5, 5, 32, 1, 1, 1, 1, 0, 0, 1},
    {1, 3, 64, 70, 16, 7, 7, 2, 2, 3, 3, 1}, {2, 32, 8, 8, 32, 3, 3, 1, 1, 1, 1, 32},
    {1, 1, 40, 1, 2, 9, 1, 1, 1, 4, 0, 1},   {1, 1, 1, 40, 2, 1, 9, 1, 2, 0, 4, 1},
};

/// Calls f(index in y, index in x, index in w) for every product of the definition.
template <class F>
void each_product(const Case& c, F&& f) {
  const int64_t inputs = c.C / c.groups;
  const int64_t outputs = c.K / c.groups;
  for (int64_t n = 0; n < c.N; ++n) {
    for (int64_t k = 0; k < c.K; ++k) {
      for (int64_t i = 0; i < c.outH(); ++i) {
        for (int64_t j = 0; j < c.outW(); ++j) {
          const int64_t y = ((n * c.K + k) * c.outH() + i) * c.outW() + j;
          for (int64_t q = 0; q < inputs; ++q) {
            for (int64_t p = 0; p < c.kH; ++p) {
              const int64_t row = i * c.dH - c.padH + p;
              for (int64_t s = 0; s < c.kW; ++s) {
                const int64_t column = j * c.dW - c.padW + s;
                if (row >= 0 && row < c.H && column >= 0 && column < c.W) {
                  const int64_t x =
                      ((n * c.C + k / outputs * inputs + q) * c.H + row) * c.W + column;
                  f(y, x, ((k * inputs + q) * c.kH + p) * c.kW + s);
                }
              }
            }
          }
        }
      }
    }
  }
}

double tolerance(int dtype, int64_t terms) {
  const int computed = is_half(dtype) ? TH_FLOAT : dtype;
  return precision(computed) * static_cast<double>(terms + 2) +
         (is_half(dtype) ? 2 * precision(dtype) : 0);
}

std::string text(const Case& c, int dtype) {
  return str(class_name(dtype), " ", c.N, "x", c.C, "x", c.H, "x", c.W, " by ", c.K, " kernels ",
             c.kH, "x", c.kW, " stride ", c.dH, "x", c.dW, " padding ", c.padH, "x", c.padW,
             " groups ", c.groups);
}

class Conv2d : public testing::TestWithParam<Layout> {};
INSTANTIATE_TEST_SUITE_P(Layouts, Conv2d, testing::ValuesIn(kLayouts));

TEST_P(Conv2d, AgreesWithTheDefinition) {
  std::mt19937 rng(1);
  for (const int dtype : {TH_HALF, TH_BFLOAT16, TH_FLOAT, TH_DOUBLE}) {
    for (const Case& c : kCases) {
      const Tensor x = random(dtype, {c.N, c.C, c.H, c.W}, rng, GetParam());
      const Tensor w = random(dtype, {c.K, c.C / c.groups, c.kH, c.kW}, rng, GetParam());
      const Tensor b = random(dtype, {c.K}, rng);
      std::vector<double> wanted(static_cast<size_t>(c.N * c.K * c.outH() * c.outW()));
      const auto vx = values(x);
      const auto vw = values(w);
      each_product(c, [&](int64_t y, int64_t i, int64_t j) { wanted[y] += vx[i] * vw[j]; });
      Tensor r = make(dtype, {c.N, c.K, c.outH(), c.outW()}, GetParam());
      ASSERT_EQ(TH_conv2d(&r, &x, &w, nullptr, c.dH, c.dW, c.padH, c.padW, c.groups), TH_OK)
          << TH_lastError();
      const int64_t terms = c.C / c.groups * c.kH * c.kW;
      ASSERT_LE(distance(values(r), wanted), tolerance(dtype, terms)) << text(c, dtype);
      const auto vb = values(b);
      for (size_t i = 0; i < wanted.size(); ++i) {
        wanted[i] += vb[static_cast<int64_t>(i) / (c.outH() * c.outW()) % c.K];
      }
      Tensor fresh = empty(dtype);
      ASSERT_EQ(TH_conv2d(&fresh, &x, &w, &b, c.dH, c.dW, c.padH, c.padW, c.groups), TH_OK)
          << TH_lastError();
      ASSERT_EQ(sizes(fresh), (Sizes{c.N, c.K, c.outH(), c.outW()}));
      ASSERT_LE(distance(values(fresh), wanted), tolerance(dtype, terms)) << text(c, dtype);
    }
  }
}

TEST_P(Conv2d, BackwardInputIsTheTransposedMap) {
  std::mt19937 rng(2);
  for (const int dtype : {TH_HALF, TH_FLOAT, TH_DOUBLE}) {
    for (const Case& c : kCases) {
      const Tensor x = random(dtype, {c.N, c.C, c.H, c.W}, rng);
      const Tensor w = random(dtype, {c.K, c.C / c.groups, c.kH, c.kW}, rng, GetParam());
      const Tensor g = random(dtype, {c.N, c.K, c.outH(), c.outW()}, rng, GetParam());
      std::vector<double> wanted(static_cast<size_t>(numel(x)));
      const auto vg = values(g);
      const auto vw = values(w);
      each_product(c, [&](int64_t y, int64_t i, int64_t j) { wanted[i] += vg[y] * vw[j]; });
      Tensor r =
          from(dtype, {c.N, c.C, c.H, c.W}, std::vector<double>(wanted.size(), NAN), GetParam());
      ASSERT_EQ(TH_conv2d_backward_input(&r, &g, &x, &w, c.dH, c.dW, c.padH, c.padW, c.groups),
                TH_OK)
          << TH_lastError();
      ASSERT_LE(distance(values(r), wanted), tolerance(dtype, c.K / c.groups * c.kH * c.kW))
          << text(c, dtype);
    }
  }
}

TEST_P(Conv2d, BackwardWeightAddsTheScaledGradient) {
  std::mt19937 rng(3);
  for (const int dtype : {TH_HALF, TH_FLOAT, TH_DOUBLE}) {
    for (const Case& c : kCases) {
      const Tensor x = random(dtype, {c.N, c.C, c.H, c.W}, rng, GetParam());
      const Tensor g = random(dtype, {c.N, c.K, c.outH(), c.outW()}, rng, GetParam());
      Tensor gw = random(dtype, {c.K, c.C / c.groups, c.kH, c.kW}, rng, GetParam());
      Tensor gb = random(dtype, {c.K}, rng, GetParam());
      auto wanted_w = values(gw);
      auto wanted_b = values(gb);
      const auto vx = values(x);
      const auto vg = values(g);
      each_product(c, [&](int64_t y, int64_t i, int64_t j) { wanted_w[j] += 0.5 * vg[y] * vx[i]; });
      const int64_t plane = c.outH() * c.outW();
      for (size_t i = 0; i < vg.size(); ++i) {
        wanted_b[static_cast<int64_t>(i) / plane % c.K] += 0.5 * vg[i];
      }
      ASSERT_EQ(
          TH_conv2d_backward_weight(&gw, &gb, &g, &x, c.dH, c.dW, c.padH, c.padW, c.groups, 0.5),
          TH_OK)
          << TH_lastError();
      const double bound = tolerance(dtype, c.N * plane);
      ASSERT_LE(distance(values(gw), wanted_w), bound) << text(c, dtype);
      ASSERT_LE(distance(values(gb), wanted_b), bound) << text(c, dtype);
      // Without a bias only the weights change.
      ASSERT_EQ(
          TH_conv2d_backward_weight(&gw, nullptr, &g, &x, c.dH, c.dW, c.padH, c.padW, c.groups, 0),
          TH_OK);
      ASSERT_LE(distance(values(gw), wanted_w), bound) << text(c, dtype);
    }
  }
}

/// d/dp sum(g y) by central differences of the forward pass itself.
TEST(Conv2dGradients, AgreeWithFiniteDifferences) {
  std::mt19937 rng(4);
  const Case c{2, 4, 6, 7, 6, 3, 2, 2, 1, 1, 1, 2};
  const Tensor x = random(TH_DOUBLE, {c.N, c.C, c.H, c.W}, rng);
  const Tensor w = random(TH_DOUBLE, {c.K, c.C / c.groups, c.kH, c.kW}, rng);
  const Tensor b = random(TH_DOUBLE, {c.K}, rng);
  const Tensor g = random(TH_DOUBLE, {c.N, c.K, c.outH(), c.outW()}, rng);
  const auto vg = values(g);
  const auto loss = [&] {
    Tensor r = empty(TH_DOUBLE);
    EXPECT_EQ(TH_conv2d(&r, &x, &w, &b, c.dH, c.dW, c.padH, c.padW, c.groups), TH_OK);
    const auto vr = values(r);
    return std::inner_product(vr.begin(), vr.end(), vg.begin(), 0.0);
  };
  const auto differences = [&](const Tensor& p) {
    const auto numbers = values(p);
    std::vector<double> result;
    for (size_t i = 0; i < numbers.size(); ++i) {
      double at[2];
      for (const int side : {0, 1}) {
        auto moved = numbers;
        moved[i] += side == 0 ? -0.5 : 0.5;  // the loss is linear in each: no truncation error
        assign(p, moved);
        at[side] = loss();
      }
      assign(p, numbers);
      result.push_back(at[1] - at[0]);
    }
    return result;
  };
  Tensor gx = empty(TH_DOUBLE);
  Tensor gw = from(TH_DOUBLE, sizes(w), std::vector<double>(static_cast<size_t>(numel(w))));
  Tensor gb = from(TH_DOUBLE, sizes(b), std::vector<double>(static_cast<size_t>(numel(b))));
  ASSERT_EQ(TH_conv2d_backward_input(&gx, &g, &x, &w, c.dH, c.dW, c.padH, c.padW, c.groups), TH_OK);
  ASSERT_EQ(TH_conv2d_backward_weight(&gw, &gb, &g, &x, c.dH, c.dW, c.padH, c.padW, c.groups, 1),
            TH_OK);
  EXPECT_LE(distance(values(gx), differences(x)), 1e-12);
  EXPECT_LE(distance(values(gw), differences(w)), 1e-12);
  EXPECT_LE(distance(values(gb), differences(b)), 1e-12);
}

TEST(Conv2dShapes, ASingleImageNeedsNoBatch) {
  std::mt19937 rng(5);
  const Tensor batch = random(TH_FLOAT, {1, 3, 8, 8}, rng);
  Tensor single;
  select(single, batch, 0, 0);
  const Tensor w = random(TH_FLOAT, {4, 3, 3, 3}, rng);
  Tensor expected = empty(TH_FLOAT);
  Tensor r = empty(TH_FLOAT);
  ASSERT_EQ(TH_conv2d(&expected, &batch, &w, nullptr, 1, 1, 1, 1, 1), TH_OK);
  ASSERT_EQ(TH_conv2d(&r, &single, &w, nullptr, 1, 1, 1, 1, 1), TH_OK);
  EXPECT_EQ(sizes(r), (Sizes{4, 8, 8}));
  EXPECT_EQ(values(r), values(expected));
  Tensor g3 = empty(TH_FLOAT);
  Tensor g4 = empty(TH_FLOAT);
  ASSERT_EQ(TH_conv2d_backward_input(&g4, &expected, &batch, &w, 1, 1, 1, 1, 1), TH_OK);
  ASSERT_EQ(TH_conv2d_backward_input(&g3, &r, &single, &w, 1, 1, 1, 1, 1), TH_OK);
  EXPECT_EQ(sizes(g3), (Sizes{3, 8, 8}));
  EXPECT_EQ(values(g3), values(g4));
}

TEST(Conv2dShapes, TheResultMayBeTheInput) {
  std::mt19937 rng(6);
  Tensor x = random(TH_FLOAT, {2, 3, 6, 6}, rng);
  const Tensor w = random(TH_FLOAT, {3, 3, 3, 3}, rng);
  Tensor expected = empty(TH_FLOAT);
  ASSERT_EQ(TH_conv2d(&expected, &x, &w, nullptr, 1, 1, 0, 0, 1), TH_OK);
  ASSERT_EQ(TH_conv2d(&x, &x, &w, nullptr, 1, 1, 0, 0, 1), TH_OK);
  EXPECT_EQ(sizes(x), (Sizes{2, 3, 4, 4}));
  EXPECT_EQ(values(x), values(expected));
}

TEST(Conv2dErrors, NameTheMistakeAndChangeNothing) {
  std::mt19937 rng(7);
  const Tensor x = random(TH_FLOAT, {2, 3, 4, 5}, rng);
  const Tensor w = random(TH_FLOAT, {6, 3, 5, 3}, rng);
  const Tensor ok = random(TH_FLOAT, {6, 3, 3, 3}, rng);
  const Tensor d = random(TH_DOUBLE, {6, 3, 3, 3}, rng);
  const Tensor i = random(TH_INT, {2, 3, 4, 5}, rng);
  const Tensor b = random(TH_FLOAT, {5}, rng);
  const Tensor v = random(TH_FLOAT, {5}, rng);
  Tensor r = random(TH_FLOAT, {2, 2}, rng);
  const auto before = values(r);
  const auto fails = [&](const std::string& words, int status) {
    EXPECT_EQ(status, TH_ERROR) << words;
    EXPECT_NE(std::string(TH_lastError()).find(words), std::string::npos) << TH_lastError();
    EXPECT_EQ(values(r), before);
    EXPECT_EQ(sizes(r), (Sizes{2, 2}));
  };
  fails("conv2d: input is 2x3x4x5, too small for a kernel of 5x3 with padding 0x0",
        TH_conv2d(&r, &x, &w, nullptr, 1, 1, 0, 0, 1));
  fails("expected N x C x H x W or C x H x W", TH_conv2d(&r, &v, &ok, nullptr, 1, 1, 0, 0, 1));
  fails("stride is 0x1", TH_conv2d(&r, &x, &ok, nullptr, 0, 1, 0, 0, 1));
  fails("padding is -1x0", TH_conv2d(&r, &x, &ok, nullptr, 1, 1, -1, 0, 1));
  fails("2 groups", TH_conv2d(&r, &x, &ok, nullptr, 1, 1, 0, 0, 2));
  fails("wants 9 planes, not 3", TH_conv2d(&r, &x, &ok, nullptr, 1, 1, 0, 0, 3));
  fails("bias is 5, expected 6 elements", TH_conv2d(&r, &x, &ok, &b, 1, 1, 0, 0, 1));
  fails("types differ", TH_conv2d(&r, &x, &d, nullptr, 1, 1, 0, 0, 1));
  fails("IntTensor is not supported", TH_conv2d(&r, &i, &ok, nullptr, 1, 1, 0, 0, 1));
  fails("gradOutput is 2x3x4x5, expected 2x6x2x3",
        TH_conv2d_backward_input(&r, &x, &x, &ok, 1, 1, 0, 0, 1));
}

}  // namespace
}  // namespace th::test
