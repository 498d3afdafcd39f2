#include <functional>

#include <gtest/gtest.h>

#include "TH/support/pooling.h"
#include "TH/support/tensors.h"

namespace th::test {
namespace {

using Case = PoolCase;

/// Means over the image with a border of zeros. A window that sticks out even of the border counts
/// its places inside the border alone.
struct Reference {
  int64_t outH, outW;
  std::vector<double> y;
  std::vector<double> gradient;  ///< dL/dx for L = sum of weights times y

  Reference(const Case& c, int64_t planes, bool count_padding, const std::vector<double>& x,
            const std::function<double(int64_t)>& g)
      : outH(c.outH()), outW(c.outW()), gradient(x.size()) {
    for (int64_t out = 0; out < planes * outH * outW; ++out) {
      const int64_t plane = out / (outH * outW);
      const int64_t i = out / outW % outH;
      const int64_t j = out % outW;
      double sum = 0;
      int64_t inside = 0;
      int64_t padded = 0;
      std::vector<size_t> places;
      for (int64_t h = i * c.dH; h < i * c.dH + c.kH; ++h) {
        for (int64_t w = j * c.dW; w < j * c.dW + c.kW; ++w) {
          padded += h < c.H + 2 * c.padH && w < c.W + 2 * c.padW;
          const int64_t row = h - c.padH;
          const int64_t column = w - c.padW;
          if (row >= 0 && row < c.H && column >= 0 && column < c.W) {
            ++inside;
            places.push_back(static_cast<size_t>((plane * c.H + row) * c.W + column));
            sum += x[places.back()];
          }
        }
      }
      const auto count = static_cast<double>(count_padding ? padded : inside);
      y.push_back(sum / count);
      for (const size_t place : places) {
        gradient[place] += g(out) / count;
      }
    }
  }
};

TEST(AvgPool2d, IsTheMeanAndItsGradientTheShares) {
  std::mt19937 rng(1);
  for (const int dtype : {TH_HALF, TH_BFLOAT16, TH_FLOAT, TH_DOUBLE}) {
    for (const Case& c : kPoolCases) {
      for (const Layout layout : kLayouts) {
        for (const bool count_padding : {true, false}) {
          const int64_t N = 2;
          const Tensor x = random(dtype, {N, c.C, c.H, c.W}, rng, layout);
          Tensor r = empty(dtype);
          ASSERT_EQ(avg_pool2d(&r, &x, c.kH, c.kW, c.dH, c.dW, c.padH, c.padW, c.ceil_mode,
                               count_padding),
                    TH_OK)
              << TH_lastError();
          const Tensor g = random(dtype, sizes(r), rng, layout);
          const auto vg = values(g);
          const Reference wanted(c, N * c.C, count_padding, values(x),
                                 [&](int64_t i) { return vg[static_cast<size_t>(i)]; });
          ASSERT_EQ(sizes(r), (Sizes{N, c.C, wanted.outH, wanted.outW}));
          ASSERT_LE(distance(values(r), wanted.y), 4 * precision(dtype));
          Tensor gx = make(dtype, sizes(x), layout);
          ASSERT_EQ(avg_pool2d_backward(&gx, &g, &x, c.kH, c.kW, c.dH, c.dW, c.padH, c.padW,
                                        c.ceil_mode, count_padding),
                    TH_OK)
              << TH_lastError();
          ASSERT_LE(distance(values(gx), wanted.gradient), 8 * precision(dtype));
        }
      }
    }
  }
}

TEST(AvgPool2d, TakesASingleImageInPlace) {
  Tensor x = from(TH_DOUBLE, {1, 2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
  ASSERT_EQ(avg_pool2d(&x, &x, 2, 2, 2, 2, 0, 0, false, true), TH_OK);
  EXPECT_EQ(sizes(x), (Sizes{1, 1, 2}));
  EXPECT_EQ(values(x), (std::vector<double>{3.5, 5.5}));
}

TEST(AvgPool2d, MistakesAreNamedAndChangeNothing) {
  std::mt19937 rng(3);
  const Tensor x = random(TH_FLOAT, {1, 4, 4}, rng);
  const Tensor integers = random(TH_INT, {1, 4, 4}, rng);
  Tensor r = random(TH_FLOAT, {3}, rng);
  const auto before = values(r);
  const auto fails = [&](const std::string& words, int status) {
    EXPECT_EQ(status, TH_ERROR) << words;
    EXPECT_NE(std::string(TH_lastError()).find(words), std::string::npos) << TH_lastError();
    EXPECT_EQ(values(r), before);
  };
  fails("avgPool: input is 1x4x4, too small for a kernel of 5x5",
        avg_pool2d(&r, &x, 5, 5, 1, 1, 0, 0, false, true));
  fails("IntTensor", avg_pool2d(&r, &integers, 2, 2, 1, 1, 0, 0, false, true));
  fails("gradOutput is 1x4x4, expected 1x2x2",
        avg_pool2d_backward(&r, &x, &x, 2, 2, 2, 2, 0, 0, false, true));
}

}  // namespace
}  // namespace th::test
