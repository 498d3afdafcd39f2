#include <gtest/gtest.h>

#include "TH/support/tensors.h"

namespace th::test {
namespace {

TEST(Linear, AgreesWithTheDefinition) {
  std::mt19937 rng(1);
  for (const int dtype : {TH_HALF, TH_BFLOAT16, TH_FLOAT, TH_DOUBLE}) {
    for (const auto& [N, in, out] : {std::array<int64_t, 3>{1, 1, 1},
                                     {5, 7, 3},
                                     {128, 84, 10},
                                     {3, 200, 150},
                                     {70, 80, 140}}) {
      for (const Layout layout : kLayouts) {
        const Tensor x = random(dtype, {N, in}, rng, layout);
        const Tensor w = random(dtype, {out, in}, rng, layout);
        const Tensor b = random(dtype, {out}, rng, layout);
        const auto vx = values(x);
        const auto vw = values(w);
        const auto vb = values(b);
        std::vector<double> plain;
        std::vector<double> biased;
        for (int64_t n = 0; n < N; ++n) {
          for (int64_t k = 0; k < out; ++k) {
            plain.push_back(std::inner_product(&vx[n * in], &vx[n * in] + in, &vw[k * in], 0.0));
            biased.push_back(plain.back() + vb[k]);
          }
        }
        const double bound =
            precision(is_half(dtype) ? TH_FLOAT : dtype) * static_cast<double>(in + 2) +
            (is_half(dtype) ? 2 * precision(dtype) : 0);
        Tensor r = make(dtype, {N, out}, layout);
        ASSERT_EQ(TH_linear(&r, &x, &w, &b), TH_OK) << TH_lastError();
        ASSERT_LE(distance(values(r), biased), bound);
        Tensor fresh = empty(dtype);
        ASSERT_EQ(TH_linear(&fresh, &x, &w, nullptr), TH_OK) << TH_lastError();
        ASSERT_EQ(sizes(fresh), (Sizes{N, out}));
        ASSERT_LE(distance(values(fresh), plain), bound);
        Tensor row;
        select(row, x, 0, N - 1);
        Tensor single = empty(dtype);
        ASSERT_EQ(TH_linear(&single, &row, &w, &b), TH_OK) << TH_lastError();
        ASSERT_EQ(sizes(single), Sizes{out});
        ASSERT_LE(distance(values(single), {biased.end() - out, biased.end()}), bound);
      }
    }
  }
}

TEST(Linear, TheResultMayBeTheInput) {
  std::mt19937 rng(2);
  Tensor x = random(TH_FLOAT, {4, 6}, rng);
  const Tensor w = random(TH_FLOAT, {3, 6}, rng);
  Tensor r = empty(TH_FLOAT);
  ASSERT_EQ(TH_linear(&r, &x, &w, nullptr), TH_OK);
  ASSERT_EQ(TH_linear(&x, &x, &w, nullptr), TH_OK);
  EXPECT_EQ(sizes(x), (Sizes{4, 3}));
  EXPECT_EQ(values(x), values(r));
}

TEST(Linear, MistakesAreNamed) {
  std::mt19937 rng(3);
  const Tensor image = random(TH_FLOAT, {2, 3, 4}, rng);
  const Tensor x = random(TH_FLOAT, {2, 5}, rng);
  const Tensor w = random(TH_FLOAT, {3, 12}, rng);
  const Tensor ok = random(TH_FLOAT, {3, 5}, rng);
  Tensor r = empty(TH_FLOAT);
  EXPECT_EQ(TH_linear(&r, &image, &w, nullptr), TH_ERROR);
  EXPECT_STREQ(TH_lastError(),
               "linear: input is 2x3x4, expected N x 12 or 12 for a weight of 3x12; flatten it "
               "first, as in x:view(-1, 12) or nn.View(12)");
  EXPECT_EQ(TH_linear(&r, &x, &w, nullptr), TH_ERROR);
  EXPECT_EQ(TH_linear(&r, &x, &ok, &x), TH_ERROR);
  EXPECT_NE(std::string(TH_lastError()).find("bias is 2x5, expected 3 elements"),
            std::string::npos);
  EXPECT_EQ(r.ndim, 0);
}

}  // namespace
}  // namespace th::test
