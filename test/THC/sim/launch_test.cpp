// Kernels whose launch finds no memory: their code is loaded when they are first launched.

#include "THC/support/devices.h"
#include "core/tensor/aliasing.h"

namespace thc::test {
namespace {

using Launch = OnDevices;

TEST_F(Launch, WithoutMemoryGetsTheCachesAndIsMadeOnceMore) {
  Tensor r = on_device(TH_FLOAT, {100});
  ASSERT_EQ(TH_fill(&r, 3), TH_OK);
  { on_device(TH_FLOAT, {1 << 22}); }  // to be cached
  const int64_t reserved = device_pool(0).statistics().reserved.current;
  sim::fail("cudaLaunchKernel", 1, cudaErrorMemoryAllocation);
  ASSERT_EQ(error_of(TH_add_scaled(&r, &r, 1, &r)), "");
  EXPECT_LT(device_pool(0).statistics().reserved.current, reserved);
  EXPECT_EQ(th::test::values(download(r)), std::vector<double>(100, 6));
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST_F(Launch, AnErrorThatWasLeftBehindIsNotTheLaunchsOwn) {
  Tensor r = on_device(TH_FLOAT, {100});
  ASSERT_EQ(TH_fill(&r, 3), TH_OK);
  sim::fail("cudaMalloc", 1);
  void* memory = nullptr;
  ASSERT_EQ(cudaMalloc(&memory, 16), cudaErrorMemoryAllocation);
  ASSERT_EQ(error_of(TH_add_scaled(&r, &r, 1, &r)), "");
  EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
  EXPECT_EQ(th::test::values(download(r)), std::vector<double>(100, 6));
}

TEST_F(Launch, WhatIsAddedUpIsAddedOnceWhicheverKernelHasNoMemory) {
  std::mt19937 rng(3);
  const Tensor x = upload(th::test::random(TH_FLOAT, {4, 3, 5}, rng));
  const Tensor g = upload(th::test::random(TH_FLOAT, {4, 3, 5}, rng));
  const Tensor planes = upload(th::test::random(TH_FLOAT, {3}, rng));
  Tensor dx;
  init(dx, TH_FLOAT, TH_CUDA, 0);
  const auto gradients = [&] {
    Tensor gw = clone(planes);
    Tensor gb = clone(planes);
    EXPECT_EQ(error_of(TH_batch_norm_backward(&dx, &gw, &gb, &g, &x, &planes, &planes, &planes,
                                              &planes, &planes, true, 1e-3, 0.5)),
              "");
    std::vector<double> numbers = th::test::values(download(gw));
    for (const Tensor& t : {download(gb), download(dx)}) {
      const std::vector<double> more = th::test::values(t);
      numbers.insert(numbers.end(), more.begin(), more.end());
    }
    return numbers;
  };
  const std::vector<double> wanted = gradients();
  for (int kernel = 1; kernel <= 4; ++kernel) {
    sim::fail("cudaLaunchKernel", kernel, cudaErrorMemoryAllocation);
    EXPECT_EQ(gradients(), wanted) << "kernel " << kernel;
    sim::fail("cudaLaunchKernel", 0);
  }
}

TEST_F(Launch, WithoutMemoryForGoodIsNoReasonToMakeTheOperationAgain) {
  try {
    launch_failed(cudaErrorMemoryAllocation);
  } catch (const OutOfMemory&) {
    FAIL() << "the operation would be made again, and add twice";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("no memory left to load a kernel"), std::string::npos);
  }
}

}  // namespace
}  // namespace thc::test
