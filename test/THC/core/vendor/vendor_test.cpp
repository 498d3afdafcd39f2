#include "core/vendor/vendor.h"

#include "TH/support/convolutions.h"
#include "TH/support/refusals.h"
#include "THC/support/devices.h"

namespace thc::test {
namespace {

class Vendor : public OnDevices {
 protected:
  void TearDown() override {
    sim::set_cudnn(90000);
    vendor_options() = {};
    OnDevices::TearDown();
  }
};

TEST_F(Vendor, AProductIsTheSumItShouldBe) {
  // Column-major 2x3 times (2x3)', twice, by hand: batch strides, a transposed operand, beta.
  const Tensor a = upload(th::test::from(TH_DOUBLE, {12}, {1, 2, 3, 4, 5, 6, 2, 0, 0, 2, 1, 1}));
  const Tensor b = upload(th::test::from(TH_DOUBLE, {6}, {1, 0, 0, 1, 2, 3}));
  Tensor c = upload(th::test::from(TH_DOUBLE, {8}, {1, 1, 1, 1, 1, 1, 1, 1}));
  Gemm g{TH_DOUBLE, false,           true, 2, 2, 3, 2.0, data<double>(a), 2, data<double>(b), 2,
         10.0,      data<double>(c), 2};
  g.batch = 2;
  g.stride_a = 6;
  g.stride_c = 4;
  ASSERT_TRUE(vendor_gemm(0, g));
  // A1 = [1 3 5; 2 4 6], A2 = [2 0 1; 0 2 1], B' = [1 0; 0 1; 2 3].
  EXPECT_EQ(th::test::values(download(c)), (std::vector<double>{32, 38, 46, 54, 18, 14, 16, 20}));
}

TEST_F(Vendor, IntegersAreNotTheirBusiness) {
  Gemm g{};
  g.dtype = TH_INT;
  EXPECT_FALSE(vendor_gemm(0, g));
}

TEST_F(Vendor, WhatCublasWouldRefuseIsNamed) {
  char memory = 0;
  // 4x5 = 4x3 3x5, twice.
  const Gemm good{.dtype = TH_FLOAT,
                  .transpose_a = false,
                  .transpose_b = false,
                  .m = 4,
                  .n = 5,
                  .k = 3,
                  .alpha = 1,
                  .a = &memory,
                  .lda = 4,
                  .b = &memory,
                  .ldb = 3,
                  .beta = 0,
                  .c = &memory,
                  .ldc = 4,
                  .batch = 2,
                  .stride_c = 20};
  EXPECT_EQ(mistake_in(good), nullptr);
  const auto refused = [&](const std::string& mistake, auto&& change) {
    Gemm g = good;
    change(g);
    ASSERT_NE(mistake_in(g), nullptr) << mistake;
    EXPECT_EQ(mistake_in(g), mistake);
    th::test::expect_refusal("cuBLAS would refuse this product: " + mistake,
                             [&] { vendor_gemm(0, g); });
  };
  const auto accepted = [&](auto&& change) {
    Gemm g = good;
    change(g);
    return mistake_in(g) == nullptr;
  };
  const char* leading = "a leading dimension below the number of rows";
  refused(leading, [](Gemm& g) { g.lda = 3; });
  refused(leading, [](Gemm& g) { g.ldb = 2; });
  refused(leading, [](Gemm& g) { g.ldc = 3; });
  refused(leading, [](Gemm& g) { g.transpose_b = true; });
  EXPECT_TRUE(accepted([](Gemm& g) { g.transpose_a = true; }));
  refused(leading, [](Gemm& g) { g.k = 0, g.lda = 0; });
  refused("a size below 0", [](Gemm& g) { g.m = -1; });
  refused("a matrix without memory", [](Gemm& g) { g.a = nullptr; });
  refused("results that overlap", [](Gemm& g) { g.stride_c = 19; });
  EXPECT_TRUE(accepted([](Gemm& g) { g.stride_c = 4, g.ldc = 8; }));
  refused("results that overlap", [](Gemm& g) { g.stride_c = 4, g.ldc = 7; });
}

TEST_F(Vendor, ConvolutionsAgreeWithTheCpu) {
  std::mt19937 rng(4);
  const Tensor x = th::test::random(TH_FLOAT, {2, 4, 5, 6}, rng);
  const Tensor w = th::test::random(TH_FLOAT, {6, 2, 3, 2}, rng);
  const ConvShape s = th::test::conv2d_shape(x, w, 1, 2, 1, 0, 2);
  Tensor y = th::test::empty(TH_FLOAT);
  ASSERT_EQ(th::test::conv2d(&y, &x, &w, nullptr, 1, 2, 1, 0, 2), TH_OK);
  Tensor r = on_device(TH_FLOAT, Sizes(y.sizes, y.sizes + 4));
  const Tensor dx = upload(x);
  const Tensor dw = upload(w);
  ASSERT_TRUE(vendor_conv(r, dx, dw, s));
  EXPECT_EQ(th::test::values(download(r)), th::test::values(y));

  const Tensor g = th::test::random(TH_FLOAT, Sizes(y.sizes, y.sizes + 4), rng);
  Tensor gx = th::test::empty(TH_FLOAT);
  ASSERT_EQ(th::test::conv2d_backward_input(&gx, &g, &x, &w, 1, 2, 1, 0, 2), TH_OK);
  const Tensor dg = upload(g);
  Tensor dgx = on_device(TH_FLOAT, {2, 4, 5, 6});
  ASSERT_TRUE(vendor_conv_backward_input(dgx, dg, dw, s));
  EXPECT_EQ(th::test::values(download(dgx)), th::test::values(gx));

  Tensor gw = th::test::random(TH_FLOAT, {6, 2, 3, 2}, rng);
  Tensor dgw = upload(gw);
  ASSERT_EQ(th::test::conv2d_backward_weight(&gw, nullptr, &g, &x, 1, 2, 1, 0, 2, 0.5), TH_OK);
  ASSERT_TRUE(vendor_conv_backward_weight(dgw, dg, dx, s, 0.5));
  EXPECT_EQ(th::test::values(download(dgw)), th::test::values(gw));
}

TEST_F(Vendor, CudnnThatIsMissingOrOfAnotherVersionIsSaidSo) {
  int version = 0;
  ASSERT_EQ(THC_cudnnVersion(&version), TH_OK);
  EXPECT_EQ(version, 90000);
  sim::set_cudnn(0);
  EXPECT_NE(error_of(THC_cudnnVersion(&version)).find("cudnn: cuDNN 9 was not found; install"),
            std::string::npos);
  Tensor x = on_device(TH_FLOAT, {1, 1, 1, 1});
  EXPECT_FALSE(vendor_conv(x, x, x, th::test::conv2d_shape(x, x, 1, 1, 0, 0, 1)));
  sim::set_cudnn(80907);
  EXPECT_NE(error_of(THC_cudnnVersion(&version)).find("cuDNN 8 was found"), std::string::npos);
}

TEST_F(Vendor, OptionsAreKept) {
  THC_VendorOptions options;
  THC_getVendorOptions(&options);
  EXPECT_FALSE(options.tf32);
  options.benchmark = true;
  options.workspace = 1 << 20;
  ASSERT_EQ(THC_setVendorOptions(&options), TH_OK);
  EXPECT_TRUE(vendor_options().benchmark);
  EXPECT_EQ(vendor_options().workspace, 1 << 20);
  options.workspace = -1;
  EXPECT_EQ(error_of(THC_setVendorOptions(&options)),
            "setOptions: a workspace cannot have -1 bytes");
  vendor_options().cudnn = false;
  Tensor x = on_device(TH_FLOAT, {1, 1, 1, 1});
  EXPECT_FALSE(vendor_conv(x, x, x, th::test::conv2d_shape(x, x, 1, 1, 0, 0, 1)));
}

}  // namespace
}  // namespace thc::test
