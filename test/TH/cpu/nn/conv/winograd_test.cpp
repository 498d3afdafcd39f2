#include "cpu/nn/conv/winograd.h"

#include <gtest/gtest.h>

#include "TH/cpu/nn/conv/conv_numbers.h"
#include "TH_account.h"
#include "cpu/nn/conv/direct_conv.h"

namespace th::test {
namespace {

using cpu::winograd::applies;
using cpu::winograd::Direction;

struct Case {
  ConvShape shape;
  std::vector<float> x, w, b, g;

  Case(const ConvShape& s, std::mt19937& rng)
      : shape(s),
        x(numbers(s.N * s.C * s.plane(), rng)),
        w(numbers(s.K * s.taps(), rng)),
        b(numbers(s.K, rng)),
        g(numbers(s.N * s.K * s.outputs(), rng)) {}
};

/// What a convolution and its gradients are; the latter of weights come on top of ones.
template <class T>
struct Results {
  std::vector<T> y, gx, gw, gb;
  explicit Results(const Case& c)
      : y(c.g.size()), gx(c.x.size()), gw(c.w.size(), 1), gb(c.b.size(), 1) {}
};

Results<float> by_tiles(const Case& c) {
  Results<float> r(c);
  cpu::winograd::conv(c.shape, c.x.data(), c.w.data(), c.b.data(), r.y.data());
  cpu::winograd::conv_backward_input(c.shape, c.g.data(), c.w.data(), r.gx.data());
  cpu::winograd::conv_backward_weight(c.shape, c.g.data(), c.x.data(), 0.5f, r.gw.data(),
                                      r.gb.data());
  return r;
}

Results<double> by_definition(const Case& c) {
  const std::vector<double> x(c.x.begin(), c.x.end()), w(c.w.begin(), c.w.end()),
      b(c.b.begin(), c.b.end()), g(c.g.begin(), c.g.end());
  Results<double> r(c);
  cpu::direct_conv(c.shape, x.data(), w.data(), b.data(), r.y.data());
  cpu::direct_conv_backward_input(c.shape, g.data(), w.data(), r.gx.data());
  cpu::direct_conv_backward_weight(c.shape, g.data(), x.data(), 0.5, r.gw.data(), r.gb.data());
  return r;
}

ConvShape oblong(ConvShape s, int64_t width, int64_t pad) {
  s.W = width;
  s.padW = pad;
  s.outW = width + 2 * pad - 2;
  return s;
}

/// Whole tiles and parts of them, rows of tiles that end within a vector, one tile, one row; more
/// tiles than planes of the result, and fewer, of which all are worked on at a time or some are.
std::vector<ConvShape> shapes() {
  return {shape_of(8, 32, 17, 48, 3, 1, 1),
          shape_of(5, 40, 8, 20, 3, 1, 0),
          shape_of(1, 24, 45, 70, 3, 1, 2),
          shape_of(3, 1, 4, 2, 3, 1, 1),
          shape_of(3, 20, 7, 110, 3, 1, 1),
          shape_of(18, 3, 7, 150, 3, 1, 1),
          shape_of(2, 3, 3, 1, 3, 1, 0),
          oblong(shape_of(2, 300, 6, 17, 3, 1, 1), 90, 0),
          oblong(shape_of(2, 5, 19, 7, 3, 1, 0), 4, 2),
          oblong(shape_of(1, 2, 1, 3, 3, 1, 1), 301, 1)};
}

TEST(Winograd, AgreesWithTheDefinition) {
  std::mt19937 rng(2);
  for (const auto& s : shapes()) {
    const Case c(s, rng);
    const auto expected = by_definition(c);
    const auto results = by_tiles(c);
    EXPECT_LT(apart(results.y, expected.y), 5e-5);
    EXPECT_LT(apart(results.gx, expected.gx), 5e-5);
    EXPECT_LT(apart(results.gw, expected.gw), 5e-5);
    EXPECT_LT(apart(results.gb, expected.gb), 1e-6);
  }
}

TEST(Winograd, EndsWithASumAndTheLargerOfItAndZero) {
  std::mt19937 rng(5);
  for (const auto& s : shapes()) {
    const Case c(s, rng);
    const auto expected = by_tiles(c).y;
    for (const bool adds : {false, true}) {
      for (const bool relu : {false, true}) {
        std::vector<float> r(c.g.size()), wanted = expected;
        cpu::winograd::conv(s, c.x.data(), c.w.data(), c.b.data(), r.data(),
                            {adds ? c.g.data() : nullptr, relu});
        for (size_t i = 0; i < r.size(); ++i) {
          wanted[i] += adds ? c.g[i] : 0;
          wanted[i] = relu && wanted[i] < 0 ? 0 : wanted[i];
        }
        EXPECT_EQ(r, wanted);
      }
    }
  }
}

TEST(Winograd, GivesTheSameBitsOnAnyNumberOfThreads) {
  std::mt19937 rng(3);
  const int before = TH_getNumThreads();
  for (const auto& s : shapes()) {
    const Case c(s, rng);
    ASSERT_EQ(TH_setNumThreads(1), TH_OK);
    const auto one = by_tiles(c);
    for (const int threads : {2, 5}) {
      ASSERT_EQ(TH_setNumThreads(threads), TH_OK);
      const auto several = by_tiles(c);
      EXPECT_EQ(one.y, several.y);
      EXPECT_EQ(one.gx, several.gx);
      EXPECT_EQ(one.gw, several.gw);
      EXPECT_EQ(one.gb, several.gb);
    }
  }
  ASSERT_EQ(TH_setNumThreads(before), TH_OK);
}

TEST(Winograd, IsForManyPlanesAndTilesOfKernelsOfThreeByThree) {
  const auto some = shape_of(8, 32, 17, 48, 3, 1, 1);
  EXPECT_TRUE(applies(Direction::Forward, some));
  TH_setWinograd(false);
  EXPECT_FALSE(applies(Direction::Forward, some));
  TH_setWinograd(true);
  auto dilated = some, grouped = some, volumes = some;
  dilated.dilW = 2;
  grouped.groups = 2;
  volumes.dims = 3;
  for (const auto& s : {shape_of(8, 8, 17, 48, 3, 1, 1), shape_of(1, 64, 7, 64, 3, 1, 1),
                        shape_of(8, 32, 17, 48, 3, 2, 1), shape_of(8, 32, 17, 48, 5, 1, 2),
                        shape_of(8, 32, 17, 48, 3, 1, 3), dilated, grouped, volumes}) {
    for (const auto direction :
         {Direction::Forward, Direction::BackwardInput, Direction::BackwardWeight}) {
      EXPECT_FALSE(applies(direction, s));
    }
  }
}

}  // namespace
}  // namespace th::test
