#include "TH/support/pooling.h"

#include "THC/support/compare.h"

namespace thc::test {
namespace {

using Pooling = AgainstCpu;
using th::test::empty;

using Case = th::test::PoolCase;

/// With both zeros, NaN and infinities.
Tensor with_special(Tensor t, std::mt19937& rng) {
  std::vector<double> numbers = th::test::values(t);
  const double special[] = {NAN, INFINITY, -INFINITY, -0.0};
  for (double& x : numbers) {
    const int k = std::uniform_int_distribution<int>(0, 15)(rng);
    x = k < 4 ? special[k] : x;
  }
  th::test::assign(t, numbers);
  return t;
}

Sizes pooled(int dtype, const Case& c, Sizes sizes) {
  const Tensor x = th::test::make(dtype, sizes);
  Tensor y = empty(dtype);
  EXPECT_EQ(th::test::avg_pool2d(&y, &x, c.kH, c.kW, c.dH, c.dW, c.padH, c.padW, c.ceil_mode, true),
            TH_OK)
      << TH_lastError();
  return th::test::sizes(y);
}

TEST_F(Pooling, MaximaAndTheirPlaces) {
  for (const Case& c : th::test::kPoolCases) {
    for (int dtype : {TH_HALF, TH_BFLOAT16, TH_FLOAT, TH_DOUBLE}) {
      const Sizes sizes = draw(0, 2) == 0 ? Sizes{c.C, c.H, c.W} : Sizes{2, c.C, c.H, c.W};
      const Layout layout = draw_layout();
      SCOPED_TRACE(describe("max pooling", dtype, sizes, layout));
      // Sixteenths: many windows have several maxima.
      const auto forward = THC_CALL(th::test::max_pool2d(&t[0], &t[1], &t[2], c.kH, c.kW, c.dH,
                                                         c.dW, c.padH, c.padW, c.ceil_mode));
      expect_agreement(list(empty(dtype), empty(TH_LONG), draw_tensor(dtype, sizes)), layout, 0,
                       forward);
      const Sizes out = pooled(dtype, c, sizes);
      expect_agreement(list(draw_tensor(dtype, out), draw_tensor(TH_LONG, out),
                            with_special(draw_tensor(dtype, sizes), rng_)),
                       layout, 0, forward);
    }
  }
}

TEST_F(Pooling, GradientsOfMaximaAddUpWhereWindowsOverlap) {
  for (const Case& c : th::test::kPoolCases) {
    for (int dtype : {TH_HALF, TH_BFLOAT16, TH_FLOAT, TH_DOUBLE}) {
      const Sizes sizes{2, c.C, c.H, c.W};
      const Layout layout = draw_layout();
      SCOPED_TRACE(describe("max pooling's gradient", dtype, sizes, layout));
      const Tensor x = draw_tensor(dtype, sizes);
      Tensor y = empty(dtype);
      Tensor at = empty(TH_LONG);
      ASSERT_EQ(
          th::test::max_pool2d(&y, &at, &x, c.kH, c.kW, c.dH, c.dW, c.padH, c.padW, c.ceil_mode),
          TH_OK);
      Tensor g = draw_tensor(dtype, th::test::sizes(y));
      expect_agreement(
          list(empty(dtype), std::move(g), copy_of(x), std::move(at)), layout,
          2 * th::test::precision(dtype),
          THC_CALL(th::test::max_pool2d_backward(&t[0], &t[1], &t[2], &t[3], c.kH, c.kW, c.dH, c.dW,
                                                 c.padH, c.padW, c.ceil_mode)));
    }
  }
}

TEST_F(Pooling, IndicesThatAreNoPlacesTouchNothing) {
  const Tensor x = upload(draw_tensor(TH_FLOAT, {1, 2, 4}));
  const Tensor g = upload(th::test::from(TH_FLOAT, {1, 1, 2}, {10, 20}));
  const Tensor at = upload(th::test::from(TH_LONG, {1, 1, 2}, {-9e15, 4}));
  Tensor r = on_device(TH_FLOAT, {});
  ASSERT_EQ(th::test::max_pool2d_backward(&r, &g, &x, &at, 2, 2, 2, 2, 0, 0, false), TH_OK);
  EXPECT_EQ(th::test::values(download(r)), (std::vector<double>{0, 0, 0, 20, 0, 0, 0, 0}));
}

TEST_F(Pooling, MeansAndTheirGradients) {
  for (const Case& c : th::test::kPoolCases) {
    for (int dtype : {TH_HALF, TH_BFLOAT16, TH_FLOAT, TH_DOUBLE}) {
      for (const bool count_padding : {true, false}) {
        const Sizes sizes = draw(0, 2) == 0 ? Sizes{c.C, c.H, c.W} : Sizes{2, c.C, c.H, c.W};
        const Layout layout = draw_layout();
        SCOPED_TRACE(describe("average pooling", dtype, sizes, layout));
        const double tolerance = 4 * th::test::precision(dtype);
        expect_agreement(list(empty(dtype), draw_tensor(dtype, sizes)), layout, tolerance,
                         THC_CALL(th::test::avg_pool2d(&t[0], &t[1], c.kH, c.kW, c.dH, c.dW, c.padH,
                                                       c.padW, c.ceil_mode, count_padding)));
        expect_agreement(
            list(draw_tensor(dtype, sizes), draw_tensor(dtype, pooled(dtype, c, sizes)),
                 draw_tensor(dtype, sizes)),
            layout, tolerance,
            THC_CALL(th::test::avg_pool2d_backward(&t[0], &t[1], &t[2], c.kH, c.kW, c.dH, c.dW,
                                                   c.padH, c.padW, c.ceil_mode, count_padding)));
      }
    }
  }
}

TEST_F(Pooling, ResultsMayBeOperandsAndMistakesAreRefusedInTheCpusWords) {
  const auto x = [&] { return draw_tensor(TH_FLOAT, {2, 6, 6}); };
  const std::vector<Tensor> t =
      list(x(), empty(TH_LONG), draw_tensor(TH_FLOAT, {4}), draw_tensor(TH_INT, {2, 6, 6}));
  const auto same = [&](const Operation& operation) {
    expect_agreement(t, Layout::Compact, 1e-6, operation);
  };
  same(THC_CALL(th::test::max_pool2d(&t[0], &t[1], &t[0], 2, 2, 2, 2, 0, 0, false)));
  same(THC_CALL(th::test::avg_pool2d(&t[0], &t[0], 2, 2, 2, 2, 0, 0, false, true)));
  const auto refused = [&](const Operation& operation) {
    expect_refusal(t, Layout::Compact, 0, operation);
  };
  refused(THC_CALL(th::test::max_pool2d(&t[0], &t[1], &t[0], 7, 7, 2, 2, 0, 0, false)));
  refused(THC_CALL(th::test::max_pool2d(&t[0], &t[1], &t[2], 2, 2, 2, 2, 0, 0, false)));
  refused(THC_CALL(th::test::max_pool2d(&t[0], &t[2], &t[0], 2, 2, 2, 2, 0, 0, false)));
  refused(THC_CALL(th::test::avg_pool2d(&t[0], &t[3], 2, 2, 2, 2, 0, 0, false, true)));
  refused(THC_CALL(th::test::avg_pool2d(&t[0], &t[0], 2, 2, 2, 0, 0, 0, false, true)));
  refused(THC_CALL(th::test::avg_pool2d(&t[0], &t[0], 2, 2, 2, 2, 2, 0, false, true)));
  refused(
      THC_CALL(th::test::avg_pool2d_backward(&t[0], &t[2], &t[0], 2, 2, 2, 2, 0, 0, false, true)));
}

}  // namespace
}  // namespace thc::test
