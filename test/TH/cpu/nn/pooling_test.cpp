#include "TH/support/pooling.h"

#include <gtest/gtest.h>

#include "TH/support/tensors.h"

namespace th::test {
namespace {

using Case = PoolCase;

struct Reference {
  int64_t outH, outW;
  std::vector<double> y, at;
};

Reference pool(const Case& c, int64_t planes, const std::vector<double>& x) {
  Reference r{c.outH(), c.outW(), {}, {}};
  for (int64_t p = 0; p < planes; ++p) {
    for (int64_t i = 0; i < r.outH; ++i) {
      for (int64_t j = 0; j < r.outW; ++j) {
        double top = -INFINITY;
        int64_t at = -1;
        for (int64_t h = i * c.dH - c.padH; h < i * c.dH - c.padH + c.kH; ++h) {
          for (int64_t w = j * c.dW - c.padW; w < j * c.dW - c.padW + c.kW; ++w) {
            if (h >= 0 && h < c.H && w >= 0 && w < c.W && x[(p * c.H + h) * c.W + w] > top) {
              at = h * c.W + w;
              top = x[p * c.H * c.W + at];
            }
          }
        }
        r.y.push_back(top);
        r.at.push_back(static_cast<double>(at + 1));
      }
    }
  }
  return r;
}

TEST(MaxPool2d, FindsTheMaximaAndTheirPlaces) {
  std::mt19937 rng(1);
  for (const int dtype : {TH_HALF, TH_BFLOAT16, TH_FLOAT, TH_DOUBLE}) {
    for (const Case& c : kPoolCases) {
      for (const Layout layout : kLayouts) {
        const int64_t N = 2;
        // Few different values, so that windows have several maxima: the first one counts.
        const Tensor x = random(dtype, {N, c.C, c.H, c.W}, rng, layout);
        const Reference wanted = pool(c, N * c.C, values(x));
        Tensor r = make(dtype, {N, c.C, wanted.outH, wanted.outW}, layout);
        Tensor at = empty(TH_LONG);
        ASSERT_EQ(max_pool2d(&r, &at, &x, c.kH, c.kW, c.dH, c.dW, c.padH, c.padW, c.ceil_mode),
                  TH_OK)
            << TH_lastError();
        ASSERT_EQ(sizes(r), (Sizes{N, c.C, wanted.outH, wanted.outW}));
        ASSERT_EQ(sizes(at), sizes(r));
        ASSERT_EQ(values(r), wanted.y);
        ASSERT_EQ(values(at), wanted.at);
        // Gradients go where the maxima were; windows may share one.
        const Tensor g = random(dtype, sizes(r), rng, layout);
        const auto vg = values(g);
        std::vector<double> gradient(static_cast<size_t>(numel(x)));
        const int64_t plane = wanted.outH * wanted.outW;
        for (size_t i = 0; i < vg.size(); ++i) {
          gradient[static_cast<int64_t>(i) / plane * c.H * c.W +
                   static_cast<int64_t>(wanted.at[i]) - 1] += vg[i];
        }
        Tensor gx = from(dtype, sizes(x), std::vector<double>(gradient.size(), NAN), layout);
        ASSERT_EQ(max_pool2d_backward(&gx, &g, &x, &at, c.kH, c.kW, c.dH, c.dW, c.padH, c.padW,
                                      c.ceil_mode),
                  TH_OK)
            << TH_lastError();
        ASSERT_LE(distance(values(gx), gradient), 4 * precision(dtype));
      }
    }
  }
}

TEST(MaxPool2d, TakesASingleImage) {
  std::mt19937 rng(2);
  const Tensor x = random(TH_FLOAT, {3, 6, 8}, rng);
  Tensor r = empty(TH_FLOAT);
  Tensor at = empty(TH_LONG);
  ASSERT_EQ(max_pool2d(&r, &at, &x, 2, 2, 2, 2, 0, 0, false), TH_OK);
  EXPECT_EQ(sizes(r), (Sizes{3, 3, 4}));
  EXPECT_EQ(values(r), pool({3, 6, 8, 2, 2, 2, 2, 0, 0, false}, 3, values(x)).y);
}

TEST(MaxPool2d, NanIsTheMaximum) {
  for (const int k : {2, 3}) {
    for (int place = 0; place < k * k; ++place) {
      std::vector<double> numbers(static_cast<size_t>(k * k), 1);
      numbers[static_cast<size_t>(place)] = NAN;
      // Eight windows side by side, so that vector code sees them too.
      std::vector<double> image;
      for (int row = 0; row < k; ++row) {
        for (int window = 0; window < 8; ++window) {
          image.insert(image.end(), numbers.begin() + row * k, numbers.begin() + (row + 1) * k);
        }
      }
      const Tensor x = from(TH_FLOAT, {1, k, 8 * k}, image);
      Tensor r = empty(TH_FLOAT);
      Tensor at = empty(TH_LONG);
      ASSERT_EQ(max_pool2d(&r, &at, &x, k, k, k, k, 0, 0, false), TH_OK);
      const auto places = values(at);
      for (int window = 0; window < 8; ++window) {
        EXPECT_TRUE(std::isnan(values(r)[static_cast<size_t>(window)]));
        EXPECT_EQ(places[static_cast<size_t>(window)],
                  place / k * 8 * k + window * k + place % k + 1);
      }
    }
  }
}

TEST(MaxPool2d, IndicesOfOverlappingWindowsWorkWithTwoByTwo) {
  // Positions inside the plane but in another window: legal for the operation, not for its fast
  // way.
  const Tensor x = from(TH_FLOAT, {1, 2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
  const Tensor g = from(TH_FLOAT, {1, 1, 2}, {10, 20});
  const Tensor at = from(TH_LONG, {1, 1, 2}, {8, 8});
  Tensor r = empty(TH_FLOAT);
  ASSERT_EQ(max_pool2d_backward(&r, &g, &x, &at, 2, 2, 2, 2, 0, 0, false), TH_OK) << TH_lastError();
  EXPECT_EQ(values(r), (std::vector<double>{0, 0, 0, 0, 0, 0, 0, 30}));
}

TEST(MaxPool2d, MistakesAreNamedAndChangeNothing) {
  std::mt19937 rng(3);
  const Tensor x = random(TH_FLOAT, {1, 4, 4}, rng);
  const Tensor flat = random(TH_FLOAT, {4}, rng);
  const Tensor g = random(TH_FLOAT, {1, 2, 2}, rng);
  Tensor r = random(TH_FLOAT, {3}, rng);
  Tensor at = from(TH_LONG, {1, 2, 2}, {1, 17, 3, 4});
  const Tensor negative = from(TH_LONG, {1, 2, 2}, {1, -9e15, 3, 0});
  Tensor floats = random(TH_FLOAT, {1, 2, 2}, rng);
  const auto before = values(r);
  const auto fails = [&](const std::string& words, int status) {
    EXPECT_EQ(status, TH_ERROR) << words;
    EXPECT_NE(std::string(TH_lastError()).find(words), std::string::npos) << TH_lastError();
    EXPECT_EQ(values(r), before);
    EXPECT_EQ(sizes(at), (Sizes{1, 2, 2}));
  };
  fails("input is 1x4x4, too small for a kernel of 5x5",
        max_pool2d(&r, &at, &x, 5, 5, 1, 1, 0, 0, false));
  fails("padding is 2x0, it must be from 0 to half",
        max_pool2d(&r, &at, &x, 2, 2, 2, 2, 2, 0, false));
  fails("kernel is 0x2", max_pool2d(&r, &at, &x, 0, 2, 2, 2, 0, 0, false));
  fails("stride is 2x-1", max_pool2d(&r, &at, &x, 2, 2, 2, -1, 0, 0, false));
  fails("expected N x C x H x W", max_pool2d(&r, &at, &flat, 2, 2, 2, 2, 0, 0, false));
  fails("indices is a FloatTensor, wanted a LongTensor",
        max_pool2d(&r, &floats, &x, 2, 2, 2, 2, 0, 0, false));
  fails("outside of 1 to 16", max_pool2d_backward(&r, &g, &x, &at, 2, 2, 2, 2, 0, 0, false));
  fails("outside of 1 to 16", max_pool2d_backward(&r, &g, &x, &negative, 2, 2, 2, 2, 0, 0, false));
  fails("gradOutput is 1x4x4, expected 1x2x2",
        max_pool2d_backward(&r, &x, &x, &at, 2, 2, 2, 2, 0, 0, false));
}

}  // namespace
}  // namespace th::test
