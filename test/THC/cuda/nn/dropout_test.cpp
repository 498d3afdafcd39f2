#include "THC/support/compare.h"
#include "core/random_state.h"

namespace thc::test {
namespace {

using Dropout = AgainstCpu;

constexpr int kTypes[] = {TH_HALF, TH_BFLOAT16, TH_FLOAT, TH_DOUBLE};

/// What the generator decides, from its definition: element i is kept when word i % 4 of counter
/// i / 4 is below (1 - p) 2^32.
std::vector<double> expected_noise(int64_t n, double p, uint64_t seed, uint64_t offset) {
  std::vector<double> noise;
  for (int64_t i = 0; i < n; ++i) {
    const Random4 bits = PhiloxPosition{seed, offset}(static_cast<uint64_t>(i / 4));
    noise.push_back(bits.x[i % 4] < (1 - p) * 0x1p32 ? 1 / (1 - p) : 0);
  }
  return noise;
}

TEST_F(Dropout, DrawsFromTheDevicesGeneratorWhateverTheTypeAndLayout) {
  for (int dtype : kTypes) {
    for (Layout layout : th::test::kLayouts) {
      for (const Sizes& s : {Sizes{1}, Sizes{4, 7, 5}, Sizes{33, 2}}) {
        SCOPED_TRACE(describe("dropout", dtype, s, layout));
        const Tensor host = draw_tensor(dtype, s);
        const Tensor x = upload(host, layout);
        Tensor noise = on_device(dtype, s, draw_layout());
        Tensor r = on_device(dtype, s, draw_layout());
        manual_seed(0, 123);
        for (uint64_t offset : {0, 1}) {  // the second call goes on where the first ended
          const int64_t n = numel(host);
          ASSERT_EQ(TH_dropout(&r, &noise, &x, 0.75, nullptr), TH_OK) << TH_lastError();
          const auto wanted =
              expected_noise(n, 0.75, 123, offset * static_cast<uint64_t>((n + 3) / 4));
          const auto vx = th::test::values(host);
          ASSERT_EQ(th::test::sizes(r), s);
          ASSERT_EQ(th::test::sizes(noise), s);
          ASSERT_EQ(th::test::values(download(noise)), wanted);
          const auto vr = th::test::values(download(r));
          for (size_t i = 0; i < vx.size(); ++i) {
            ASSERT_EQ(vr[i], vx[i] * wanted[i]) << i;
          }
        }
      }
    }
  }
}

TEST_F(Dropout, DropsTheAskedShare) {
  const Tensor x = on_device(TH_FLOAT, {100, 1000});
  Tensor r = on_device(TH_FLOAT, {});
  Tensor noise = on_device(TH_FLOAT, {});
  TH_Tensor* const ones = const_cast<Tensor*>(&x);
  ASSERT_EQ(TH_fill(ones, 1), TH_OK);
  manual_seed(0, 7);
  for (const double p : {0.0, 0.1, 0.5, 0.9}) {
    ASSERT_EQ(TH_dropout(&r, &noise, &x, p, nullptr), TH_OK) << TH_lastError();
    double kept = 0;
    for (const double v : th::test::values(download(r))) {
      kept += v != 0;
    }
    // Five standard deviations of a binomial count.
    EXPECT_NEAR(kept, 1e5 * (1 - p), 5 * std::sqrt(1e5 * p * (1 - p)));
  }
}

TEST_F(Dropout, WorksInPlaceAndContinuesFromASavedState) {
  const Tensor host = draw_tensor(TH_FLOAT, {50});
  Tensor x = upload(host);
  Tensor noise = on_device(TH_FLOAT, {});
  uint8_t state[kGeneratorStateBytes];
  manual_seed(0, 5);
  get_state(0, state);
  ASSERT_EQ(TH_dropout(&x, &noise, &x, 0.5, nullptr), TH_OK) << TH_lastError();
  const auto first = th::test::values(download(noise));
  set_state(0, state);
  Tensor again = upload(host);
  Tensor r = on_device(TH_FLOAT, {});
  ASSERT_EQ(TH_dropout(&r, &noise, &again, 0.5, nullptr), TH_OK) << TH_lastError();
  EXPECT_EQ(th::test::values(download(noise)), first);
  EXPECT_EQ(th::test::values(download(r)), th::test::values(download(x)));
}

TEST_F(Dropout, MistakesDrawNothing) {
  const Tensor x = upload(draw_tensor(TH_FLOAT, {5}));
  Tensor r = on_device(TH_FLOAT, {});
  Tensor noise = on_device(TH_FLOAT, {});
  manual_seed(0, 5);
  uint8_t before[kGeneratorStateBytes];
  get_state(0, before);
  const auto fails = [&](const std::string& words, int status) {
    EXPECT_EQ(status, TH_ERROR) << words;
    EXPECT_NE(std::string(TH_lastError()).find(words), std::string::npos) << TH_lastError();
  };
  for (const double p : {1.0, -0.1, std::nan("")}) {
    fails("must be 0 <= p < 1", TH_dropout(&r, &noise, &x, p, nullptr));
  }
  fails("two results cannot go into the same tensor", TH_dropout(&r, &r, &x, 0.5, nullptr));
  TH_Generator* const host = TH_Generator_new();
  fails("draws from its device's generator", TH_dropout(&r, &noise, &x, 0.5, host));
  TH_Generator_free(host);
  uint8_t after[kGeneratorStateBytes];
  get_state(0, after);
  EXPECT_TRUE(std::equal(before, before + kGeneratorStateBytes, after));
  EXPECT_EQ(noise.ndim, 0);
}

}  // namespace
}  // namespace thc::test
