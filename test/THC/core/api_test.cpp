// What the C ABI has beside the functions that the other files of this folder go through.
#include <set>
#include <string>

#include "THC/support/devices.h"
#include "core/event.h"

namespace thc::test {
namespace {

using Api = OnDevices;

TEST_F(Api, TheSimulationIsControlledFromScripts) {
  Tensor x = on_device(TH_FLOAT, {10});
  ASSERT_EQ(THC_synchronize(0), TH_OK);
  ASSERT_EQ(THC_Sim_seed(5), TH_OK);
  EXPECT_EQ(sim::machine().seed, 5u);
  int64_t pending = -1;
  ASSERT_EQ(THC_Sim_pending(&pending), TH_OK);
  EXPECT_EQ(pending, 0);
  TH_fill(&x, 0.5);
  THC_Sim_pending(&pending);
  EXPECT_GT(pending, 0);
  ASSERT_EQ(THC_Sim_fail("kernel", 1, cudaErrorAssert), TH_OK);
  EXPECT_NE(error_of(THC_synchronizeStream(0, 0)).find("an assertion in a kernel failed"),
            std::string::npos);
  ASSERT_EQ(THC_Sim_reset(), TH_OK);
  EXPECT_EQ(THC_synchronizeStream(0, 0), TH_OK);
  ASSERT_EQ(THC_Sim_setDriver(0), TH_OK);
  EXPECT_NE(
      error_of(THC_synchronizeStream(0, 0)).find("no NVIDIA driver was found on this machine"),
      std::string::npos);
  ASSERT_EQ(THC_Sim_setDriver(CUDART_VERSION), TH_OK);
  ASSERT_EQ(THC_Sim_setCudnn(0), TH_OK);
  int version;
  EXPECT_NE(error_of(THC_cudnnVersion(&version)).find("cuDNN 9 was not found; install"),
            std::string::npos);
  ASSERT_EQ(THC_Sim_setCudnn(90000), TH_OK);
}

TEST_F(Api, EveryStickyErrorHasACauseOfItsOwn) {
  std::set<std::string> texts;
  const cudaError_t errors[] = {cudaErrorIllegalAddress, cudaErrorMisalignedAddress,
                                cudaErrorAssert,         cudaErrorLaunchTimeout,
                                cudaErrorLaunchFailure,  cudaErrorECCUncorrectable};
  for (cudaError_t error : errors) {
    EXPECT_TRUE(is_sticky(error));
    const std::string text = explain(error);
    EXPECT_NE(text.find("Start it again with CUDA_LAUNCH_BLOCKING=1"), std::string::npos) << text;
    texts.insert(text);
  }
  EXPECT_EQ(texts.size(), std::size(errors));
  EXPECT_FALSE(is_sticky(cudaErrorMemoryAllocation));
  int64_t free;
  int64_t total;
  sim::fail("cudaMemGetInfo", 1, cudaErrorMemoryAllocation);
  EXPECT_EQ(THC_memoryUsage(0, &free, &total), TH_OUT_OF_MEMORY);  // may be tried again
  EXPECT_STREQ(TH_lastError(),
               "getMemoryUsage: out of memory (cudaMemGetInfo returned cudaErrorMemoryAllocation)");
}

TEST_F(Api, PeaksStartAnew) {
  { const Tensor t = on_device(TH_BYTE, {1 << 20}); }
  THC_MemoryStatistics s;
  ASSERT_EQ(THC_memoryStatistics(0, &s), TH_OK);
  EXPECT_GE(s.requested.peak, 1 << 20);
  ASSERT_EQ(THC_resetPeaks(0), TH_OK);
  ASSERT_EQ(THC_memoryStatistics(0, &s), TH_OK);
  EXPECT_EQ(s.requested.peak, s.requested.current);
}

TEST_F(Api, SeedsAreSetAndRead) {
  uint64_t seed = 0;
  ASSERT_EQ(THC_manualSeed(1, 77), TH_OK);
  ASSERT_EQ(THC_initialSeed(1, &seed), TH_OK);
  EXPECT_EQ(seed, 77u);
  ASSERT_EQ(THC_initialSeed(3, &seed), TH_OK);  // never seeded: the system's choice
  uint64_t again = 0;
  ASSERT_EQ(THC_initialSeed(3, &again), TH_OK);
  EXPECT_EQ(again, seed);
  EXPECT_EQ(error_of(THC_manualSeed(4, 1)),
            "manualSeed: device 5 does not exist: this machine has 4 CUDA devices, 1 to 4");
}

TEST_F(Api, PinnedStoragesOfNoSizeAndOfAnySize) {
  TH_StorageRef ref{};
  ASSERT_EQ(THC_PinnedStorage_new(&ref, TH_FLOAT, 0), TH_OK);
  EXPECT_EQ(ref.store->length, 0);
  EXPECT_EQ(THC_PinnedStorage_new(&ref, TH_DOUBLE, int64_t{1} << 61), TH_OUT_OF_MEMORY);
  EXPECT_STREQ(
      TH_lastError(),
      "Storage: a DoubleStorage of 2305843009213693952 elements does not fit into any memory");
  TH_StorageRef_release(&ref);
}

TEST_F(Api, AStreamDoesNotWaitForItselfNorADeviceForItsOwnMemory) {
  sim::fail("cudaEventRecord", 1);
  EXPECT_EQ(THC_streamWaitFor(0, 0, 0, 0), TH_OK);
  sim::fail("cudaEventRecord", 0);
  bool can = false;
  EXPECT_EQ(THC_canAccessPeer(2, 2, &can), TH_OK);
  EXPECT_TRUE(can);
  activate(1);  // another library may have been there first
  ASSERT_EQ(cudaDeviceEnablePeerAccess(2, 0), cudaSuccess);
  EXPECT_EQ(THC_setPeerAccess(1, 2, true), TH_OK);
  EXPECT_EQ(THC_setPeerAccess(1, 2, false), TH_OK);
}

}  // namespace
}  // namespace thc::test
