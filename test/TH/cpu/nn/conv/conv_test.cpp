#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "TH/support/convolutions.h"
#include "TH/support/tensors.h"

namespace th::test {
namespace {

using Case = ConvCase;

/// What the paths of this backend are cut by.
constexpr Case kLargerCases[] = {
    {2, 1, 28, 28, 6, 5, 5, 1, 1, 0, 0, 1},
    {3, 6, 12, 12, 16, 5, 5, 1, 1, 0, 0, 1},
    {2, 17, 13, 11, 33, 3, 3, 1, 1, 1, 1, 1},
    {2, 32, 9, 9, 32, 3, 3, 1, 1, 1, 1, 1},
    {1, 16, 12, 12, 32, 3, 3, 2, 2, 1, 1, 2},
    {5, 64, 6, 6, 48, 3, 3, 1, 1, 1, 1, 1},
    {2, 64, 5, 5, 32, 1, 1, 1, 1, 0, 0, 1},
    {1, 3, 64, 70, 16, 7, 7, 2, 2, 3, 3, 1},
    {2, 32, 8, 8, 32, 3, 3, 1, 1, 1, 1, 32},
    {1, 1, 40, 1, 2, 9, 1, 1, 1, 4, 0, 1},
    // Many outputs: several blocks of them.
    {2, 3, 6, 5, 150, 3, 3, 1, 1, 1, 1, 1},
    // Kernels of one element: images side by side, in blocks; in steps; where they lie.
    {7, 12, 9, 8, 10, 1, 1, 1, 1, 0, 0, 1},
    {5, 8, 9, 11, 12, 1, 1, 2, 3, 0, 0, 2},
    {2, 9, 20, 21, 8, 1, 1, 1, 1, 0, 0, 1},
    {3, 20, 1, 1, 30, 1, 1, 1, 1, 0, 0, 1},
    {2, 6, 5, 6, 8, 1, 1, 1, 1, 1, 2, 1},
    // Windows that do not overlap: side by side, with elements between them that none sees.
    {3, 6, 8, 10, 9, 2, 2, 2, 2, 0, 0, 1},
    {2, 4, 13, 11, 6, 2, 3, 3, 4, 0, 0, 2},
    // With gaps in the kernels.
    {2, 64, 11, 12, 64, 3, 3, 1, 1, 2, 2, 1, 2, 2},
    {1, 2, 13, 13, 3, 2, 3, 3, 2, 1, 4, 1, 4, 5},
    // Signals.
    {.N = 3,
     .C = 5,
     .H = 1,
     .W = 20,
     .K = 7,
     .kH = 1,
     .kW = 3,
     .dH = 1,
     .dW = 1,
     .padH = 0,
     .padW = 1,
     .groups = 1,
     .dims = 1},
    {.N = 2,
     .C = 32,
     .H = 1,
     .W = 33,
     .K = 64,
     .kH = 1,
     .kW = 5,
     .dH = 1,
     .dW = 2,
     .padH = 0,
     .padW = 4,
     .groups = 2,
     .dilW = 2,
     .dims = 1},
    // Volumes.
    {.N = 2,
     .C = 32,
     .H = 5,
     .W = 6,
     .K = 32,
     .kH = 3,
     .kW = 3,
     .dH = 1,
     .dW = 1,
     .padH = 1,
     .padW = 1,
     .groups = 1,
     .D = 4,
     .kD = 3,
     .padD = 1,
     .dims = 3},
    {.N = 3,
     .C = 8,
     .H = 6,
     .W = 7,
     .K = 12,
     .kH = 1,
     .kW = 1,
     .dH = 1,
     .dW = 3,
     .padH = 0,
     .padW = 0,
     .groups = 2,
     .D = 5,
     .kD = 2,
     .dD = 2,
     .dims = 3},
    {.N = 1,
     .C = 1,
     .H = 1,
     .W = 1,
     .K = 2,
     .kH = 1,
     .kW = 1,
     .dH = 1,
     .dW = 1,
     .padH = 0,
     .padW = 0,
     .groups = 1,
     .D = 9,
     .kD = 4,
     .dD = 2,
     .padD = 3,
     .dims = 3},
};

std::vector<Case> all_cases() {
  std::vector<Case> all(std::begin(kConvCases), std::end(kConvCases));
  all.insert(all.end(), std::begin(kLargerCases), std::end(kLargerCases));
  return all;
}

const std::vector<Case> kCases = all_cases();

/// Calls f(index in y, index in x, index in w) for every product of the definition.
template <class F>
void each_product(const Case& c, F&& f) {
  const int64_t inputs = c.C / c.groups;
  const int64_t outputs = c.K / c.groups;
  /// Where a tap falls: -1 outside.
  const auto place = [](int64_t out, int64_t stride, int64_t pad, int64_t tap, int64_t gap,
                        int64_t size) {
    const int64_t at = out * stride - pad + tap * gap;
    return at < size ? at : -1;
  };
  int64_t y = 0;
  for (int64_t n = 0; n < c.N; ++n) {
    for (int64_t k = 0; k < c.K; ++k) {
      for (int64_t z = 0; z < c.outD(); ++z) {
        for (int64_t i = 0; i < c.outH(); ++i) {
          for (int64_t j = 0; j < c.outW(); ++j, ++y) {
            int64_t w = k * inputs * c.kD * c.kH * c.kW;
            for (int64_t q = 0; q < inputs; ++q) {
              for (int64_t o = 0; o < c.kD; ++o) {
                const int64_t d = place(z, c.dD, c.padD, o, c.dilD, c.D);
                for (int64_t p = 0; p < c.kH; ++p) {
                  const int64_t row = place(i, c.dH, c.padH, p, c.dilH, c.H);
                  for (int64_t s = 0; s < c.kW; ++s, ++w) {
                    const int64_t column = place(j, c.dW, c.padW, s, c.dilW, c.W);
                    if (d >= 0 && row >= 0 && column >= 0) {
                      const int64_t plane = n * c.C + k / outputs * inputs + q;
                      f(y, ((plane * c.D + d) * c.H + row) * c.W + column, w);
                    }
                  }
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
  const auto numbers = [&](const int64_t* of) {
    return shape(std::span(of, static_cast<size_t>(c.dims)));
  };
  return str(class_name(dtype), " ", shape(c.input()), " by ", shape(c.weight()), " stride ",
             numbers(c.stride()), " padding ", numbers(c.padding()), " dilation ",
             numbers(c.dilation()), " groups ", c.groups);
}

class Conv : public testing::TestWithParam<Layout> {};
INSTANTIATE_TEST_SUITE_P(Layouts, Conv, testing::ValuesIn(kLayouts));

TEST_P(Conv, AgreesWithTheDefinition) {
  std::mt19937 rng(1);
  for (const int dtype : {TH_HALF, TH_BFLOAT16, TH_FLOAT, TH_DOUBLE}) {
    for (const Case& c : kCases) {
      const Tensor x = random(dtype, c.input(), rng, GetParam());
      const Tensor w = random(dtype, c.weight(), rng, GetParam());
      const Tensor b = random(dtype, {c.K}, rng);
      std::vector<double> wanted(static_cast<size_t>(c.N * c.K * c.outD() * c.outH() * c.outW()));
      const auto vx = values(x);
      const auto vw = values(w);
      each_product(c, [&](int64_t y, int64_t i, int64_t j) { wanted[y] += vx[i] * vw[j]; });
      Tensor r = make(dtype, c.output(), GetParam());
      ASSERT_EQ(forward(&r, &x, &w, nullptr, c), TH_OK) << TH_lastError();
      const int64_t terms = c.C / c.groups * c.kD * c.kH * c.kW;
      ASSERT_LE(distance(values(r), wanted), tolerance(dtype, terms)) << text(c, dtype);
      const auto vb = values(b);
      for (size_t i = 0; i < wanted.size(); ++i) {
        wanted[i] += vb[static_cast<int64_t>(i) / (c.outD() * c.outH() * c.outW()) % c.K];
      }
      Tensor fresh = empty(dtype);
      ASSERT_EQ(forward(&fresh, &x, &w, &b, c), TH_OK) << TH_lastError();
      ASSERT_EQ(sizes(fresh), c.output());
      ASSERT_LE(distance(values(fresh), wanted), tolerance(dtype, terms)) << text(c, dtype);
    }
  }
}

TEST_P(Conv, EndsWithASumAndTheLargerOfItAndZero) {
  std::mt19937 rng(9);
  for (const int dtype : {TH_BFLOAT16, TH_FLOAT, TH_DOUBLE}) {
    for (const Case& c : kCases) {
      const Tensor x = random(dtype, c.input(), rng, GetParam());
      const Tensor w = random(dtype, c.weight(), rng, GetParam());
      const Tensor b = random(dtype, {c.K}, rng);
      const Tensor a = random(dtype, c.output(), rng, GetParam());
      std::vector<double> plain(static_cast<size_t>(numel(a)));
      const auto vx = values(x), vw = values(w), vb = values(b), va = values(a);
      each_product(c, [&](int64_t y, int64_t i, int64_t j) { plain[y] += vx[i] * vw[j]; });
      const int64_t terms = c.C / c.groups * c.kD * c.kH * c.kW;
      for (const Tensor* addend : {static_cast<const Tensor*>(nullptr), &a}) {
        for (const bool relu : {false, true}) {
          const Tensor* bias = relu ? &b : nullptr;
          auto wanted = plain;
          for (size_t i = 0; i < wanted.size(); ++i) {
            const auto plane = static_cast<int64_t>(i) / (c.outD() * c.outH() * c.outW()) % c.K;
            wanted[i] += (bias != nullptr ? vb[plane] : 0) + (addend != nullptr ? va[i] : 0);
            wanted[i] = relu ? std::max(wanted[i], 0.0) : wanted[i];
          }
          Tensor r = make(dtype, c.output(), GetParam());
          ASSERT_EQ(forward(&r, &x, &w, bias, addend, relu, c), TH_OK) << TH_lastError();
          ASSERT_LE(distance(values(r), wanted), tolerance(dtype, terms)) << text(c, dtype);
        }
      }
      // The addend's memory may be the result's.
      Tensor r = random(dtype, c.output(), rng);
      ASSERT_EQ(TH_copy(&r, &a), TH_OK);
      ASSERT_EQ(forward(&r, &x, &w, nullptr, &r, false, c), TH_OK) << TH_lastError();
      for (size_t i = 0; i < plain.size(); ++i) {
        plain[i] += va[i];
      }
      ASSERT_LE(distance(values(r), plain), tolerance(dtype, terms)) << text(c, dtype);
    }
  }
}

TEST_P(Conv, BackwardInputIsTheTransposedMap) {
  std::mt19937 rng(2);
  for (const int dtype : {TH_HALF, TH_FLOAT, TH_DOUBLE}) {
    for (const Case& c : kCases) {
      const Tensor x = random(dtype, c.input(), rng);
      const Tensor w = random(dtype, c.weight(), rng, GetParam());
      const Tensor g = random(dtype, c.output(), rng, GetParam());
      std::vector<double> wanted(static_cast<size_t>(numel(x)));
      const auto vg = values(g);
      const auto vw = values(w);
      each_product(c, [&](int64_t y, int64_t i, int64_t j) { wanted[i] += vg[y] * vw[j]; });
      Tensor r = from(dtype, c.input(), std::vector<double>(wanted.size(), NAN), GetParam());
      ASSERT_EQ(backward_input(&r, &g, &x, &w, c), TH_OK) << TH_lastError();
      ASSERT_LE(distance(values(r), wanted), tolerance(dtype, c.K / c.groups * c.kD * c.kH * c.kW))
          << text(c, dtype);
    }
  }
}

TEST_P(Conv, BackwardWeightAddsTheScaledGradient) {
  std::mt19937 rng(3);
  for (const int dtype : {TH_HALF, TH_FLOAT, TH_DOUBLE}) {
    for (const Case& c : kCases) {
      const Tensor x = random(dtype, c.input(), rng, GetParam());
      const Tensor g = random(dtype, c.output(), rng, GetParam());
      Tensor gw = random(dtype, c.weight(), rng, GetParam());
      Tensor gb = random(dtype, {c.K}, rng, GetParam());
      auto wanted_w = values(gw);
      auto wanted_b = values(gb);
      const auto vx = values(x);
      const auto vg = values(g);
      each_product(c, [&](int64_t y, int64_t i, int64_t j) { wanted_w[j] += 0.5 * vg[y] * vx[i]; });
      const int64_t plane = c.outD() * c.outH() * c.outW();
      for (size_t i = 0; i < vg.size(); ++i) {
        wanted_b[static_cast<int64_t>(i) / plane % c.K] += 0.5 * vg[i];
      }
      ASSERT_EQ(backward_weight(&gw, &gb, &g, &x, c, 0.5), TH_OK) << TH_lastError();
      const double bound = tolerance(dtype, c.N * plane);
      ASSERT_LE(distance(values(gw), wanted_w), bound) << text(c, dtype);
      ASSERT_LE(distance(values(gb), wanted_b), bound) << text(c, dtype);
      // Without a bias only the weights change.
      ASSERT_EQ(backward_weight(&gw, nullptr, &g, &x, c, 0), TH_OK);
      ASSERT_LE(distance(values(gw), wanted_w), bound) << text(c, dtype);
    }
  }
}

/// d/dp sum(g y) by central differences of the forward pass itself.
TEST(ConvGradients, AgreeWithFiniteDifferences) {
  std::mt19937 rng(4);
  const Case c{2, 4, 6, 7, 6, 3, 2, 2, 1, 1, 1, 2};
  const Tensor x = random(TH_DOUBLE, c.input(), rng);
  const Tensor w = random(TH_DOUBLE, c.weight(), rng);
  const Tensor b = random(TH_DOUBLE, {c.K}, rng);
  const Tensor g = random(TH_DOUBLE, c.output(), rng);
  const auto vg = values(g);
  const auto loss = [&] {
    Tensor r = empty(TH_DOUBLE);
    EXPECT_EQ(forward(&r, &x, &w, &b, c), TH_OK);
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
  ASSERT_EQ(backward_input(&gx, &g, &x, &w, c), TH_OK);
  ASSERT_EQ(backward_weight(&gw, &gb, &g, &x, c, 1), TH_OK);
  EXPECT_LE(distance(values(gx), differences(x)), 1e-12);
  EXPECT_LE(distance(values(gw), differences(w)), 1e-12);
  EXPECT_LE(distance(values(gb), differences(b)), 1e-12);
}

/// Gradients of weights and biases are sums over images and positions, which threads share.
TEST(ConvGradients, AreTheSameForAnyNumberOfThreads) {
  std::mt19937 rng(8);
  std::uniform_real_distribution<double> real(-1, 1);
  const int before = TH_getNumThreads();
  for (const int dtype : {TH_FLOAT, TH_DOUBLE}) {
    for (const Case& c :
         {Case{5, 3, 30, 31, 8, 5, 5, 1, 1, 2, 2, 1}, Case{1, 20, 24, 20, 150, 3, 3, 1, 1, 1, 1, 1},
          Case{3, 64, 14, 14, 64, 3, 3, 1, 1, 1, 1, 1},
          Case{1, 64, 28, 28, 96, 3, 3, 1, 1, 1, 1, 1},
          Case{4, 32, 16, 16, 32, 3, 3, 1, 1, 1, 1, 32},
          Case{9, 64, 14, 14, 96, 1, 1, 1, 1, 0, 0, 1}, Case{40, 16, 9, 9, 24, 1, 1, 2, 2, 0, 0, 2},
          Case{4, 16, 32, 32, 24, 2, 2, 2, 2, 0, 0, 1}}) {
      const auto draw = [&](const Sizes& sizes) {
        Tensor t = make(dtype, sizes);
        std::vector<double> numbers(static_cast<size_t>(numel(t)));
        std::ranges::generate(numbers, [&] { return real(rng); });
        assign(t, numbers);
        return t;
      };
      const Tensor x = draw(c.input());
      const Tensor g = draw(c.output());
      std::vector<double> first_w, first_b;
      for (const int threads : {1, 2, 3, 7}) {
        ASSERT_EQ(TH_setNumThreads(threads), TH_OK);
        Tensor gw = make(dtype, c.weight());
        Tensor gb = make(dtype, {c.K});
        ASSERT_EQ(TH_fill(&gw, 0), TH_OK);
        ASSERT_EQ(TH_fill(&gb, 0), TH_OK);
        ASSERT_EQ(backward_weight(&gw, &gb, &g, &x, c, 1), TH_OK) << TH_lastError();
        if (first_w.empty()) {
          first_w = values(gw);
          first_b = values(gb);
        }
        EXPECT_EQ(values(gw), first_w) << threads << " threads, " << text(c, dtype);
        EXPECT_EQ(values(gb), first_b) << threads << " threads, " << text(c, dtype);
      }
    }
  }
  ASSERT_EQ(TH_setNumThreads(before), TH_OK);
}

TEST(ConvShapes, ASingleImageNeedsNoBatch) {
  std::mt19937 rng(5);
  const Tensor batch = random(TH_FLOAT, {1, 3, 8, 8}, rng);
  Tensor single;
  select(single, batch, 0, 0);
  const Tensor w = random(TH_FLOAT, {4, 3, 3, 3}, rng);
  Tensor expected = empty(TH_FLOAT);
  Tensor r = empty(TH_FLOAT);
  ASSERT_EQ(conv2d(&expected, &batch, &w, nullptr, 1, 1, 1, 1, 1), TH_OK);
  ASSERT_EQ(conv2d(&r, &single, &w, nullptr, 1, 1, 1, 1, 1), TH_OK);
  EXPECT_EQ(sizes(r), (Sizes{4, 8, 8}));
  EXPECT_EQ(values(r), values(expected));
  Tensor g3 = empty(TH_FLOAT);
  Tensor g4 = empty(TH_FLOAT);
  ASSERT_EQ(conv2d_backward_input(&g4, &expected, &batch, &w, 1, 1, 1, 1, 1), TH_OK);
  ASSERT_EQ(conv2d_backward_input(&g3, &r, &single, &w, 1, 1, 1, 1, 1), TH_OK);
  EXPECT_EQ(sizes(g3), (Sizes{3, 8, 8}));
  EXPECT_EQ(values(g3), values(g4));
}

TEST(ConvShapes, TheResultMayBeTheInput) {
  std::mt19937 rng(6);
  Tensor x = random(TH_FLOAT, {2, 3, 6, 6}, rng);
  const Tensor w = random(TH_FLOAT, {3, 3, 3, 3}, rng);
  Tensor expected = empty(TH_FLOAT);
  ASSERT_EQ(conv2d(&expected, &x, &w, nullptr, 1, 1, 0, 0, 1), TH_OK);
  ASSERT_EQ(conv2d(&x, &x, &w, nullptr, 1, 1, 0, 0, 1), TH_OK);
  EXPECT_EQ(sizes(x), (Sizes{2, 3, 4, 4}));
  EXPECT_EQ(values(x), values(expected));
}

TEST(ConvErrors, NameTheMistakeAndChangeNothing) {
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
  fails("conv: input is 2x3x4x5, too small for a kernel of 5x3 with padding 0x0",
        conv2d(&r, &x, &w, nullptr, 1, 1, 0, 0, 1));
  fails("expected N x C x H x W or C x H x W", conv2d(&r, &v, &ok, nullptr, 1, 1, 0, 0, 1));
  fails("stride is 0x1", conv2d(&r, &x, &ok, nullptr, 0, 1, 0, 0, 1));
  fails("padding is -1x0", conv2d(&r, &x, &ok, nullptr, 1, 1, -1, 0, 1));
  const int64_t one[] = {1, 1, 1};
  const int64_t none[] = {0, 0, 0};
  const int64_t two[] = {2, 2, 2};
  fails("expected 1, 2 or 3", TH_conv(&r, &x, &ok, nullptr, 4, one, none, one, 1));
  fails("expected N x C x W or C x W", TH_conv(&r, &x, &ok, nullptr, 1, one, none, one, 1));
  fails("weight is 6x3x3x3, expected outputs x inputs/groups x 3 sizes",
        TH_conv(&r, &x, &ok, nullptr, 3, one, none, one, 1));
  fails("dilation is 0x0", TH_conv(&r, &x, &ok, nullptr, 2, one, none, none, 1));
  fails("is missing", TH_conv(&r, &x, &ok, nullptr, 2, one, nullptr, one, 1));
  fails("a kernel of 3x3 with dilation 2x2 and padding 0x0: padded it is 4x5",
        TH_conv(&r, &x, &ok, nullptr, 2, one, none, two, 1));
  fails("2 groups", conv2d(&r, &x, &ok, nullptr, 1, 1, 0, 0, 2));
  fails("wants 9 planes, not 3", conv2d(&r, &x, &ok, nullptr, 1, 1, 0, 0, 3));
  fails("bias is 5, expected 6 elements", conv2d(&r, &x, &ok, &b, 1, 1, 0, 0, 1));
  fails("types differ", conv2d(&r, &x, &d, nullptr, 1, 1, 0, 0, 1));
  fails("IntTensor is not supported", conv2d(&r, &i, &ok, nullptr, 1, 1, 0, 0, 1));
  fails("gradOutput is 2x3x4x5, expected 2x6x2x3",
        conv2d_backward_input(&r, &x, &x, &ok, 1, 1, 0, 0, 1));
}

}  // namespace
}  // namespace th::test
