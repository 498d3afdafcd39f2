#include <cmath>

#include <gtest/gtest.h>

#include "TH/support/tensors.h"
#include "THC/cuda/linalg/fake_cublas.h"
#include "THC/cuda/nn/fake_cudnn_state.h"

namespace thc::test {
namespace {

class VendorGemm : public testing::Test {
 protected:
  void SetUp() override { vendor_options() = {}; }

  int64_t draw(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(rng_);
  }
  std::mt19937 rng_{3};
};

/// A product by its definition, of doubles: matrices column by column.
std::vector<double> product(const Gemm& g, const std::vector<double>& a,
                            const std::vector<double>& b, std::vector<double> c) {
  for (int64_t i = 0; i < g.batch; ++i) {
    for (int64_t row = 0; row < g.m; ++row) {
      for (int64_t column = 0; column < g.n; ++column) {
        double sum = 0;
        for (int64_t t = 0; t < g.k; ++t) {
          const int64_t at_a = g.transpose_a ? row * g.lda + t : t * g.lda + row;
          const int64_t at_b = g.transpose_b ? t * g.ldb + column : column * g.ldb + t;
          sum += a[static_cast<size_t>(i * g.stride_a + at_a)] *
                 b[static_cast<size_t>(i * g.stride_b + at_b)];
        }
        double& to = c[static_cast<size_t>(i * g.stride_c + column * g.ldc + row)];
        to = g.alpha * sum + (g.beta == 0 ? 0 : g.beta * to);
      }
    }
  }
  return c;
}

TEST_F(VendorGemm, SaysWhatIsToBeMultiplied) {
  for (int round = 0; round < 60; ++round) {
    constexpr int kTypes[] = {TH_HALF, TH_BFLOAT16, TH_FLOAT, TH_DOUBLE};
    const int dtype = kTypes[round % 4];
    Gemm g{};
    g.dtype = dtype;
    g.transpose_a = draw(0, 1) == 1;
    g.transpose_b = draw(0, 1) == 1;
    g.m = draw(1, 6);
    g.n = draw(1, 6);
    g.k = draw(0, 6);
    g.batch = draw(1, 3);
    g.lda = std::max<int64_t>(1, g.transpose_a ? g.k : g.m) + draw(0, 2);
    g.ldb = std::max<int64_t>(1, g.transpose_b ? g.n : g.k) + draw(0, 2);
    g.ldc = g.m + draw(0, 2);
    g.stride_a = 60 * draw(0, 1);
    g.stride_b = 60 * draw(0, 1);
    g.stride_c = 60;
    g.alpha = 0.5 * static_cast<double>(draw(-2, 2));
    g.beta = 0.5 * static_cast<double>(draw(0, 2));
    const th::Tensor a = th::test::random(dtype, {180}, rng_);
    const th::Tensor b = th::test::random(dtype, {180}, rng_);
    th::Tensor c = th::test::random(dtype, {180}, rng_);
    const std::vector<double> wanted =
        product(g, th::test::values(a), th::test::values(b), th::test::values(c));
    g.a = th::bytes(a);
    g.b = th::bytes(b);
    g.c = th::bytes(c);
    ASSERT_EQ(mistake_in(g), nullptr);
    ASSERT_TRUE(vendor_gemm(0, g));
    const std::vector<double> found = th::test::values(c);
    for (size_t i = 0; i < wanted.size(); ++i) {
      ASSERT_NEAR(found[i], wanted[i], 2 * th::test::precision(dtype) * (1 + std::abs(wanted[i])))
          << "round " << round;
    }
  }
}

TEST_F(VendorGemm, FloatsAreRoundedToTf32OnlyWhereThatIsAllowed) {
  float one = 1;
  Gemm g{};
  g.m = g.n = g.k = g.lda = g.ldb = g.ldc = 1;
  g.a = g.b = g.c = &one;
  g.dtype = TH_FLOAT;
  ASSERT_TRUE(vendor_gemm(0, g));
  EXPECT_EQ(fake_cublas.compute, CUBLAS_COMPUTE_32F);
  vendor_options().tf32 = true;
  ASSERT_TRUE(vendor_gemm(0, g));
  EXPECT_EQ(fake_cublas.compute, CUBLAS_COMPUTE_32F_FAST_TF32);
}

TEST_F(VendorGemm, AKernelThatHasNoRoomIsLoadedWithTheCachesGivenBack) {
  float one = 2;
  float sum = 5;
  Gemm g{};
  g.m = g.n = g.k = g.lda = g.ldb = g.ldc = 1;
  g.alpha = 1;
  g.a = g.b = &one;
  g.c = &sum;
  g.dtype = TH_FLOAT;
  for (const cublasStatus_t failure :
       {CUBLAS_STATUS_EXECUTION_FAILED, CUBLAS_STATUS_INTERNAL_ERROR}) {
    fake = {};
    g.beta = 0;
    fake_cublas.says = {failure};
    ASSERT_TRUE(vendor_gemm(0, g));
    EXPECT_EQ(sum, 4);
    EXPECT_EQ(fake.made_room, 1);
    // Once. On a full device the script collects what it does not need, and calls again.
    fake_cublas.says = {failure, failure};
    EXPECT_THROW(vendor_gemm(0, g), th::Error);
    fake.full = true;
    fake_cublas.says = {failure, failure};
    EXPECT_THROW(vendor_gemm(0, g), th::OutOfMemory);
    // A sum may have been added to.
    g.beta = 1;
    fake.made_room = 0;
    fake_cublas.says = {failure};
    EXPECT_ANY_THROW(vendor_gemm(0, g));
    EXPECT_EQ(fake.made_room, 0);
    EXPECT_TRUE(fake_cublas.says.empty());
  }
}

TEST_F(VendorGemm, WhatCublasRefusesIsAnError) {
  double number = 1;
  Gemm g{};
  g.dtype = TH_DOUBLE;
  g.m = g.n = g.k = g.ldb = g.ldc = 2;
  g.lda = 1;
  g.a = g.b = g.c = &number;
  EXPECT_THROW(vendor_gemm(0, g), th::Error);
  g.dtype = TH_LONG;
  EXPECT_FALSE(vendor_gemm(0, g));
}

}  // namespace
}  // namespace thc::test
