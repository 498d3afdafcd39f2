#include <gtest/gtest.h>

#include "TH/support/tensors.h"
#include "core/random/generator.h"

namespace th::test {
namespace {

struct GeneratorDeleter {
  void operator()(TH_Generator* g) const { TH_Generator_free(g); }
};
using OwnGenerator = std::unique_ptr<TH_Generator, GeneratorDeleter>;

OwnGenerator seeded(uint64_t seed) {
  OwnGenerator g(TH_Generator_new());
  TH_Generator_manualSeed(g.get(), seed);
  return g;
}

TEST(Dropout, DrawsOncePerElementInRowMajorOrder) {
  std::mt19937 rng(1);
  for (const int dtype : {TH_HALF, TH_FLOAT, TH_DOUBLE}) {
    for (const Layout layout : kLayouts) {
      const Tensor x = random(dtype, {4, 7, 5}, rng, layout);
      const auto vx = values(x);
      const auto g = seeded(123);
      Tensor noise = make(dtype, {4, 7, 5}, layout);
      Tensor r = empty(dtype);
      ASSERT_EQ(TH_dropout(&r, &noise, &x, 0.75, g.get()), TH_OK) << TH_lastError();
      const auto reference = seeded(123);
      const auto vr = values(r);
      const auto vn = values(noise);
      for (size_t i = 0; i < vx.size(); ++i) {
        const double kept = TH_Generator_random(reference.get()) * 0x1p-32 <= 0.25 ? 4 : 0;
        ASSERT_EQ(vn[i], kept) << i;
        ASSERT_EQ(vr[i], kept * vx[i]) << i;
      }
      // Both generators are at the same place afterwards.
      EXPECT_EQ(TH_Generator_random(g.get()), TH_Generator_random(reference.get()));
    }
  }
}

TEST(Dropout, WorksInPlaceAndKeepsAllWithProbabilityZero) {
  std::mt19937 rng(2);
  Tensor x = random(TH_FLOAT, {50}, rng);
  const auto before = values(x);
  const auto g = seeded(5);
  Tensor noise = empty(TH_FLOAT);
  ASSERT_EQ(TH_dropout(&x, &noise, &x, 0, g.get()), TH_OK);
  EXPECT_EQ(values(x), before);
  EXPECT_EQ(values(noise), std::vector<double>(50, 1));
}

TEST(Dropout, MistakesDrawNothing) {
  std::mt19937 rng(3);
  const Tensor x = random(TH_FLOAT, {5}, rng);
  Tensor r = empty(TH_FLOAT);
  Tensor noise = empty(TH_FLOAT);
  const auto g = seeded(5);
  for (const double p : {1.0, -0.1, std::nan("")}) {
    EXPECT_EQ(TH_dropout(&r, &noise, &x, p, g.get()), TH_ERROR);
    EXPECT_NE(std::string(TH_lastError()).find("must be 0 <= p < 1"), std::string::npos);
  }
  EXPECT_EQ(TH_dropout(&r, &r, &x, 0.5, g.get()), TH_ERROR);
  EXPECT_STREQ(TH_lastError(), "dropout: two results cannot go into the same tensor");
  EXPECT_EQ(TH_dropout(&r, &noise, &x, 0.5, nullptr), TH_ERROR);
  EXPECT_STREQ(TH_lastError(), "dropout: needs a generator, got none");
  EXPECT_EQ(noise.ndim, 0);
  EXPECT_EQ(TH_Generator_random(g.get()), TH_Generator_random(seeded(5).get()));
}

}  // namespace
}  // namespace th::test
