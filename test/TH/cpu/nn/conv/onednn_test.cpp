#include "cpu/nn/conv/onednn.h"

#include <gtest/gtest.h>

#include "TH/cpu/nn/conv/conv_numbers.h"
#include "TH_account.h"
#include "core/plan_cache.h"
#include "cpu/nn/conv/onednn_plans.h"

namespace th::test {
namespace {

/// oneDNN and our own loops know nothing of each other. Which of the odd shapes it has kernels for
/// depends on the CPU (without AVX-512, none for the gradient of 3 planes), and where it has none
/// it leaves the result alone.
TEST(OneDnnConv, AgreesWithTheDirectWay) {
  std::mt19937 rng(1);
  const ConvShape usual = shape_of(2, 16, 9, 32, 3, 1, 1);
  for (const auto& s : {usual, shape_of(1, 3, 20, 16, 5, 2, 2), shape_of(3, 20, 7, 24, 1, 1, 0)}) {
    const bool everywhere = s.C == usual.C;
    const auto x = numbers(s.N * s.C * s.H * s.W, rng);
    const auto w = numbers(s.K * s.taps(), rng);
    const auto b = numbers(s.K, rng);
    const auto g = numbers(s.N * s.K * s.outH * s.outW, rng);
    std::vector<float> y1(g.size()), y2(g.size()), gx1(x.size()), gx2(x.size());
    std::vector<float> gw1 = w, gw2 = w, gb1 = b, gb2 = b;
    const bool forward = cpu::onednn::conv(s, x.data(), w.data(), b.data(), y1.data());
    if (forward) {
      cpu::direct_conv(s, x.data(), w.data(), b.data(), y2.data());
    }
    EXPECT_EQ(y1, y2);  // sums of multiples of 1/256 below 2^16 are exact in float
    const bool to_input = cpu::onednn::conv_backward_input(s, g.data(), w.data(), gx1.data());
    if (to_input) {
      cpu::direct_conv_backward_input(s, g.data(), w.data(), gx2.data());
    }
    EXPECT_EQ(gx1, gx2);
    const bool to_weight =
        cpu::onednn::conv_backward_weight(s, g.data(), x.data(), 0.5f, gw1.data(), gb1.data());
    if (to_weight) {
      cpu::direct_conv_backward_weight(s, g.data(), x.data(), 0.5f, gw2.data(), gb2.data());
    }
    EXPECT_TRUE(!everywhere || (forward && to_input && to_weight));
    EXPECT_EQ(gw1, gw2);
    EXPECT_EQ(gb1, gb2);
  }
}

std::string implementation(const dnnl::primitive& p) {
  const char* text = nullptr;
  dnnl_primitive_desc_query(p.get_primitive_desc(), dnnl_query_impl_info_str, 0, &text);
  return text;
}

/// What oneDNN has no kernels of its own for goes to ours: its references take a hundred times as
/// long.
TEST(OneDnnConv, RunsNoReference) {
  using cpu::onednn::Direction;
  ConvShape row = shape_of(1, 64, 1, 64, 1, 1, 0);
  row.W = row.outW = 64;
  row.kW = 31;
  row.padW = 15;
  ConvShape planes = shape_of(1, 64, 14, 64, 7, 1, 3);
  planes.groups = 64;
  ConvShape volumes = shape_of(1, 32, 6, 32, 3, 1, 2);
  volumes.dims = 3;
  volumes.D = volumes.outD = volumes.outH = volumes.outW = 6;
  volumes.kD = 3;
  volumes.padD = volumes.dilD = volumes.dilH = volumes.dilW = 2;
  ConvShape wide = shape_of(1, 64, 14, 64, 15, 1, 7);
  for (const auto& s : {shape_of(1, 64, 14, 64, 3, 1, 3), shape_of(1, 128, 14, 128, 2, 1, 2), wide,
                        row, planes, volumes}) {
    for (const auto direction :
         {Direction::Forward, Direction::BackwardInput, Direction::BackwardWeight}) {
      const auto plan = plan_for(direction, s, {}, 1);
      if (plan->primitive) {
        EXPECT_FALSE(implementation(plan->primitive).starts_with("ref"))
            << s.C << " planes, kernel " << s.kH << "x" << s.kW << ", direction "
            << static_cast<int>(direction);
      }
    }
  }
  TH_emptyCache();
}

/// Plans are kept where all of vendors' are: see plan_cache_test.
TEST(OneDnnConv, KeepsAPlanForEachShapeAndPass) {
  TH_emptyCache();
  for (int round = 0; round < 2; ++round) {
    for (int64_t size = 3; size < 8; ++size) {
      ConvShape s = shape_of(1, 1, 3, 1, 3, 1, 0);
      s.W = size;
      s.outW = size - 2;
      const std::vector<float> x(static_cast<size_t>(3 * size), 1);
      const std::vector<float> w(9, 1);
      std::vector<float> y(static_cast<size_t>(s.outW));
      cpu::onednn::conv(s, x.data(), w.data(), nullptr, y.data());
      ASSERT_EQ(y, std::vector<float>(y.size(), 9));
    }
  }
  EXPECT_EQ(plan_cache().size(), 5);
  ConvShape s = shape_of(1, 1, 3, 1, 3, 1, 0);
  const std::vector<float> nine(9, 1);
  std::vector<float> y(9);
  cpu::onednn::conv(s, nine.data(), nine.data(), nine.data(), y.data());
  cpu::onednn::conv_backward_input(s, nine.data(), nine.data(), y.data());
  EXPECT_EQ(plan_cache().size(), 7);
  TH_emptyCache();
  EXPECT_EQ(plan_cache().size(), 0);
}

}  // namespace
}  // namespace th::test
