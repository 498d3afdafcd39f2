#include <cstring>

#include <gtest/gtest.h>

#include "TH/support/convolutions.h"
#include "TH/support/refusals.h"
#include "TH/support/tensors.h"
#include "THC/cuda/nn/conv/fake_cudnn.h"
#include "cuda/nn/conv/cudnn_descriptors.h"

namespace thc::test {
namespace {

using th::test::make;

ConvShape shape_of(const Tensor& x, const Tensor& w) {
  return th::test::conv2d_shape(x, w, 1, 1, 0, 0, 1);
}

constexpr size_t kMiB = size_t{1} << 20;

class VendorConv : public testing::Test {
 protected:
  void SetUp() override {
    fake = {};
    fake.offers = {
        {6, CUDNN_STATUS_NOT_SUPPORTED, 0, CUDNN_DETERMINISTIC, CUDNN_DEFAULT_MATH},
        {5, CUDNN_STATUS_SUCCESS, 64 * kMiB, CUDNN_NON_DETERMINISTIC, CUDNN_DEFAULT_MATH},
        {1, CUDNN_STATUS_SUCCESS, kMiB, CUDNN_DETERMINISTIC, CUDNN_DEFAULT_MATH},
        {0, CUDNN_STATUS_SUCCESS, 0, CUDNN_DETERMINISTIC, CUDNN_DEFAULT_MATH},
    };
    const int64_t generation = vendor_options().generation;
    vendor_options() = {};
    vendor_options().generation = generation + 1;
    cudnn_most_elements = 0x7fffffff;
  }
  void TearDown() override {
    EXPECT_EQ(fake.alive, 0) << "descriptors are left over";
    EXPECT_EQ(fake.mistakes, "");
    EXPECT_EQ(device_pool(0).statistics().allocated.current, 0);
  }

  /// The algorithm that ran, or -1.
  int forward() { return vendor_conv(y_, x_, w_, shape_of(x_, w_)) ? fake.algorithm : -1; }
  int backward_input() {
    return vendor_conv_backward_input(x_, y_, w_, shape_of(x_, w_)) ? fake.algorithm : -1;
  }

