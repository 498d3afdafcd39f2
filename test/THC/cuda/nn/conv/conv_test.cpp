#include "TH/support/convolutions.h"
#include "THC/support/compare.h"
#include "core/vendor/vendor.h"

namespace thc::test {
namespace {

using th::test::empty;

using Case = th::test::ConvCase;

constexpr auto& kCases = th::test::kConvCases;

class Conv : public AgainstCpu {
 protected:
  void TearDown() override {
#ifdef THC_SIMULATED
    sim::set_cudnn(90000);
#endif
    vendor_options() = {};
    AgainstCpu::TearDown();
  }

  /// Numbers are sixteenths, so that sums are exact in float. Rounding to a 16-bit type happens
  /// once, and in the columns of the input's gradient.
  static double tolerance(int dtype, const Case& c) {
    const int roundings = is_half(dtype) ? 2 + static_cast<int>(c.kD * c.kH * c.kW) : 2;
    return roundings * th::test::precision(dtype);
  }

  /// All three operations, of images or of one image without a batch dimension.
  void expect_passes(int dtype, const Case& c, bool batch, Layout layout) {
    Sizes in = c.input();
    Sizes out = c.output();
    if (!batch) {
      in.erase(in.begin());
      out.erase(out.begin());
    }
    const Sizes weight = c.weight();
    SCOPED_TRACE(describe("convolution", dtype, in, layout));
    SCOPED_TRACE(th::str("by ", th::shape(weight), " in ", c.groups, " groups"));
    const double error = tolerance(dtype, c);
    const auto draw = [&](const Sizes& sizes) { return draw_tensor(dtype, sizes); };
    expect_agreement(list(draw(out), draw(in), draw(weight), draw({c.K})), layout, error,
                     THC_CALL(forward(&t[0], &t[1], &t[2], &t[3], c)));
    expect_agreement(list(empty(dtype), draw(in), draw(weight)), layout, error,
                     THC_CALL(forward(&t[0], &t[1], &t[2], nullptr, c)));
    expect_agreement(list(draw(in), draw(out), draw(in), draw(weight)), layout, error,
                     THC_CALL(backward_input(&t[0], &t[1], &t[2], &t[3], c)));
    expect_agreement(list(draw(weight), draw({c.K}), draw(out), draw(in)), layout, error,
                     THC_CALL(backward_weight(&t[0], &t[1], &t[2], &t[3], c, 0.5)));
    expect_agreement(list(draw(weight), draw(out), draw(in)), layout, error,
                     THC_CALL(backward_weight(&t[0], nullptr, &t[1], &t[2], c, -2)));
  }
};

TEST_F(Conv, AnySizesTypesAndLayoutsByCudnn) {
  int round = 0;
  for (const Case& c : kCases) {
    for (int dtype : {TH_HALF, TH_BFLOAT16, TH_FLOAT, TH_DOUBLE}) {
      expect_passes(dtype, c, c.N > 1, th::test::kLayouts[++round % 4]);
    }
  }
}

TEST_F(Conv, AnySizesTypesAndLayoutsByProducts) {
  vendor_options().cudnn = false;
  int round = 0;
  for (const Case& c : kCases) {
    for (int dtype : {TH_HALF, TH_BFLOAT16, TH_FLOAT, TH_DOUBLE}) {
      expect_passes(dtype, c, c.N > 1, th::test::kLayouts[++round % 4]);
    }
  }
}

#ifdef THC_SIMULATED
TEST_F(Conv, WithoutCudnnTheProductsAreTaken) {
  sim::set_cudnn(0);
  expect_passes(TH_FLOAT, kCases[3], true, Layout::Compact);
  sim::set_cudnn(80907);
  expect_passes(TH_FLOAT, kCases[2], true, Layout::Compact);
}
#endif

TEST_F(Conv, ColumnsKeepToTheWorkspace) {
  vendor_options().cudnn = false;
  const Case c{7, 4, 10, 9, 6, 3, 3, 1, 1, 1, 1, 2};
  const int64_t image = 4 * 9 * 10 * 9 * 4;  // bytes of an image's columns
  for (const int64_t images : {0, 1, 3, 100}) {
    vendor_options().workspace = images * image;
    expect_passes(TH_FLOAT, c, true, Layout::Compact);
  }
  const Tensor x = upload(draw_tensor(TH_FLOAT, {7, 4, 10, 9}));
  const Tensor w = upload(draw_tensor(TH_FLOAT, {6, 2, 3, 3}));
  Tensor y = on_device(TH_FLOAT, {7, 6, 10, 9});
  const auto peak = [&](int64_t images) {
    vendor_options().workspace = images * image;
    device_pool(0).reset_peaks();
    const int64_t before = device_pool(0).statistics().allocated.current;
    EXPECT_EQ(th::test::conv2d(&y, &x, &w, nullptr, 1, 1, 1, 1, 2), TH_OK) << TH_lastError();
    return device_pool(0).statistics().allocated.peak - before;
  };
  EXPECT_LE(peak(2), 2 * image + 512);
  EXPECT_GT(peak(7), 6 * image);
}

TEST_F(Conv, GradientsOfManyPartsAreNotRoundedToHalvesInBetween) {
  vendor_options().cudnn = false;
  vendor_options().workspace = 0;  // an image at a time
  constexpr int64_t kImages = 1000;
  for (const int dtype : {TH_BFLOAT16, TH_HALF, TH_FLOAT}) {
    Tensor ones = th::test::make(dtype, {kImages, 1, 1, 1});
    ASSERT_EQ(TH_fill(&ones, 1), TH_OK);
    Tensor one = th::test::make(dtype, {1, 1, 1, 1});
    ASSERT_EQ(TH_fill(&one, 8), TH_OK);
    Tensor gw = upload(one);
    const Tensor x = upload(ones);
    ASSERT_EQ(th::test::conv2d_backward_weight(&gw, nullptr, &x, &x, 1, 1, 0, 0, 1, 1), TH_OK);
    EXPECT_EQ(th::test::values(download(gw))[0], kImages + 8) << class_name(dtype);
  }
}

TEST_F(Conv, GivesTheSameBitsInAnyOrderOfWork) {
  vendor_options().cudnn = false;
  const Tensor x = draw_tensor(TH_FLOAT, {3, 4, 9, 8});
  const Tensor w = draw_tensor(TH_FLOAT, {6, 4, 3, 3});
  Tensor noise = th::test::make(TH_FLOAT, {3, 6, 7, 6});
  std::uniform_real_distribution<float> real(-1, 1);
  for (int64_t i = 0; i < numel(noise); ++i) {
    data<float>(noise)[i] = real(rng_);
  }
  std::vector<double> first;
  for (int seed = 1; seed < 4; ++seed) {
#ifdef THC_SIMULATED
    sim::set_seed(static_cast<uint64_t>(seed));
#endif
    const Tensor dg = upload(noise);
    const Tensor dx = upload(x);
    const Tensor dw = upload(w);
    Tensor gx = on_device(TH_FLOAT, {});
    ASSERT_EQ(th::test::conv2d_backward_input(&gx, &dg, &dx, &dw, 1, 1, 0, 0, 1), TH_OK);
    const std::vector<double> bits = th::test::values(download(gx));
    if (first.empty()) {
      first = bits;
    }
    EXPECT_EQ(bits, first);
  }
}

TEST_F(Conv, ResultsMayBeOperands) {
  for (const bool cudnn : {true, false}) {
    vendor_options().cudnn = cudnn;
    const auto images = [&] { return draw_tensor(TH_FLOAT, {2, 3, 6, 5}); };
    const auto weight = [&] { return draw_tensor(TH_FLOAT, {3, 3, 3, 3}); };
    expect_agreement(list(images(), weight()), Layout::Compact, 1e-6,
                     THC_CALL(th::test::conv2d(&t[0], &t[0], &t[1], nullptr, 1, 1, 1, 1, 1)));
    expect_agreement(
        list(images(), images(), weight()), Layout::Transposed, 1e-6,
        THC_CALL(th::test::conv2d_backward_input(&t[0], &t[1], &t[0], &t[2], 1, 1, 1, 1, 1)));
    // Gradients that are added to the input of the convolution itself: both have 3 x 3 x 3 x 3.
    expect_agreement(
        list(weight(), weight()), Layout::Compact, 1e-6,
        THC_CALL(th::test::conv2d_backward_weight(&t[0], nullptr, &t[1], &t[0], 1, 1, 1, 1, 1, 2)));
  }
}

TEST_F(Conv, MistakesAreRefusedInTheCpusWords) {
  const std::vector<Tensor> t =
      list(draw_tensor(TH_FLOAT, {3}), draw_tensor(TH_FLOAT, {1, 4, 5, 5}),
           draw_tensor(TH_FLOAT, {6, 4, 3, 3}), draw_tensor(TH_FLOAT, {5}),
           draw_tensor(TH_INT, {1, 4, 5, 5}));
  const auto fails = [&](const Operation& operation) {
    expect_refusal(t, Layout::Compact, 0, operation);
  };
  fails(THC_CALL(th::test::conv2d(&t[0], &t[1], &t[2], &t[3], 1, 1, 0, 0, 1)));
  fails(THC_CALL(th::test::conv2d(&t[0], &t[1], &t[2], nullptr, 1, 1, 0, 0, 2)));
  fails(THC_CALL(th::test::conv2d(&t[0], &t[1], &t[2], nullptr, 0, 1, 0, 0, 1)));
  fails(THC_CALL(th::test::conv2d(&t[0], &t[4], &t[4], nullptr, 1, 1, 0, 0, 1)));
  fails(THC_CALL(th::test::conv2d(&t[0], &t[3], &t[2], nullptr, 1, 1, 0, 0, 1)));
  fails(THC_CALL(th::test::conv2d_backward_input(&t[0], &t[1], &t[1], &t[2], 1, 1, 0, 0, 1)));
  fails(THC_CALL(th::test::conv2d_backward_weight(&t[2], nullptr, &t[1], &t[1], 1, 1, 0, 0, 1, 1)));
}

}  // namespace
}  // namespace thc::test
