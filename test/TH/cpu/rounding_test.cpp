// Results of bfloat16 are those of float rounded once, however vectors of them are rounded.
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "TH/support/tensors.h"

namespace th::test {
namespace {

/// Every upper half of a float, with lower halves below, at and above the middle between two: every
/// exponent, denormals, infinities and NaNs among them.
std::vector<float> all_kinds() {
  std::vector<float> kinds;
  for (uint32_t lower : {0x0000u, 0x0001u, 0x7fffu, 0x8000u, 0x8001u, 0xffffu}) {
    for (uint32_t upper = 0; upper < 0x10000; ++upper) {
      kinds.push_back(std::bit_cast<float>(upper << 16 | lower));
    }
  }
  return kinds;
}

/// The nearest number of bfloat16, of two that are as near the even one, found by distances; of a
/// NaN a quiet one.
uint16_t nearest(float value) {
  const auto below = static_cast<uint16_t>(std::bit_cast<uint32_t>(value) >> 16);
  if (std::isnan(value)) {
    return below | 0x40;
  }
  if (std::isinf(value)) {
    return below;
  }
  const auto magnitude = [](int bits) {  // of the infinite one, as though exponents went on
    const double x = std::abs(std::bit_cast<float>(static_cast<uint32_t>(bits) << 16));
    return std::isinf(x) ? 0x1p128 : x;
  };
  const double x = std::abs(static_cast<double>(value));
  const double down = x - magnitude(below), up = magnitude(below + 1) - x;
  const bool is_below = down < up || (down == up && below % 2 == 0);
  return is_below ? below : static_cast<uint16_t>(below + 1);
}

std::vector<uint16_t> bits_of(const Tensor& t) {
  std::vector<uint16_t> bits;
  for (int64_t i = 0; i < numel(t); ++i) {
    bits.push_back(data<BFloat16>(t)[i].bits);
  }
  return bits;
}

TEST(RoundingToBFloat16, IsToTheNearestOfEveryKindOfNumber) {
  const std::vector<float> kinds = all_kinds();
  Tensor x = make(TH_FLOAT, {static_cast<int64_t>(kinds.size())});
  std::copy(kinds.begin(), kinds.end(), data<float>(x));
  Tensor r = make(TH_BFLOAT16, sizes(x));
  ASSERT_EQ(TH_copy(&r, &x), 0) << TH_lastError();
  std::vector<uint16_t> expected;
  for (float value : kinds) {
    expected.push_back(nearest(value));
  }
  EXPECT_EQ(bits_of(r), expected);
}

TEST(RoundingToBFloat16, OfElementWiseResultsKeepsDenormalsAtAnyPlace) {
  // Some more than a part of a loop, of which every 37th product is denormal.
  constexpr int64_t kMost = 700;
  for (int64_t count : {1, 15, 16, 17, 31, 32, 33, 255, 256, 257, 289, 699}) {
    for (int64_t first : {0, 1}) {
      Tensor whole[3];
      Tensor part[3];
      for (int k = 0; k < 3; ++k) {
        whole[k] = make(TH_BFLOAT16, {kMost + 2});
        ASSERT_EQ(TH_fill(&whole[k], 7), 0);
        narrow(part[k], whole[k], 0, first, count);
      }
      for (int64_t i = 0; i < count; ++i) {
        data<BFloat16>(part[0])[i] = BFloat16(i % 37 == 0 ? 0x1p-100f : static_cast<float>(i) / 8);
        data<BFloat16>(part[1])[i] = BFloat16(i % 37 == 0 ? 0x1.3p-30f : 0.171875f);
      }
      ASSERT_EQ(TH_cmul(&part[2], &part[0], &part[1]), 0) << TH_lastError();
      for (int64_t i = 0; i < count; ++i) {
        const float product = static_cast<float>(data<BFloat16>(part[0])[i]) *
                              static_cast<float>(data<BFloat16>(part[1])[i]);
        ASSERT_EQ(data<BFloat16>(part[2])[i].bits, nearest(product))
            << "element " << i << " of " << count << " from " << first << " on";
      }
      EXPECT_EQ(static_cast<float>(data<BFloat16>(whole[2])[first + count]), 7.f);
    }
  }
}

}  // namespace
}  // namespace th::test
