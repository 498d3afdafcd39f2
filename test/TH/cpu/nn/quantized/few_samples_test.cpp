#include "cpu/nn/quantized/few_samples.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

namespace th::test {
namespace {

/// What a CPU with VNNI leaves to oneDNN: the same sums, in 64 bits.
TEST(LinearOfFewSamples, IsTheExactSum) {
  std::mt19937 rng(7);
  const auto draw = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(rng);
  };
  for (const auto& [samples, inputs, outputs] :
       {std::tuple{1, 1, 1}, {2, 15, 3}, {3, 70, 64}, {16, 257, 130}}) {
    std::vector<uint8_t> x(static_cast<size_t>(samples * inputs));
    std::vector<int8_t> w(static_cast<size_t>(outputs * inputs));
    std::vector<float> bias(static_cast<size_t>(outputs)), scale(bias.size());
    for (auto& value : x) {
      value = static_cast<uint8_t>(draw(0, 255));
    }
    for (auto& value : w) {
      value = static_cast<int8_t>(draw(-128, 127));
    }
    for (size_t j = 0; j < bias.size(); ++j) {
      bias[j] = static_cast<float>(draw(-1000, 1000));
      scale[j] = j % 2 == 0 ? 0x1p-9f : 0x1p-12f;
    }
    const cpu::int8::Product floats{samples, inputs, outputs, TH_FLOAT};
    std::vector<float> y(static_cast<size_t>(samples * outputs));
    cpu::int8::linear_of_few(floats, x.data(), w.data(), bias.data(), scale.data(), y.data());
    const cpu::int8::Product bytes{samples, inputs, outputs, TH_BYTE};
    std::vector<uint8_t> codes(y.size());
    cpu::int8::linear_of_few(bytes, x.data(), w.data(), bias.data(), scale.data(), codes.data());
    for (int n = 0; n < samples; ++n) {
      for (int j = 0; j < outputs; ++j) {
        int64_t sum = static_cast<int64_t>(bias[static_cast<size_t>(j)]);
        for (int p = 0; p < inputs; ++p) {
          sum += int64_t{x[static_cast<size_t>(n * inputs + p)]} *
                 w[static_cast<size_t>(j * inputs + p)];
        }
        const double exact = static_cast<double>(sum) * scale[static_cast<size_t>(j)];
        const auto at = static_cast<size_t>(n * outputs + j);
        ASSERT_EQ(y[at], exact) << "sample " << n << ", output " << j;
        ASSERT_EQ(codes[at], std::nearbyint(std::clamp(exact, 0.0, 255.0)));
      }
    }
  }
  EXPECT_FALSE(cpu::int8::has_few_samples({1, 65537, 1, TH_FLOAT}));
  EXPECT_FALSE(cpu::int8::has_few_samples({17, 64, 1, TH_FLOAT}));
}

}  // namespace
}  // namespace th::test