  Tensor x_ = make(TH_FLOAT, {2, 3, 8, 8});
  Tensor w_ = make(TH_FLOAT, {4, 3, 3, 3});
  Tensor y_ = make(TH_FLOAT, {2, 4, 6, 6});
};

TEST_F(VendorConv, TakesTheFastestAlgorithmThatWorks) {
  EXPECT_EQ(forward(), 5);
  EXPECT_EQ(fake.last, "forward");
  EXPECT_TRUE(fake.has_workspace);
  EXPECT_EQ(fake.workspace, 64 * kMiB);
  EXPECT_EQ(fake.alpha, 1);
  EXPECT_EQ(fake.beta, 0);
  // Once for each shape.
  EXPECT_EQ(forward(), 5);
  EXPECT_EQ(fake.asked, 1);
  Tensor other = make(TH_FLOAT, {1, 3, 8, 8});
  Tensor result = make(TH_FLOAT, {1, 4, 6, 6});
  EXPECT_TRUE(vendor_conv(result, other, w_, shape_of(other, w_)));
  EXPECT_EQ(fake.asked, 2);
  EXPECT_EQ(fake.measured, 0);
}

TEST_F(VendorConv, KeepsToTheWorkspaceAndToDeterministicAlgorithms) {
  vendor_options().deterministic = true;
  EXPECT_EQ(forward(), 1);
  EXPECT_EQ(backward_input(), 1);
  vendor_options().workspace = kMiB - 1;
  EXPECT_EQ(forward(), 0);
  EXPECT_FALSE(fake.has_workspace);
  fake.offers.resize(3);
  vendor_options().workspace = 0;
  EXPECT_EQ(backward_input(), -1);  // kernels of ours, then
}

TEST_F(VendorConv, MeasuresWhenAskedTo) {
  vendor_options().benchmark = true;
  vendor_options().workspace = static_cast<int64_t>(2 * kMiB);
  EXPECT_EQ(forward(), 1);
  EXPECT_EQ(forward(), 1);
  EXPECT_EQ(fake.measured, 1);
  EXPECT_EQ(fake.asked, 0);
  EXPECT_EQ(fake.trial, 2 * kMiB);
  vendor_options().workspace = int64_t{1} << 52;  // cudnn.fastest: what there is
  EXPECT_EQ(forward(), 5);
  EXPECT_EQ(fake.trial, size_t{1} << 29);
  ++vendor_options().generation;  // cudnn.reset()
  EXPECT_EQ(forward(), 5);
  EXPECT_EQ(fake.measured, 3);
}

TEST_F(VendorConv, MeasuringLeavesGradientsThatAddUp) {
  vendor_options().benchmark = true;
  EXPECT_TRUE(vendor_conv_backward_weight(w_, y_, x_, shape_of(x_, w_), 0.5));
  EXPECT_EQ(fake.last, "backward filter");
  EXPECT_NE(fake.measured_into, nullptr);
  EXPECT_NE(fake.measured_into, th::bytes(w_));
  EXPECT_EQ(fake.alpha, 0.5);
  EXPECT_EQ(fake.beta, 1);
}

TEST_F(VendorConv, FactorsOfDoublesAreDoubles) {
  fake.doubles = true;
  Tensor x = make(TH_DOUBLE, {2, 3, 8, 8});
  Tensor w = make(TH_DOUBLE, {4, 3, 3, 3});
  const Tensor g = make(TH_DOUBLE, {2, 4, 6, 6});
  EXPECT_TRUE(vendor_conv_backward_weight(w, g, x, shape_of(x, w), 0.1));
  EXPECT_EQ(fake.alpha, 0.1);
  EXPECT_TRUE(vendor_conv_backward_input(x, g, w, shape_of(x, w)));
  EXPECT_EQ(fake.last, "backward data");
  EXPECT_EQ(fake.beta, 0);
}

TEST_F(VendorConv, FloatsAreRoundedToTf32OnlyWhereThatIsAllowed) {
  forward();  // the proposal says DEFAULT_MATH, which would be TF32
  EXPECT_EQ(fake.math, CUDNN_FMA_MATH);
  vendor_options().tf32 = true;
  forward();
  EXPECT_EQ(fake.math, CUDNN_DEFAULT_MATH);
  vendor_options().tf32 = false;
  Tensor x = make(TH_HALF, {2, 3, 8, 8});
  const Tensor w = make(TH_HALF, {4, 3, 3, 3});
  const Tensor g = make(TH_HALF, {2, 4, 6, 6});
  fake.offers[1].math = CUDNN_TENSOR_OP_MATH;
  EXPECT_TRUE(vendor_conv_backward_input(x, g, w, shape_of(x, w)));
  EXPECT_EQ(fake.math, CUDNN_TENSOR_OP_MATH);
}

TEST_F(VendorConv, AWorkspaceThatCannotBeHadTwiceMakesRoomForTheNext) {
  fake.memory = static_cast<int64_t>(2 * kMiB);
  EXPECT_THROW(forward(), OutOfMemory);  // Lua collects, and calls again
  EXPECT_EQ(fake.ran, 0);
  EXPECT_EQ(forward(), 1);
  EXPECT_EQ(forward(), 1);
  EXPECT_EQ(fake.asked, 1);
}

TEST_F(VendorConv, WhatItRefusesTheNextAlgorithmDoes) {
  fake.refused = {5, 1};
  EXPECT_EQ(forward(), 0);
  EXPECT_EQ(fake.tried, (std::vector<int>{5, 1, 0}));
  EXPECT_EQ(forward(), 0);
  EXPECT_EQ(fake.tried.size(), 4u) << "those are not tried again";
  EXPECT_EQ(backward_input(), 0);
  // A weight's gradient is added to what is there: once.
  fake.tried.clear();
  EXPECT_TRUE(vendor_conv_backward_weight(w_, y_, x_, shape_of(x_, w_), 1));
  EXPECT_EQ(fake.tried, (std::vector<int>{5, 1, 0}));
}

TEST_F(VendorConv, WhatItRefusesAltogetherKernelsOfOursDo) {
  fake.refused = {5, 1, 0};
  EXPECT_EQ(forward(), -1);
  EXPECT_EQ(forward(), -1);
  EXPECT_EQ(fake.asked, 1);
  EXPECT_EQ(fake.ran, 0);
  ++vendor_options().generation;
  fake.refused.clear();
  fake.refuses_to_propose = true;
  EXPECT_EQ(forward(), -1);
  EXPECT_EQ(backward_input(), -1);
  fake.refuses_to_propose = false;
  fake.refuses_tensors = true;
  EXPECT_EQ(forward(), -1);
  fake.refuses_tensors = false;
  ++vendor_options().generation;
  EXPECT_EQ(forward(), 5);
}

TEST_F(VendorConv, MemoryThatItLacksIsNoReasonToDropAnAlgorithm) {
  fake.without_memory = 1;
  EXPECT_THROW(forward(), th::OutOfMemory);
  EXPECT_EQ(forward(), 5) << "made again, with the caches given back";
  EXPECT_EQ(fake.tried, (std::vector<int>{5, 5}));
}

TEST_F(VendorConv, StatusesAreToldApart) {
  EXPECT_EQ(trouble_of(CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED), Trouble::Memory);
  EXPECT_EQ(trouble_of(CUDNN_STATUS_NOT_INITIALIZED), Trouble::Unusable);
  EXPECT_EQ(trouble_of(CUDNN_STATUS_SUBLIBRARY_LOADING_FAILED), Trouble::Unusable);
  EXPECT_EQ(trouble_of(CUDNN_STATUS_BAD_PARAM), Trouble::Refused);
  EXPECT_EQ(trouble_of(CUDNN_STATUS_NOT_SUPPORTED_PADDING), Trouble::Refused);
  EXPECT_EQ(trouble_of(CUDNN_STATUS_INTERNAL_ERROR_COMPILATION_FAILED), Trouble::Failed);
  EXPECT_EQ(trouble_of(CUDNN_STATUS_EXECUTION_FAILED_CUDART), Trouble::Failed);
  EXPECT_EQ(trouble_of(CUBLAS_STATUS_ALLOC_FAILED), Trouble::Memory);
  EXPECT_EQ(trouble_of(CUBLAS_STATUS_EXECUTION_FAILED), Trouble::Failed);
  EXPECT_EQ(trouble_of(CUBLAS_STATUS_NOT_SUPPORTED), Trouble::Refused);
}

TEST_F(VendorConv, AFailureIsRepeatedWithTheCachesGivenBackWhereNothingIsAddedUp) {
  fake.says = {CUDNN_STATUS_EXECUTION_FAILED};
  EXPECT_EQ(forward(), 5);
  EXPECT_EQ(fake.made_room, 1);
  EXPECT_EQ(fake.tried, (std::vector<int>{5, 5}));
  // The algorithm is not to blame where the device is full: it stays.
  fake.full = true;
  fake.says = {CUDNN_STATUS_INTERNAL_ERROR, CUDNN_STATUS_INTERNAL_ERROR};
  EXPECT_THROW(forward(), th::OutOfMemory);
  EXPECT_EQ(forward(), 5);
  // Where there is room it is: the next one writes the result afresh.
  fake.full = false;
  fake.says = {CUDNN_STATUS_EXECUTION_FAILED, CUDNN_STATUS_EXECUTION_FAILED};
  EXPECT_EQ(forward(), 1);
  EXPECT_EQ(forward(), 1);
}

TEST_F(VendorConv, AFailureOfASumIsAnErrorAndNotAddedTwice) {
  const auto backward_weight = [&] {
    return vendor_conv_backward_weight(w_, y_, x_, shape_of(x_, w_), 1);
  };
  for (const cudnnStatus_t failure : {CUDNN_STATUS_EXECUTION_FAILED, CUDNN_STATUS_INTERNAL_ERROR}) {
    ++vendor_options().generation;
    fake.tried.clear();
    fake.says = {failure};
    th::test::expect_refusal(
        "cuDNN: it says no (cudnnConvolutionBackwardFilter). What the operation writes may be half "
        "done: a gradient that is added to has to be zeroed; cutorch.setOptions{cudnn = false} "
        "takes other kernels",
        backward_weight);
    EXPECT_EQ(fake.tried, (std::vector<int>{5}));
    EXPECT_EQ(fake.made_room, 0);
    EXPECT_TRUE(backward_weight());
    EXPECT_EQ(fake.algorithm, 1) << "another one, the next time";
  }
}

TEST_F(VendorConv, ALibraryThatCannotBeUsedIsGivenUpOnce) {
  fake.says = {CUDNN_STATUS_SUBLIBRARY_LOADING_FAILED};
  EXPECT_EQ(forward(), -1);
  EXPECT_EQ(fake.given_up, "cuDNN: it says no (cudnnConvolutionForward)");
  EXPECT_EQ(backward_input(), -1);
  EXPECT_EQ(fake.asked, 1) << "and never asked again";
}

TEST_F(VendorConv, CountsWhatRanAndWhatWasLeftToOthers) {
  const int64_t ran = vendor_counts().ran;
  const int64_t declined = vendor_counts().declined;
  forward();
  backward_input();
  EXPECT_EQ(vendor_counts().ran, ran + 2);
  EXPECT_EQ(vendor_counts().declined, declined);
  fake.refused = {5, 1, 0};
  forward();
  EXPECT_EQ(vendor_counts().ran, ran + 2);
  EXPECT_EQ(vendor_counts().declined, declined + 1);
}

TEST_F(VendorConv, BatchesOfMoreElementsThanItCountsGoInParts) {
  Tensor x = make(TH_FLOAT, {5, 3, 8, 8});
  Tensor y = make(TH_FLOAT, {5, 4, 6, 6});
  const ConvShape s = shape_of(x, w_);
  cudnn_most_elements = 2 * 3 * 8 * 8 + 1;         // two images
  std::vector<std::pair<int64_t, int64_t>> parts;  // the first byte of both, in images
  const auto at = [](const void* p, const Tensor& t) {
    return (static_cast<const char*>(p) - th::bytes(t)) / 4 / t.strides[0];
  };
  fake.compute = [&](const void* a, const void*, void* c) {
    parts.emplace_back(at(a, x), at(c, y));
  };
  EXPECT_TRUE(vendor_conv(y, x, w_, s));
  EXPECT_EQ(parts, (std::vector<std::pair<int64_t, int64_t>>{{0, 0}, {2, 2}, {4, 4}}));
  parts.clear();
  fake.compute = [&](const void*, const void* b, void* c) {
    parts.emplace_back(at(b, y), at(c, x));
  };
  EXPECT_TRUE(vendor_conv_backward_input(x, y, w_, s));
  EXPECT_EQ(parts, (std::vector<std::pair<int64_t, int64_t>>{{0, 0}, {2, 2}, {4, 4}}));
  // Each part adds 1 to what the ones before have left.
  fake.compute = [&](const void*, const void*, void* c) { *static_cast<float*>(c) += 1; };
  *reinterpret_cast<float*>(bytes(w_)) = 10;
  EXPECT_TRUE(vendor_conv_backward_weight(w_, y, x, s, 1));
  EXPECT_EQ(th::test::values(w_)[0], 13);
  // The last part finds no memory: the call is made again, and nothing is added twice.
  int left = 2;
  fake.compute = [&](const void*, const void*, void* c) {
    *static_cast<float*>(c) += 1;
    fake.without_memory = --left == 0 ? 1 : 0;
  };
  EXPECT_THROW(vendor_conv_backward_weight(w_, y, x, s, 1), th::OutOfMemory);
  EXPECT_EQ(th::test::values(w_)[0], 13);
  EXPECT_TRUE(vendor_conv_backward_weight(w_, y, x, s, 1));
  EXPECT_EQ(th::test::values(w_)[0], 16);
  cudnn_most_elements = 8;  // not one
  EXPECT_FALSE(vendor_conv(y, x, w_, s));
}

/// A tensor that begins one element after the beginning of its storage.
Tensor off_by_one(const Tensor& values) {
  Tensor whole = make(values.dtype, {numel(values) + 1});
  Tensor part;
  narrow(part, whole, 0, 1, numel(values));
  Tensor t;
  th::view(t, part, sizes_of(values));
  th::copy(t, values);
  return t;
}

TEST_F(VendorConv, OperandsThatAreNotAlignedAreCopiedApart) {
  std::mt19937 rng(5);
  for (const int dtype : {TH_HALF, TH_FLOAT}) {
    for (const bool benchmark : {false, true}) {
      vendor_options().benchmark = benchmark;
      const Tensor x_values = th::test::random(dtype, {2, 3, 8, 8}, rng);
      const Tensor w_values = th::test::random(dtype, {4, 3, 3, 3}, rng);
      const Tensor y_values = th::test::random(dtype, {2, 4, 6, 6}, rng);
      Tensor x = off_by_one(x_values);
      Tensor w = off_by_one(w_values);
      Tensor y = off_by_one(y_values);
      const Tensor* a = nullptr;
      const Tensor* b = nullptr;
      const Tensor* adds_to = nullptr;
      const auto same = [](const void* p, const Tensor& t) {
        return std::memcmp(p, bytes(t), static_cast<size_t>(numel(t) * element_size(t.dtype))) == 0;
      };
      fake.compute = [&](const void* first, const void* second, void* result) {
        EXPECT_TRUE(same(first, *a));
        EXPECT_TRUE(same(second, *b));
        EXPECT_TRUE(adds_to == nullptr || same(result, *adds_to));
        // 2 is 0x4000 in 16 bits and 0x40000000 in 32.
        char* const bytes = static_cast<char*>(result);
        std::memset(bytes, 0, static_cast<size_t>(element_size(dtype)));
        bytes[element_size(dtype) - 1] = 0x40;
      };
      a = &x_values, b = &w_values;
      EXPECT_TRUE(vendor_conv(y, x, w, shape_of(x, w)));
      EXPECT_EQ(th::test::values(y)[0], 2);
      th::copy(y, y_values);
      a = &w_values, b = &y_values;
      EXPECT_TRUE(vendor_conv_backward_input(x, y, w, shape_of(x, w)));
      EXPECT_EQ(th::test::values(x)[0], 2);
      th::copy(x, x_values);
      a = &x_values, b = &y_values, adds_to = &w_values;
      EXPECT_TRUE(vendor_conv_backward_weight(w, y, x, shape_of(x, w), 1));
      std::vector<double> wanted = th::test::values(w_values);
      wanted[0] = 2;
      EXPECT_EQ(th::test::values(w), wanted);
    }
  }
}

TEST_F(VendorConv, SaysStepsBordersGapsAndGroupsAsTheyAre) {
  Tensor x = make(TH_FLOAT, {2, 4, 8, 11});
  Tensor w = make(TH_FLOAT, {6, 2, 3, 3});
  Tensor y = make(TH_FLOAT, {2, 6, 3, 4});
  const ConvShape s = th::test::conv2d_shape(x, w, 2, 3, 1, 2, 2, 2);
  EXPECT_TRUE(vendor_conv(y, x, w, s));
  EXPECT_TRUE(vendor_conv_backward_input(x, y, w, s));
  EXPECT_TRUE(vendor_conv_backward_weight(w, y, x, s, 1));
}

TEST_F(VendorConv, ConvolvesVolumes) {
  Tensor x = make(TH_FLOAT, {2, 4, 5, 8, 11});
  Tensor w = make(TH_FLOAT, {6, 2, 2, 3, 3});
  Tensor y = make(TH_FLOAT, {2, 6, 2, 3, 4});
  const int64_t stride[] = {3, 2, 3};
  const int64_t padding[] = {1, 1, 2};
  const int64_t dilation[] = {2, 2, 2};
  const ConvShape s = th::check_conv_shape(x, sizes_of(w), {3, stride, padding, dilation, 2});
  EXPECT_TRUE(vendor_conv(y, x, w, s));
  EXPECT_TRUE(vendor_conv_backward_input(x, y, w, s));
  EXPECT_TRUE(vendor_conv_backward_weight(w, y, x, s, 1));
}

TEST_F(VendorConv, StaysAwayWhenSwitchedOff) {
  vendor_options().cudnn = false;
  EXPECT_EQ(forward(), -1);
  EXPECT_EQ(backward_input(), -1);
  EXPECT_EQ(fake.asked + fake.ran, 0);
}

}  // namespace
}  // namespace thc::test
