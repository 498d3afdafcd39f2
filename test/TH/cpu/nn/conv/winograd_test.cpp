#include "cpu/nn/conv/winograd.h"

#include <gtest/gtest.h>

#include "TH/cpu/nn/conv/conv_numbers.h"
#include "TH_account.h"
#include "core/runtime/cpu_isa.h"
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

template <class To, class From>
std::vector<To> as(const std::vector<From>& v) {
  std::vector<To> to;
  for (const From x : v) {
    to.push_back(convert<To>(x));
  }
  return to;
}

/// Of planes of T, as floats.
template <class T = float>
Results<float> by_tiles(const Case& c) {
  Results<float> r(c);
  const auto x = as<T>(c.x), g = as<T>(c.g);
  std::vector<T> y(r.y.size()), gx(r.gx.size());
  cpu::winograd::conv(c.shape, x.data(), c.w.data(), c.b.data(), y.data());
  cpu::winograd::conv_backward_input(c.shape, g.data(), c.w.data(), gx.data());
  cpu::winograd::conv_backward_weight(c.shape, g.data(), x.data(), 0.5f, r.gw.data(), r.gb.data());
  r.y = as<float>(y);
  r.gx = as<float>(gx);
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
/// tiles than planes of the result, enough for parts with sums of their own, and fewer, of which
/// all are worked on at a time or some are.
std::vector<ConvShape> shapes() {
  return {shape_of(8, 32, 17, 48, 3, 1, 1),
          shape_of(5, 40, 8, 20, 3, 1, 0),
          shape_of(1, 24, 45, 70, 3, 1, 2),
          shape_of(3, 1, 4, 2, 3, 1, 1),
          shape_of(3, 20, 7, 110, 3, 1, 1),
          shape_of(18, 3, 7, 150, 3, 1, 1),
          shape_of(2, 3, 3, 1, 3, 1, 0),
          shape_of(17, 3, 33, 5, 3, 1, 1),
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

/// A convolution's results with c's gradients added, and without what is less than zero.
std::vector<float> finished(const Case& c, std::vector<float> r, bool adds, bool relu) {
  for (size_t i = 0; i < r.size(); ++i) {
    r[i] += adds ? c.g[i] : 0;
    r[i] = relu && r[i] < 0 ? 0 : r[i];
  }
  return r;
}

TEST(Winograd, EndsWithASumAndTheLargerOfItAndZero) {
  std::mt19937 rng(5);
  for (const auto& s : shapes()) {
    const Case c(s, rng);
    const auto expected = by_tiles(c).y;
    for (const bool adds : {false, true}) {
      for (const bool relu : {false, true}) {
        std::vector<float> r(c.g.size());
        cpu::winograd::conv(s, c.x.data(), c.w.data(), c.b.data(), r.data(),
                            {adds ? c.g.data() : nullptr, relu});
        EXPECT_EQ(r, finished(c, expected, adds, relu));
      }
    }
  }
}

template <class T>
void expect_the_same_bits_on_any_number_of_threads(const std::vector<ConvShape>& shapes) {
  std::mt19937 rng(3);
  const int before = TH_getNumThreads();
  for (const auto& s : shapes) {
    const Case c(s, rng);
    ASSERT_EQ(TH_setNumThreads(1), TH_OK);
    const auto one = by_tiles<T>(c);
    for (const int threads : {2, 5}) {
      ASSERT_EQ(TH_setNumThreads(threads), TH_OK);
      const auto several = by_tiles<T>(c);
      EXPECT_EQ(one.y, several.y);
      EXPECT_EQ(one.gx, several.gx);
      EXPECT_EQ(one.gw, several.gw);
      EXPECT_EQ(one.gb, several.gb);
    }
  }
  ASSERT_EQ(TH_setNumThreads(before), TH_OK);
}

TEST(Winograd, GivesTheSameBitsOnAnyNumberOfThreads) {
  expect_the_same_bits_on_any_number_of_threads<float>(shapes());
}

/// Those of shapes() with as many planes as pairs need.
std::vector<ConvShape> paired_shapes() {
  auto all = shapes();
  for (ConvShape& s : all) {
    s.C += s.C % 2;
    s.K += s.K % 2;
  }
  return all;
}

TEST(WinogradPairs, AgreeWithTheDefinitionWithinTheRoundingOfTiles) {
  if (!has_fast_pairs()) {
    GTEST_SKIP() << "this processor has no fast products of pairs";
  }
  std::mt19937 rng(2);
  for (const auto& s : paired_shapes()) {
    const Case c(s, rng);
    const auto expected = by_definition(c);
    const auto results = by_tiles<BFloat16>(c);
    for (const auto& [r, wanted] :
         {std::pair(results.y, expected.y), std::pair(results.gx, expected.gx),
          std::pair(results.gw, expected.gw)}) {
      const Distance d = distance_of(r, wanted);
      EXPECT_LT(d.root_mean_square, 0.02);
      EXPECT_LT(d.most, 0.15);
    }
    EXPECT_LT(apart(results.gb, expected.gb), 1e-6);
  }
}

TEST(WinogradPairs, EndWithASumAndTheLargerOfItAndZero) {
  if (!has_fast_pairs()) {
    GTEST_SKIP() << "this processor has no fast products of pairs";
  }
  std::mt19937 rng(5);
  for (const auto& s : paired_shapes()) {
    const Case c(s, rng);
    const auto expected = by_tiles<BFloat16>(c).y;
    const auto x = as<BFloat16>(c.x), addend = as<BFloat16>(c.g);
    for (const bool relu : {false, true}) {
      std::vector<BFloat16> r(c.g.size());
      cpu::winograd::conv(s, x.data(), c.w.data(), c.b.data(), r.data(),
                          cpu::Epilogue<BFloat16>{addend.data(), relu});
      // Rounded once here, twice there.
      EXPECT_LT(apart(as<float>(r), finished(c, expected, true, relu)), 0.05);
    }
  }
}

TEST(WinogradPairs, GiveTheSameBitsOnAnyNumberOfThreads) {
  if (!has_fast_pairs()) {
    GTEST_SKIP() << "this processor has no fast products of pairs";
  }
  expect_the_same_bits_on_any_number_of_threads<BFloat16>(paired_shapes());
}

TEST(WinogradPairs, AreForAnEvenNumberOfPlanesThatAreSummedUp) {
  const auto even = shape_of(8, 32, 17, 48, 3, 1, 1), odd = shape_of(8, 33, 17, 49, 3, 1, 1);
  for (const auto direction :
       {Direction::Forward, Direction::BackwardInput, Direction::BackwardWeight}) {
    EXPECT_EQ(cpu::winograd::by_pairs(direction, even), has_fast_pairs());
    const bool wanted = has_fast_pairs() && direction == Direction::BackwardWeight;
    EXPECT_EQ(cpu::winograd::by_pairs(direction, odd), wanted);
  }
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
